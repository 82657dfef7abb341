import { setImmediate as breathe } from 'node:timers/promises'
import { fromUnits, multiplied, scaleOf, toUnits, type Currency } from '#contract/money/amount.ts'
import type { ReconciliationProposal } from '#contract/money/reconciliation-cause.ts'
import type { ReconciliationAction } from '#contract/money/reconciliation.ts'
import type { ReportReading } from '#contract/money/report-reading.ts'
import { listCurrencies } from '#server/features/money/currency/currency.queries.ts'
import { ratesOn } from '#server/features/money/currency/rate.queries.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { findClicks, keyOf, loadClickKeys } from '#server/features/traffic/click/click.queries.ts'
import { loadTerms } from '#server/features/traffic/conversion/terms.queries.ts'
import { getIncomingSettings } from '#server/features/traffic/postback/incoming/incoming.queries.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { readClickId, type ClickIdParts } from '#server/rules/click/click-id.ts'
import { hasIt } from '#server/rules/lead/states.ts'
import { matchReport } from './match/match-report.ts'
import type { MatchedRow, OurConversion, TheirLine } from './match/sides.ts'
import {
  decidedBy,
  leadsOf,
  MOST_OF_OURS,
  offersAndGoals,
  oursNamed,
  oursOfPeriod,
  refusedCalls,
  wordsOfAdvertiser,
  type Whose,
} from './our-side.queries.ts'
import { planRows } from './plan.service.ts'
import { openMeanings, readLines, type FileLine, type LineRead, type Names } from './read-lines.ts'
import { linesAfter, lockMatching, updateBatch, whoseOf, type WorkingBatch } from './reconciliation.queries.ts'
import { storeMatched, type MatchedColumns } from './row.queries.ts'
import type { Seen } from '#server/rules/reconciliation-row.ts'

type Parts = { db: Db; clickhouse: Clickhouse }

const DAY = 86_400_000
const CHUNK = 5_000
const MOST_CALLS = 200_000
const TOO_MANY = `We have more than ${MOST_OF_OURS.toLocaleString('en')} conversions there: choose a shorter period.`

/** Holds a report against what we have in its period, and keeps what each line comes to. */
export async function matchBatch({ db, clickhouse }: Parts, now: number, batch: WorkingBatch): Promise<void> {
  const since = batch.matching_at
  if (since === null || batch.from_day === null || batch.to_day === null) return
  const of = whoseOf(batch)
  const period = momentsOf(batch.from_day, batch.to_day, batch.time_zone)
  const read = await readAll(db, batch)
  const about = read.filter(({ skip }) => !skip)
  const theirs = about.map((one) => one.theirs)
  const ours = await oursOf(db, of, period, theirs)
  if (ours === null) {
    await db.transaction().execute(async (trx) => {
      if (await lockMatching(trx, batch.id, since)) await updateBatch(trx, batch.id, { matching_at: null, problem: TOO_MANY })
    })
    return
  }
  await nameClicks({ db, clickhouse }, now, of, about, ours)
  const unknown = theirs.filter(({ click }) => click !== '').map(({ clickId }) => clickId)
  const calls =
    'advertiserId' in of
      ? await refusedCalls(db, of.advertiserId, {
          from: period.from - 2 * DAY,
          to: period.to + 32 * DAY,
          clicks: unknown,
          most: MOST_CALLS,
        })
      : []
  const sides = await sidesOf(db, batch.reading, ours, of)
  const { convert, decimals } = await openRates(db, batch.to_day)
  const settings = { period, offset: batch.clock_offset, minutes: batch.reading.minutes, decimals, convert }
  const { zone, rows } = matchReport(
    theirs,
    sides,
    calls.map(({ at, click_id, transaction_id, reason }) => ({ at, clickId: click_id, transactionId: transaction_id, reason })),
    settings,
  )
  await breathe()
  const isOurs = 'advertiserId' in of
  const theirsOf = new Map(theirs.map((one) => [one.line, one]))
  const sideOf = new Map(sides.map((one) => [one.id, one]))
  const oursById = new Map(ours.map((one) => [one.id, one]))
  const last = read.at(-1)?.line ?? 1
  let place = last
  const stored = rows.map((row): MatchedColumns => {
    const mine = oursById.get(row.conversionId ?? '')
    const line = row.line ?? ++place
    const said = theirsOf.get(row.line ?? 0) ?? null
    return columnsOf(row, line, said, mine, sideOf.get(row.conversionId ?? ''), isOurs)
  })
  const matched = new Set(stored.map(({ line }) => line))
  // lines that are not about conversions say so by having nothing
  const rest = read.filter(({ line }) => !matched.has(line)).map(({ line, theirs: said }) => ({ ...BLANK, line, theirs: said }))
  const planned = isOurs ? await withPlans({ db, clickhouse }, now, { ...batch, zone }, stored) : stored
  const remembered = batch.zone_confirmed && (batch.clock_offset === null || batch.clock_offset === zone.offset || zone.offset === null)
  await db.transaction().execute(async (trx) => {
    if ((await lockMatching(trx, batch.id, since)) === undefined) return
    await storeMatched(
      trx,
      batch.id,
      [...planned.filter(({ line }) => line <= last), ...rest],
      planned.filter(({ line }) => line > last),
    )
    await updateBatch(trx, batch.id, {
      state: 'matched',
      matching_at: null,
      problem: '',
      matched_at: new Date(now),
      zone: JSON.stringify(zone),
      // without times there is nothing to confirm
      zone_confirmed: remembered || theirs.every(({ at }) => at === null),
    })
  })
}

