import { inTime, type PulledRow } from './read-rows.ts'

/**
 * What is applied of all that a list says of one lead, in this order. Payments with a name of their own are each applied, and so is what
 * only a person can tell apart. Of the others, which nothing tells from each other, it is one, or each pull would write what the list holds
 * anew: the last that tells of money (`isMoney`), else the last. A deposit without a name is the first one: it goes before those with one.
 */
export function toldRows(rows: readonly PulledRow[], isMoney: (row: PulledRow) => boolean): PulledRow[] {
  const isApart = ({ nameless, transaction }: PulledRow) => nameless || transaction !== ''
  const named = rows.filter(isApart)
  const others = inTime(rows.filter((row) => !isApart(row)))
  const paid = others.findLast(isMoney)
  if (paid !== undefined) return [paid, ...named]
  return [...named, ...others.slice(-1)]
}
