// One answer of the service, with what speaks for it and whether it is right.
import type { Features } from '../../src/reply/score/features.ts'

export type Row = {
  set: string
  group: string // article or persona: held out together
  kind: string
  text: string
  reply: string
  isRead: boolean
  features: Features
  right: boolean
  answerable: boolean
}
