// Shows what somebody may do to those who may do it.
import type { ReactNode } from 'react'
import type { Me } from '../api/admin.ts'
import { useMay } from '../api/queries.ts'

export const May = ({ right, children }: { right: Me['rights'][number]; children: ReactNode }) =>
  useMay(right) ? children : null
