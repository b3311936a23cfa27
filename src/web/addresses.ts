// Which network addresses are public: everything that is not is refused, whatever form it is written in.

import { BlockList, isIP, isIPv6 } from 'node:net'

const notPublic = new BlockList()
for (const range of [
  '0.0.0.0/8', // this network, unspecified
  '10.0.0.0/8',
  '100.64.0.0/10', // carriers' own; some clouds' metadata
  '127.0.0.0/8',
  '169.254.0.0/16', // link-local; most clouds' metadata
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]) {
  const [address, bits] = range.split('/')
  notPublic.addSubnet(address!, Number(bits), 'ipv4')
}

// Of IPv6 only global unicast is public, less what carries another address inside or is for documents and tests.
const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')
const notPublic6 = new BlockList()
notPublic6.addSubnet('2001::', 23, 'ipv6') // Teredo, ORCHID, benchmarking …
notPublic6.addSubnet('2001:db8::', 32, 'ipv6')
notPublic6.addSubnet('2002::', 16, 'ipv6') // 6to4
notPublic6.addSubnet('3fff::', 20, 'ipv6')
const translated = new BlockList()
translated.addSubnet('64:ff9b::', 96, 'ipv6') // NAT64: what IPv6-only networks give for an IPv4 address

export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '')
  if (isIP(bare) === 0 || bare.includes('%')) return false
  if (!isIPv6(bare)) return !notPublic.check(bare, 'ipv4')
  if (translated.check(bare, 'ipv6')) return isPublicAddress(lastFourBytes(bare))
  return globalUnicast.check(bare, 'ipv6') && !notPublic6.check(bare, 'ipv6')
}

function lastFourBytes(address: string): string {
  // The URL parser writes an address in its one canonical form: groups of hex digits.
  const groups = new URL(`http://[${address}]/`).hostname.slice(1, -1).split(':')
  const [high, low] = [groups.at(-2), groups.at(-1)].map((group) => Number.parseInt(group || '0', 16))
  return [high! >> 8, high! & 255, low! >> 8, low! & 255].join('.')
}