const BLANK: Omit<MatchedColumns, 'line' | 'theirs'> = {
  conversion_id: null,
  key: null,
  cause: null,
  detail: '',
  proposal: 'none',
  action: 'none',
  becomes_correction: false,
  proposed: null,
  seen: null,
  becomes: null,
  offer_id: null,
  affiliate_id: null,
  currency: null,
  payout: '0',
  revenue: '0',
  their_amount: null,
  our_amount: null,
  state: 'open',
  reason: '',
}

/** Days of a zone as moments, `to` exclusive. */
export function momentsOf(from: string, to: string, zone: string): { from: number; to: number } {
  const start = (day: Temporal.PlainDate) => day.toZonedDateTime(zone).epochMilliseconds
  return { from: start(Temporal.PlainDate.from(from)), to: start(Temporal.PlainDate.from(to).add({ days: 1 })) }
}

/** Reads all lines of a file as it is to be read. */
export async function readAll(
  db: Db,
  batch: Pick<WorkingBatch, 'id' | 'reading' | 'format' | 'advertiser_id' | 'affiliate_id'>,
): Promise<LineRead[]> {
  const of = whoseOf(batch)
  const [names, meaningOf] = await Promise.all([namesOf(db, of, batch.reading), meaningsOf(db, of, batch.reading)])
  const read: LineRead[] = []
  for (let line = 0; ; await breathe()) {
    const rows: FileLine[] = await linesAfter(db, batch.id, line, CHUNK)
    if (rows.length === 0) return read
    read.push(...readLines(rows, batch.reading, names, meaningOf, batch.format === 'xlsx'))
    line = rows.at(-1)?.line ?? line
  }
}

/** What words of statuses mean in the reports of somebody. */
export async function meaningsOf(db: Db, of: Whose, reading: Pick<ReportReading, 'words'>) {
  const words = 'advertiserId' in of ? await wordsOfAdvertiser(db, of.advertiserId) : []
  const { statuses } = await getIncomingSettings(db)
  return openMeanings(reading, words, statuses)
}

/** What a report of somebody may name, and the goals a word of it can be said to mean. */
export async function namesOf(
  db: Db,
  of: Whose,
  reading: Pick<ReportReading, 'goals'>,
): Promise<Names & { called: { code: string; title: string }[] }> {
  const rows = await offersAndGoals(db, of)
  const words = 'advertiserId' in of ? await wordsOfAdvertiser(db, of.advertiserId) : []
  const offers = new Map<string, number>()
  for (const row of rows)
    for (const name of [String(row.offer_id), row.offer_uuid, row.offer.trim().toLowerCase()]) offers.set(name, row.offer_id)
  const goals = new Map<string, { id: number; offerId: number; code: string }[]>()
  const call = (name: string, { id, offer_id, code }: (typeof rows)[number]) => {
    const named = goals.get(name.toLowerCase()) ?? []
    if (!named.some((goal) => goal.id === id)) goals.set(name.toLowerCase(), [...named, { id, offerId: offer_id, code }])
  }
  const ofCode = Map.groupBy(rows, ({ code }) => code)
  for (const row of rows) for (const name of [row.code, row.title]) call(name, row)
  for (const { word, goal } of words) for (const row of ofCode.get(goal ?? '') ?? []) call(word, row)
  // what whoever reads the report says of a word holds alone
  for (const { word } of reading.goals) goals.delete(word.toLowerCase())
  for (const { word, goal } of reading.goals) for (const row of ofCode.get(goal) ?? []) call(word, row)
  const currencies = new Set((await listCurrencies(db)).map(({ code }) => code))
  return { offers, goals, currencies, called: [...ofCode].map(([code, [first]]) => ({ code, title: first?.title ?? code })) }
}

