import type { ReconciliationKey } from '#contract/money/reconciliation-cause.ts'
import type { Compare } from './compare.ts'
import type { OurConversion, TheirLine } from './sides.ts'

/** An id that more conversions have than this names none of them. */
const MOST_SHARING = 20

/** What is taken and what is left while the keys are tried in their order. */
export type Pairing = {
  ofLine: Map<TheirLine, { our: OurConversion; key: ReconciliationKey }>
  ofOur: Map<OurConversion, TheirLine>
  /** Lines as like to several conversions, with some of these. */
  ambiguous: Map<TheirLine, readonly OurConversion[]>
  /** The same key again, with the line that has it. */
  duplicates: Map<TheirLine, TheirLine>
}

type Index = ReadonlyMap<string, readonly OurConversion[]>
export type Indexes = { exact: Index; anyCase: Index; click: Index; sub: Index }

/** Our side by each of its ids. */
export function indexOf(ours: readonly OurConversion[]): Indexes {
  const by = (key: (one: OurConversion) => string): Index => {
    const map = Map.groupBy(ours, key)
    map.delete('')
    return map
  }
  return {
    exact: by(({ transactionId }) => transactionId),
    anyCase: by(({ transactionId }) => transactionId.toLowerCase()),
    click: by(({ clickId }) => clickId.toLowerCase()),
    sub: by(({ subId }) => subId),
  }
}

/** Whether a line says nothing else of offer and goal than a conversion has. */
export function fits(line: TheirLine, our: OurConversion): boolean {
  return (line.offerId === null || line.offerId === our.offerId) && (line.goalId === null || line.goalId === our.goalId)
}

/** The one conversion a line can be about by its ids, whatever its time: what the clock of the file is found by. */
export function onlyOne(line: TheirLine, indexes: Indexes): OurConversion | undefined {
  for (const found of [
    indexes.exact.get(line.transactionId),
    indexes.anyCase.get(line.transactionId.toLowerCase()),
    indexes.click.get(line.clickId.toLowerCase()),
    indexes.sub.get(line.subId),
  ]) {
    if (found === undefined || found.length > MOST_SHARING) continue
    const its = found.filter((our) => fits(line, our))
    if (its.length > 0) return its.length === 1 ? its[0] : undefined
  }
  return undefined
}

/**
 * Pairs lines with conversions by their ids, one to one and in this order, what is taken leaving: transaction id within the
 * goal, the same ignoring case, our click id, the affiliate's; then transaction and click of another goal, where time or amount
 * say that the same is meant. A transaction twice in the file: the first counts.
 */
export function pairByIds(lines: readonly TheirLine[], indexes: Indexes, compare: Compare): Pairing {
  const pairing: Pairing = { ofLine: new Map(), ofOur: new Map(), ambiguous: new Map(), duplicates: twice(lines) }
  const pass = (
    key: ReconciliationKey,
    candidatesOf: (line: TheirLine) => readonly OurConversion[] | undefined,
    may: (line: TheirLine, our: OurConversion) => boolean,
  ) => {
    // what is taken may leave one for who had several to choose from
    for (let [open, before] = [lines, -1]; open.length > 0 && pairing.ofLine.size !== before;) {
      before = pairing.ofLine.size
      open = open.filter((line) => {
        if (pairing.ofLine.has(line) || pairing.duplicates.has(line)) return false
        const found = candidatesOf(line)
        if (found === undefined || found.length > MOST_SHARING) return false
        const its = found.filter((our) => !pairing.ofOur.has(our) && may(line, our))
        const [our, also] = liked(line, its, compare)
        if (our === undefined) return false
        if (also === undefined) take(pairing, line, our, key)
        else pairing.ambiguous.set(line, its)
        return also !== undefined
      })
    }
  }
  const exact = (line: TheirLine) => indexes.exact.get(line.transactionId)
  const anyCase = (line: TheirLine) => indexes.anyCase.get(line.transactionId.toLowerCase())
  const click = (line: TheirLine) => indexes.click.get(line.clickId.toLowerCase())
  pass('transaction', exact, fits)
  pass('transaction_case', anyCase, fits)
  pass('click', click, (line, our) => fits(line, our) && !contradicts(line, our))
  pass(
    'aff_click',
    (line) => indexes.sub.get(line.subId),
    (line, our) => fits(line, our) && !contradicts(line, our) && !isOfOtherClick(line, our),
  )
  // the same click under another transaction, the same transaction or click under another goal: only if it looks alike
  pass('click', click, (line, our) => fits(line, our) && isAlike(line, our, compare))
  pass('transaction', anyCase, (line, our) => isAlike(line, our, compare) || saysNothing(line))
  pass('click', click, (line, our) => isAlike(line, our, compare))
  for (const [line, its] of pairing.ambiguous) {
    const left = its.filter((our) => !pairing.ofOur.has(our))
    if (pairing.ofLine.has(line) || left.length === 0) pairing.ambiguous.delete(line)
    else pairing.ambiguous.set(line, left)
  }
  return pairing
}

