import { isLost } from '#server/rules/conversion/conversion-status.ts'
import { causeOfLine, causeOfOurs, causeOfPair, type CallsOf } from './cause.ts'
import { comparing } from './compare.ts'
import { contradicts, fits, indexOf, onlyOne, pairByIds, type Indexes, type Pairing } from './keys.ts'
import { pairByLikeness } from './likeness.ts'
import { periodOf } from './period.ts'
import { proposeOfLine, proposeOfOurs, proposeOfPair } from './propose.ts'
import type { MatchedRow, MatchReport, OurConversion, RefusedCall, TheirLine } from './sides.ts'
import { findZone, utcOf, type TimedPair } from './zone.ts'

/**
 * Puts an advertiser's report and our side next to each other: line by line what it is about, why the two differ, and what is
 * proposed; after them the conversions it says nothing of. Decides nothing and reads nothing: the same input, the same rows.
 */
export const matchReport: MatchReport = (theirs, found, calls, settings) => {
  const ours = found.toSorted(byTime)
  const indexes = indexOf(ours)
  const zone = findZone(timedPairs(theirs, indexes))
  const toUtc = utcOf(zone, settings.offset)
  const compare = comparing(settings, toUtc)
  const pairing = pairByIds(theirs, indexes, compare)
  pairByLikeness(pairing, { lines: theirs, ours, settings, utcOf: toUtc, compare })
  nameDuplicates(pairing, theirs, indexes)

  const parts = { compare, period: periodOf(settings, zone), calls: callsOf(calls) }
  const rows = theirs.map((line): MatchedRow => {
    const pair = pairing.ofLine.get(line)
    if (pair !== undefined) {
      const { our, key } = pair
      return { line: line.line, conversionId: our.id, key, ...causeOfPair(line, our, parts), ...proposeOfPair(line, our, compare) }
    }
    const again = pairing.duplicates.get(line)
    const like = pairing.ambiguous.get(line)
    const why = causeOfLine(line, { ...(again && { again }), ...(like && { like }) }, parts.calls)
    const ofClick = indexes.click.get(line.clickId.toLowerCase()) ?? []
    const proposed = proposeOfLine(line, why, {
      ...(again && { again }),
      isClickKnown: line.click === 'known' || (line.click === '' && ofClick.length > 0),
      isConverted: like !== undefined || ofClick.some((our) => fits(line, our) && !contradicts(line, our)),
    })
    return { line: line.line, conversionId: null, key: like === undefined ? null : 'ambiguous', ...why, ...proposed }
  })

  const likeOf = new Map([...pairing.ambiguous].flatMap(([line, its]) => its.map((our) => [our, line] as const)))
  const twins = twinsOf(ours, pairing)
  const silent = ours.filter((our) => !pairing.ofOur.has(our) && (parts.period.isTheirs(our.at) || parts.period.sideOf(our.at) === 'in'))
  for (const our of silent) {
    const [like, twin] = [likeOf.get(our), twins.get(our)]
    const why = causeOfOurs(our, { ...(twin && { twin }), ...(like && { like }) }, parts)
    const key = like === undefined ? null : ('ambiguous' as const)
    rows.push({ line: null, conversionId: our.id, key, ...why, ...proposeOfOurs(our, why.cause) })
  }
  return { zone, rows }
}

/** Lines with a time whose ids name one conversion. */
function timedPairs(theirs: readonly TheirLine[], indexes: Indexes): TimedPair[] {
  return theirs.flatMap((line) => {
    if (line.at === null || line.dayOnly) return []
    const our = onlyOne(line, indexes)
    return our === undefined ? [] : [{ theirs: line.at, ours: our.at }]
  })
}

/** Lines that are left and say by click alone what another line has said: of its conversion, or of none. */
function nameDuplicates({ ofLine, ofOur, duplicates, ambiguous }: Pairing, theirs: readonly TheirLine[], { click }: Indexes): void {
  const first = new Map<string, TheirLine>()
  for (const line of theirs) {
    if (line.clickId === '' || ofLine.has(line) || duplicates.has(line) || ambiguous.has(line)) continue
    const taker = (click.get(line.clickId.toLowerCase()) ?? [])
      .filter((our) => fits(line, our))
      .map((our) => ofOur.get(our))
      .find((other) => other !== undefined && (line.transactionId === '' || other.transactionId === ''))
    const key = `${line.offerId}:${line.goalId}:${line.clickId.toLowerCase()}`
    const earlier = taker ?? (line.transactionId === '' ? first.get(key) : undefined)
    if (earlier !== undefined) duplicates.set(line, earlier)
    else if (line.transactionId === '') first.set(key, line)
  }
}

/**
 * Conversions the report says nothing of, of whose click and goal there is another: one it has, else the first. Where a goal may come again,
 * two of different transactions are two results: one a report left out is only that.
 */
function twinsOf(ours: readonly OurConversion[], { ofOur }: Pairing): Map<OurConversion, OurConversion> {
  const twins = new Map<OurConversion, OurConversion>()
  const live = ours.filter((our) => ofOur.has(our) || !(our.test || isLost(our.status)))
  for (const its of Map.groupBy(live, (our) => `${our.goalId}:${our.clickId}`).values()) {
    if (its.length < 2) continue
    const kept = its.find((our) => ofOur.has(our)) ?? its[0]
    if (kept === undefined) continue
    const isAnother = (our: OurConversion) => our.repeatable && our.transactionId !== '' && kept.transactionId !== ''
    for (const our of its) if (our !== kept && !ofOur.has(our) && !isAnother(our)) twins.set(our, kept)
  }
  return twins
}

/**
 * The last call about a transaction; where one of the two names none, about a click. One of a goal we do not have is of another result
 * of its click, unless it names the transaction.
 */
function callsOf(calls: readonly RefusedCall[]): CallsOf {
  const ofTransaction = new Map<string, RefusedCall>()
  const [ofLines, ofOurs] = [clickMaps(), clickMaps()]
  for (const call of calls.toSorted((a, b) => a.at - b.at)) {
    const [transaction, click] = [call.transactionId.toLowerCase(), call.clickId.toLowerCase()]
    if (transaction !== '') ofTransaction.set(transaction, call)
    if (click === '') continue
    for (const { all, alone } of call.reason === 'goal_unknown' ? [ofLines] : [ofLines, ofOurs]) {
      all.set(click, call)
      if (transaction === '') alone.set(click, call)
    }
  }
  return ({ transactionId, clickId, isOurs = false }) => {
    const { all, alone } = isOurs ? ofOurs : ofLines
    return transactionId === ''
      ? all.get(clickId.toLowerCase())
      : (ofTransaction.get(transactionId.toLowerCase()) ?? alone.get(clickId.toLowerCase()))
  }
}

function clickMaps() {
  return { all: new Map<string, RefusedCall>(), alone: new Map<string, RefusedCall>() }
}

function byTime(a: OurConversion, b: OurConversion): number {
  return a.at - b.at || (a.id < b.id ? -1 : 1)
}
