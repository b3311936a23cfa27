// What a device is called in lists of one's own.
import { words } from '../words/words.ts'

export const deviceName = (): string => {
  const { platform = '' } = (navigator as { userAgentData?: { platform?: string } }).userAgentData ?? {}
  return platform || words.aDevice
}
