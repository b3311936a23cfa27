// Who a mail is from, and to whom: people by their names. A name is whatever a sender writes there, so it belongs to
// the address that is seen most under it, and anybody else who uses it is told apart by the address.

import type { Address, Mailbox } from 'postal-mime'
import { limits } from '../../limits.ts'
import { speakerName } from '../../plain/chat.ts'

export type Person = { name: string; address: string }

const ADDRESS_CHARACTERS = 200

export function peopleIn(addresses: (Address | undefined)[] = []): Person[] {
  return addresses
    .flatMap((one) => (one?.group ?? (one ? [one as Mailbox] : [])) as Mailbox[])
    .map(({ name, address }) => ({
      name: speakerName(name || ' ') === 'Somebody' ? '' : speakerName(name.replace(/^['"]+|['"]+$/g, '')),
      address: (address ?? '').trim().toLowerCase().slice(0, ADDRESS_CHARACTERS),
    }))
    .filter(({ name, address }) => name || address)
}

export function createSenders(ownName: string) {
  const own = new Set(ownName.toLowerCase().split(/\s+/))
  const seen = new Map<string, Map<string, number>>() // how often, by name and address
  const names = new Map<string, string>() // by address, as people call themselves
  const owners = new Map<string, string>() // of names: the address, once all mails were seen
  let pairs = 0

  // "Ada" and "Lovelace" are names of Ada Lovelace.
  const keyOf = (name: string): string => {
    const words = name.toLowerCase().split(' ')
    return words.every((word) => own.has(word)) ? '' : words.join(' ')
  }
  const addressOf = (name: string): string => {
    const key = keyOf(name)
    const known = owners.get(key)
    if (known !== undefined) return known
    const most = [...(seen.get(key) ?? [])].sort((one, two) => two[1] - one[1])[0]?.[0] ?? ''
    owners.set(key, most)
    return most
  }

  return {
    see(person: Person): void {
      if (!person.name || !person.address) return
      const key = keyOf(person.name)
      const addresses = seen.get(key) ?? new Map<string, number>()
      if (!addresses.has(person.address) && pairs++ >= limits.collectionPeople) return
      addresses.set(person.address, (addresses.get(person.address) ?? 0) + 1)
      seen.set(key, addresses)
    },
    seeSender(person: Person): void {
      if (person.name && person.address && names.size < limits.collectionPeople && !names.has(person.address))
        names.set(person.address, person.name)
    },
    // When all were seen.
    nameOf({ name, address }: Person): string {
      const called = name || names.get(address) || ''
      if (!called) return address || 'Somebody'
      return !address || addressOf(called) === address ? called : `${called} (${address})`
    },
  }
}
