// Lowers the priority of the thread that asks for it, so that those who serve requests go first.
import { constants, getPriority, setPriority } from 'node:os'

// So many steps below what it is. Only Linux gives a thread a priority of its own; what it starts has the same.
export function yieldToServing(niceness: number): void {
  if (process.platform === 'linux') setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + niceness))
}
