// One made answer, with what speaks for it and whether it is right.
import type { Row } from './row.ts'

export type ModelRow = Pick<Row, 'set' | 'group' | 'kind' | 'features' | 'right'> & {
  isHeld: boolean // by a reader
}
