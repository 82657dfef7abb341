import { getPriority, setPriority } from 'node:os'

/** By how much, and the lowest there is: who starts us may have lowered ours already. */
const BY = 10
const LOWEST = 19

/** Lets a process give way to visitors and to people at the panel; without a number this one. */
export function giveWay(pid = 0): void {
  setPriority(pid, Math.min(getPriority() + BY, LOWEST))
}