/** What we have: of the period and a day around it, and whatever the report names; null where that is more than can be held. */
async function oursOf(db: Db, of: Whose, period: { from: number; to: number }, theirs: readonly TheirLine[]) {
  const own = await oursOfPeriod(db, of, period.from - DAY, period.to + DAY)
  if (own.length > MOST_OF_OURS) return null
  const have = {
    transactions: new Set(own.map((row) => (row.transaction_id ?? '').toLowerCase())),
    clicks: new Set(own.map((row) => row.click_id)),
    subs: new Set(own.map((row) => row.aff_click_id)),
  }
  const ids = new Set(own.map(({ id }) => id))
  // what the period has already is not looked for again
  const left = theirs.filter(
    ({ transactionId, clickId, subId }) =>
      !have.transactions.has(transactionId.toLowerCase() || '-') && !have.clicks.has(clickId || '-') && !have.subs.has(subId || '-'),
  )
  for (let from = 0; from < left.length; from += CHUNK) {
    const some = left.slice(from, from + CHUNK)
    const named = await oursNamed(db, of, {
      transactions: some.flatMap(({ transactionId }) => transactionId || []),
      clicks: some.flatMap(({ clickId }) => clickId || []),
      subs: some.flatMap(({ subId }) => subId || []),
    })
    for (const row of named)
      if (!ids.has(row.id)) {
        ids.add(row.id)
        own.push(row)
      }
  }
  return own
}
type Ours = NonNullable<Awaited<ReturnType<typeof oursOf>>>

/** Says of lines whose click has no conversion whether the click is known, or which lead it has, and what their words for a goal mean in its offer. */
async function nameClicks({ db, clickhouse }: Parts, now: number, of: Whose, about: readonly LineRead[], ours: Ours): Promise<void> {
  const converted = new Set(ours.map(({ click_id }) => click_id))
  const keys = await loadClickKeys(db, now)
  const asked: { line: TheirLine; parts: ClickIdParts }[] = []
  for (const { theirs: line, goals } of about) {
    if (line.clickId === '' || converted.has(line.clickId)) continue
    const parts = readClickId(line.clickId, keys)
    if (parts === null) line.click = 'unknown'
    else {
      asked.push({ line, parts })
      nameGoal(line, goals, parts.offerId)
    }
  }
  const mine = await offersOf(db, of, [...new Set(asked.map(({ parts }) => parts.offerId))])
  for (let from = 0; from < asked.length; from += 500) {
    const some = asked.slice(from, from + 500)
    const clicks = await findClicks(
      clickhouse,
      some.map(({ parts }) => parts),
    )
    // what came of a click of an API offer its lead says, at whoever was sent it
    const leads =
      'advertiserId' in of
        ? await leadsOf(
            db,
            of.advertiserId,
            some.map(({ line }) => line.clickId),
          )
        : NO_LEADS
    for (const { line, parts } of some) {
      const click = clicks.get(keyOf(parts))
      const lead = leads.get(line.clickId)
      const isMine = 'affiliateId' in of ? parts.affiliateId === of.affiliateId : mine.has(parts.offerId)
      line.click = !click || !isMine ? 'unknown' : click.test ? 'test' : click.reason === '' ? 'known' : 'refused'
      if (line.click !== 'unknown' || lead === undefined) continue
      if (lead.test) line.click = 'test'
      else line.lead = { id: lead.id, stands: lead.status === null ? 'not_sent' : hasIt(lead.status) ? 'open' : 'not_taken' }
    }
  }
}

/** Which goal a line is about whose click is of an offer: never another one than its words say, of never another offer. */
function nameGoal(line: TheirLine, goals: LineRead['goals'], offerId: number): void {
  const isOther = line.offerId !== null && line.offerId !== offerId
  const ofOffer = goals.filter((goal) => goal.offerId === offerId)
  line.goalUnknown ||= isOther || (goals.length > 0 && ofOffer.length !== 1)
  if (ofOffer.length === 1 && !isOther) line.goalId = ofOffer[0]?.id ?? null
}

