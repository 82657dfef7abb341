import { loadClickKeys, type StoredClick } from '../../click/click.queries.ts'
import { applyReports, lacksTransaction } from '../../conversion/apply-report.service.ts'
import { findConversions } from '../../conversion/conversion-row.queries.ts'
import { isRepeat } from '../../conversion/plan-report.service.ts'
import { loadTerms, type OfferTerms } from '../../conversion/terms.queries.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { POSTBACK_PATH } from '#server/rules/conversion/postback-hand-over.ts'
import { authorize, tokensOf } from './authorize.service.ts'
import {
  boundLocks,
  clicksThatWait,
  getIncomingSettings,
  lockLines,
  storeAllIncoming,
  type IncomingRow,
  type PostbackAnswer,
} from './incoming.queries.ts'
import { identify, interpret, type TermsOf } from './interpret.service.ts'
import type { Identified, Interpreted } from './interpreted.ts'
import { orderChangedAt } from './parse.service.ts'
import { answered, clickFor, keptRow, knownRow, LONGEST_WAIT, notePreset, type HandedOver, type ReceiveParts } from './receive.service.ts'
import { tellsOrders } from './shop.service.ts'
import { speak } from './speak.service.ts'

/** One whose sender and meaning are clear: what is left is to apply it. */
type Ready = { index: number; row: IncomingRow; identified: Identified; interpreted: Interpreted; preset: string }
type WithClick = Ready & { click: StoredClick | null }

/**
 * Takes many postbacks of different clicks and transactions with one transaction and a statement per table: what each says and
 * comes to is what `receiveParsed` would make of it alone. Answers those it has taken; all that is not plain news, such as
 * what is refused, repeated, waits for its click or names no goal, is left for that. Throws where any of them fails: then none is taken.
 */
export async function receiveTogether(parts: ReceiveParts, handed: readonly HandedOver[]): Promise<(PostbackAnswer | undefined)[]> {
  const { db, clock } = parts
  const plain = await plainNews(parts, handed)
  const answers: (PostbackAnswer | undefined)[] = handed.map(() => undefined)
  if (plain.length < 2) return answers
  const now = clock.now()
  const clickIds = plain.map(({ interpreted }) => interpreted.of.clickId)
  const taken = await db.transaction().execute(async (trx) => {
    await boundLocks(trx)
    await lockLines(trx, clickIds)
    const waiting = await clicksThatWait(trx, clickIds, now - LONGEST_WAIT)
    const free = plain.filter(({ interpreted }) => !waiting.has(interpreted.of.clickId))
    const asked = free.map(({ interpreted: { of, report }, click, row }) => ({
      of,
      click: click === null ? null : { ...click, id: of.clickId },
      report,
      at: row.receivedAt,
    }))
    const applied = await applyReports(trx, asked, { at: now, now, origin: 'postback', actorId: null })
    const done = []
    for (const [place, { outcome }] of applied.entries()) {
      const one = free[place]
      if (one !== undefined) done.push({ ...one, result: await answered(trx, outcome, one.interpreted.fields) })
    }
    await storeAllIncoming(trx, done)
    return done
  })
  for (const { index, result, preset } of taken) {
    answers[index] = result.answer
    if (result.conversionId !== null) await notePreset(parts, preset)
  }
  return answers
}

/** Those that are allowed and understood, say something new of a conversion or have a click to make one of. */
async function plainNews(parts: ReceiveParts, handed: readonly HandedOver[]): Promise<WithClick[]> {
  const { db } = parts
  const termsOf = parts.terms ?? termsTogether(db)
  const read = await Promise.all(handed.map((one, index) => prepare(parts, termsOf, one, index)))
  const ready = read.flatMap((one) => one ?? [])
  const conversions = await findConversions(
    db,
    ready.map(({ interpreted }) => interpreted.of),
    false,
  )
  const withClicks = ready.map(async (one, place): Promise<WithClick[]> => {
    const conversion = conversions[place]?.conversion
    const { of, report } = one.interpreted
    if (conversion !== undefined)
      return report.statusNamed === false || orderChangedAt(one.interpreted.fields) !== '' || isRepeat(conversion, of, report)
        ? []
        : [{ ...one, click: null }]
    const click = await clickFor(parts, one.identified)
    return click === null || click.test || click.reason !== '' ? [] : [{ ...one, click }]
  })
  return (await Promise.all(withClicks)).flat()
}

async function prepare(parts: ReceiveParts, termsOf: TermsOf, handed: HandedOver, index: number): Promise<Ready | null> {
  const { db, clock } = parts
  const { received } = handed
  const [keys, settings] = await Promise.all([
    parts.keys?.() ?? loadClickKeys(db, clock.now()),
    parts.settings?.() ?? getIncomingSettings(db),
  ])
  const spoken = await speak(received, handed.parsed, { keys, termsOf })
  if (spoken === null ? received.path !== POSTBACK_PATH : 'calls' in spoken) return null
  const parsed = spoken !== null && 'parsed' in spoken ? spoken.parsed : handed.parsed
  if (parsed.refusal !== null) return null
  const identified = await identify(db, keys, parsed.fields, termsOf)
  if ('refusal' in identified || authorize(received, parsed, identified.terms, settings, parts.openSecret) !== null) return null
  const interpreted = await interpret(db, identified, parsed.fields, settings)
  if (
    'refusal' in interpreted ||
    interpreted.underLocks !== undefined ||
    parsed.fields.order !== undefined ||
    // a later state, or a refund, may have come before it
    tellsOrders(identified.terms) ||
    lacksTransaction(interpreted.of)
  )
    return null
  const row = knownRow(keptRow(received, parsed, spoken?.version ?? null), identified, tokensOf(identified.terms, settings), null)
  return { index, row, identified, interpreted, preset: spoken?.dialect.preset ?? '' }
}

/** Terms by offer, each asked for once; what is asked in one turn of the event loop is one statement. */
function termsTogether(db: Db): TermsOf {
  const asked = new Map<number, Promise<OfferTerms | undefined>>()
  let next: { ids: number[]; terms: Promise<Map<number, OfferTerms>> } | null = null
  const ask = (): { ids: number[]; terms: Promise<Map<number, OfferTerms>> } => {
    const ids: number[] = []
    const terms = new Promise<void>((turn) => setImmediate(turn)).then(() => {
      next = null
      return loadTerms(db, ids)
    })
    return { ids, terms }
  }
  return (offerId) => {
    const known = asked.get(offerId)
    if (known !== undefined) return known
    next ??= ask()
    next.ids.push(offerId)
    const terms = next.terms.then((found) => found.get(offerId))
    asked.set(offerId, terms)
    return terms
  }
}