/** Takes a line and a conversion out of what is left. */
export function take({ ofLine, ofOur }: Pairing, line: TheirLine, our: OurConversion, key: ReconciliationKey): void {
  ofLine.set(line, { our, key })
  ofOur.set(our, line)
}

/** Whether both name a transaction, and not the same one. */
export function contradicts(line: TheirLine, our: OurConversion): boolean {
  return line.transactionId !== '' && our.transactionId !== '' && line.transactionId.toLowerCase() !== our.transactionId.toLowerCase()
}

/** Whether a line names a click of ours, and not that of the conversion. */
export function isOfOtherClick(line: TheirLine, our: OurConversion): boolean {
  return line.clickId !== '' && line.click !== 'unknown' && line.clickId.toLowerCase() !== our.clickId.toLowerCase()
}

/** Lines whose transaction, offer and goal an earlier one has. */
function twice(lines: readonly TheirLine[]): Map<TheirLine, TheirLine> {
  const first = new Map<string, TheirLine>()
  const again = new Map<TheirLine, TheirLine>()
  for (const line of lines) {
    if (line.transactionId === '') continue
    const key = `${line.offerId}:${line.goalId}:${line.transactionId}`
    const earlier = first.get(key)
    if (earlier === undefined) first.set(key, line)
    else again.set(line, earlier)
  }
  return again
}

/** The conversion most like a line: that of its amount, then the nearest; two where several are as like and not the same to us. */
function liked(line: TheirLine, its: readonly OurConversion[], compare: Compare): OurConversion[] {
  if (its.length < 2) return [...its]
  const ranked = its
    .map((our) => ({ our, other: compare.amounts(line, our).is === 'same' ? 0 : 1, apart: compare.apart(line, our) ?? 0 }))
    .toSorted((a, b) => a.other - b.other || a.apart - b.apart || a.our.at - b.our.at || (a.our.id < b.our.id ? -1 : 1))
  const [best, ...rest] = ranked
  if (best === undefined) return []
  const rival = rest.find(({ our, other, apart }) => other === best.other && apart === best.apart && !isInterchangeable(our, best.our))
  return rival === undefined ? [best.our] : [best.our, rival.our]
}

function isInterchangeable(a: OurConversion, b: OurConversion): boolean {
  return a.goalId === b.goalId && a.status === b.status && a.amount === b.amount && a.clickId === b.clickId
}

/** What a line says of time and amount is that of the conversion, and it says one of them. */
function isAlike(line: TheirLine, our: OurConversion, compare: Compare): boolean {
  return !saysNothing(line) && compare.amounts(line, our).is === 'same' && compare.isClose(line, our)
}

function saysNothing({ at, amount }: TheirLine): boolean {
  return at === null && amount === null
}