const NO_LEADS: Awaited<ReturnType<typeof leadsOf>> = new Map()

async function offersOf(db: Db, of: Whose, offerIds: readonly number[]): Promise<Set<number>> {
  if (offerIds.length === 0 || 'affiliateId' in of) return new Set(offerIds)
  const terms = await loadTerms(db, offerIds)
  return new Set([...terms.values()].filter((one) => one.advertiser_id === of.advertiserId).map(({ id }) => id))
}

async function sidesOf(db: Db, reading: ReportReading, ours: Ours, of: Whose): Promise<OurConversion[]> {
  const origins = await decidedBy(
    db,
    ours.filter(({ status }) => status === 'declined' || status === 'trash').map(({ id }) => id),
  )
  return ours.map((row) => ({
    id: row.id,
    at: row.at,
    clickAt: row.click_at,
    transactionId: row.transaction_id ?? '',
    clickId: row.click_id,
    subId: row.aff_click_id,
    offerId: row.offer_id,
    goalId: row.goal_id,
    repeatable: row.repeatable,
    status: row.status,
    reason: row.reason,
    amount: comparedOf(row, reading, of),
    currency: row.currency,
    invoiced: row.invoiced,
    test: row.test,
    decidedBy: origins.get(row.id) ?? 'postback',
  }))
}

/** An affiliate's tracker knows payouts; an advertiser tells what it owes us, or the sale. */
function comparedOf(row: Ours[number], { amounts }: ReportReading, of: Whose): string {
  if ('affiliateId' in of) return row.payout
  return amounts === 'sale' ? (row.amount ?? '0') : row.revenue
}

async function openRates(db: Db, day: string) {
  const { base_currency } = await getGeneralSettings(db)
  const [rates, currencies] = await Promise.all([ratesOn(db, base_currency, day), listCurrencies(db)])
  const decimals = new Map<Currency, number>(currencies.map((one) => [one.code, one.decimals]))
  const convert = (amount: string, from: Currency, to: Currency): string | null => {
    const [fromRate, toRate] = [rates.get(from), rates.get(to)]
    if (fromRate === undefined || toRate === undefined) return null
    return multiplied(amount, toUnits(fromRate.rate), toUnits(toRate.rate), scaleOf(decimals.get(to) ?? 2))
  }
  return { decimals, convert }
}

/** What is done about a row where nobody says otherwise. */
export function actionOf(proposal: ReconciliationProposal): ReconciliationAction {
  return proposal === 'ask' ? 'none' : proposal
}

function columnsOf(
  row: MatchedRow,
  line: number,
  theirs: TheirLine | null,
  ours: Ours[number] | undefined,
  side: OurConversion | undefined,
  isOurs: boolean,
): MatchedColumns {
  const seen: Seen | null =
    ours === undefined ? null : { status: ours.status, payout: ours.payout, revenue: ours.revenue, amount: ours.amount }
  const proposal = isOurs ? row.proposal : 'none'
  return {
    ...BLANK,
    line,
    theirs,
    conversion_id: row.conversionId,
    key: row.key,
    cause: row.cause,
    detail: row.detail.slice(0, 500),
    proposal,
    // what agrees is left alone
    action: row.cause === null ? 'none' : actionOf(proposal),
    becomes_correction: row.becomesCorrection,
    proposed: { status: row.status, amount: row.amount },
    seen,
    offer_id: ours?.offer_id ?? theirs?.offerId ?? null,
    affiliate_id: ours?.affiliate_id ?? null,
    currency: ours?.currency ?? theirs?.currency ?? null,
    their_amount: theirs === null || theirs.status === 'declined' ? null : theirs.amount,
    our_amount: side === undefined || side.status === 'declined' || side.status === 'trash' ? null : fromUnits(toUnits(side.amount)),
  }
}

/** Says of each row something is to be done about by how much money it changes; one of which that cannot be done is left to people. */
async function withPlans(
  parts: Parts,
  now: number,
  batch: Parameters<typeof planRows>[2],
  rows: MatchedColumns[],
): Promise<MatchedColumns[]> {
  const planned = new Map<number, Partial<MatchedColumns>>()
  const acting = rows.filter(({ action }) => action !== 'none')
  for (let from = 0; from < acting.length; from += CHUNK) {
    for (const plan of await planRows(parts, now, batch, acting.slice(from, from + CHUNK))) planned.set(plan.line, plan)
    await breathe()
  }
  return rows.map((row) => ({ ...row, ...planned.get(row.line) }))
}
