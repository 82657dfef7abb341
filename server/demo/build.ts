import { setImmediate } from 'node:timers/promises'
import { sendOutbox } from '#server/features/traffic/fact/outbox.service.ts'
import type { ConversionDraft } from '#server/features/traffic/conversion/change.ts'
import { createConversions } from '#server/features/traffic/conversion/draft.service.ts'
import { loadTerms } from '#server/features/traffic/conversion/terms.queries.ts'
import { readSnapshotAffiliates, readSnapshotOffers } from '#server/features/traffic/snapshot/snapshot-read.queries.ts'
import { ensureTrackingKeys } from '#server/features/traffic/snapshot/tracking-key.queries.ts'
import { insertTextOnce, LARGEST_BLOCK } from '#server/platform/clickhouse/insert-once.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { FileStore } from '#server/platform/files/store.ts'
import { inOneTransaction, type Db } from '#server/platform/pg/database.ts'
import { encodeClick } from '#server/rules/click/click.ts'
import { CLICK_COLUMNS, CLICK_FLAG, type DecidedClick } from '#server/rules/click/click-row.ts'
import { mintClickId, readClickIdKeys, type ClickIdKeys } from '#server/rules/click/click-id.ts'
import { periodOf } from '#server/rules/zone-day.ts'
import { fillCaps } from './caps.ts'
import { OFFERS } from './catalogue.ts'
import { OFFER_ZONE, scaled, type DemoOffer } from './catalogue/plan.ts'
import { makeOwnPostbacks, settleDeliveries } from './deliveries.ts'
import { makeDomains } from './domains.ts'
import { makePayouts } from './money/payouts.ts'
import { makeLeads } from './leads/leads.ts'
import { makeLeadLists, teamLeadOf } from './leads/lists.ts'
import { makeMail } from './mail.ts'
import { storeReported } from './reported.ts'
import { makeNews } from './news.ts'
import { makeRecords } from './records.ts'
import { makeReceivables } from './money/receivables.ts'
import { makeReports } from './money/reports.ts'
import { makeSignIns } from './sign-ins.ts'
import { makeTickets } from './tickets/make.ts'
import { makeViews } from './views.ts'
import { makePostbacks, type SpareClicks } from './postbacks.ts'
import { seededRandom } from './random.ts'
import { drawResults, type DemoTerms } from './results.ts'
import { DEMO_TITLE, ENDED_DAYS, makeNetwork, PASSWORD, type DemoLogin, type DemoNetwork } from './network.ts'
import { AFFILIATES } from './people.ts'
import { makeTraffic, type DemoSource } from './traffic.ts'

/** The days of traffic, and about how many clicks they hold. */
const HOUR = 3_600_000
const DAY = 24 * HOUR
const DAYS = 30
const CLICKS = 60_000
/** A lead to so many clicks. */
const CLICKS_A_LEAD = 50
/** The clicks the caps of the catalogue are meant for. */
const CAPPED_AT = 300_000
/** So many rows an insert. */
const BLOCK = LARGEST_BLOCK.rows / 2

export type DemoParts = {
  /** Migrated and empty. */
  db: Db
  clickhouse: Clickhouse
  /** Where its pictures are kept. */
  store: FileStore
  /** The end of the traffic, in ms. */
  now: number
  /** The key of the instance, by which payment methods are sealed; without it there are none. */
  secretKey?: string | null
  seed?: number
  clicks?: number
}

/**
 * Fills an empty instance with a network that looks alive, through the product's own functions: people and offers by
 * their services, clicks by the product's rows and inserts, conversions with history, ledger and facts. The same seed
 * and moment give the same network. Answers one login per role.
 */
export async function buildDemo({
  db,
  clickhouse,
  store,
  now,
  secretKey = null,
  seed = 20_26,
  clicks = CLICKS,
}: DemoParts): Promise<DemoLogin[]> {
  const random = seededRandom(seed)
  const from = now - DAYS * DAY
  const network = await inOneTransaction(db, (whole) =>
    makeNetwork({ db: whole, store }, { at: from - 60 * DAY, now, scale: clicks / CAPPED_AT }),
  )
  const plans = new Map([...network.offers].flatMap(([id, place]) => (OFFERS[place] ? [[id, OFFERS[place]] as const] : [])))
  const terms: DemoTerms = {
    terms: await loadTerms(db, [...network.offers.keys()]),
    plans,
    idKeys: readClickIdKeys(await ensureTrackingKeys(db, now)),
  }
  const source = await readSource(db, network, now)
  const caps = openDayCaps(plans, clicks / CAPPED_AT)
  await makeOwnPostbacks(db, from, network.affiliates)
  const insert = blockInserter(clickhouse, seed)
  const spare = spareClicks(now)
  const conversions = conversionWriter(db, terms.terms, now)
  if (secretKey !== null) {
    // drawn by chance of their own: the clicks are the same without them
    const own = { secretKey, idKeys: terms.idKeys, random: seededRandom(seed + 12), count: Math.round(clicks / CLICKS_A_LEAD) }
    const { admin, affiliates } = network
    conversions.add(await inOneTransaction(db, (whole) => makeLeads(whole, own, { admin, affiliates, from, now })))
    await inOneTransaction(db, async (whole) => makeLeadLists(whole, { secretKey, now }, { admin, leadAccountId: await teamLeadOf(whole) }))
  }
  let made = 0
  for (const { made: click, counted } of makeTraffic(random, { ...source, fullUntil: caps.fullUntil }, { from, to: now, count: clicks })) {
    await insert.add(encodeClick(click))
    if (counted) {
      const results = drawResults(random, terms, click, now)
      caps.take(results)
      conversions.add(results)
      if (results.length === 0) spare.unconverted(click)
    } else if (click.reason !== '') spare.refused(click)
    // what came before this click is all known: the databases work on it while the next clicks are made
    if (++made % 500 === 0) await conversions.writeUntil(click.click.at)
  }
  for (const click of spare.tests()) await insert.add(encodeClick(click))
  await Promise.all([insert.finish(), conversions.writeUntil(now).then(conversions.finish)])
  await makePostbacks({ db, clickhouse, random, now }, { ...terms, spare: spare.clicks })
  await inOneTransaction(db, (whole) => fillCaps(whole, now, network.admin, plans))
  await settleDeliveries(db, random, now)
  // last, for they let affiliates into offers, and the traffic is that of before
  await inOneTransaction(db, (whole) => makeTickets({ db: whole, store }, now, network.people))
  const emails = network.logins.map(({ email }) => email)
  await makeViews(db, now, emails)
  await inOneTransaction(db, (whole) => makeSignIns(whole, random, now, emails))
  await makeMail(db, now, DEMO_TITLE)
  await makeNews({ db, store }, now, network.admin)
  await makeDomains(db, now, network.admin, network.affiliates[0] ?? 0)
  await makeRecords({ db, clickhouse, secretKey }, now, network.people)
  const { people, sources } = network
  await makeReports({ db, clickhouse }, now, people, { ...spare.clicks, idOf: (click) => clickIdOf(click, terms.idKeys) })
  await inOneTransaction(db, (whole) => makeReceivables(whole, now, people, sources))
  if (secretKey !== null)
    await makePayouts({ db, store, secretKey, password: PASSWORD, people, affiliates: network.affiliates, sources }, now)
  await sendOutbox(db, clickhouse)
  return network.logins
}

function clickIdOf({ click, offer, affiliate }: DecidedClick, keys: ClickIdKeys): string {
  return mintClickId({ at: click.at, offerId: offer, affiliateId: affiliate, random: click.random }, keys)
}

/** What clicks are decided by. What ended lately ran until then. */
async function readSource(db: Db, network: DemoNetwork, now: number): Promise<Omit<DemoSource, 'fullUntil'>> {
  const offers = await readSnapshotOffers(db, now, 'all')
  const affiliates = await readSnapshotAffiliates(db, 'all')
  const rank = new Map(network.affiliates.map((id, place) => [id, place]))
  const daysAgo = (days: number | null) => (days === null ? null : now - days * DAY)
  return {
    offers: offers.flatMap((offer) => {
      const plan = OFFERS[network.offers.get(offer.id) ?? -1]
      return plan === undefined ? [] : [{ offer, ...plan, ended: daysAgo(offer.advertiser_active ? plan.ended : ENDED_DAYS) }]
    }),
    affiliates: affiliates
      .toSorted((a, b) => (rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0))
      .map((affiliate) => {
        const status = AFFILIATES[rank.get(affiliate.id) ?? 0]?.status
        return { ...affiliate, ended: status === 'inactive' || status === 'banned' ? now - ENDED_DAYS * DAY : null }
      }),
  }
}

/** When the caps of offers that send clicks away are full: those of a day, as trackers hear of them. */
function openDayCaps(plans: ReadonlyMap<number, DemoOffer>, scale: number) {
  const limits = new Map<number, number>()
  for (const [id, { caps, over_cap_action }] of plans) {
    const cap = caps.find(({ period, scope, filled }) => period === 'day' && scope === 'offer' && filled === undefined)
    if (over_cap_action === 'trafficback' && cap) limits.set(id, Number(scaled(cap.limit, scale)))
  }
  const taken = new Map<string, number>()
  const closed = new Map<number, { from: number; until: number }>()
  return {
    take(drafts: readonly ConversionDraft[]) {
      for (const { offer_id, created_at, within_cap } of drafts) {
        const limit = limits.get(offer_id)
        if (limit === undefined || !within_cap) continue
        const { starts, ends } = periodOf('day', created_at.getTime(), OFFER_ZONE)
        const name = `${offer_id} ${starts}`
        const used = (taken.get(name) ?? 0) + 1
        taken.set(name, used)
        if (used === limit) closed.set(offer_id, { from: created_at.getTime(), until: ends })
      }
    },
    fullUntil(offer: number, at: number): number {
      const span = closed.get(offer)
      return span !== undefined && at >= span.from ? span.until : 0
    },
  }
}

/** Keeps a few clicks that postbacks can be about: of each offer some of the last ones of each day, and of those refused. */
function spareClicks(now: number) {
  const clicks: SpareClicks = { unconverted: [], refused: [], test: [] }
  const kept = new Set<string>()
  return {
    clicks,
    unconverted(click: DecidedClick) {
      const name = `${click.offer} ${Math.floor((now - click.click.at) / DAY)} ${click.click.at & 1}`
      if (kept.has(name)) return
      kept.add(name)
      clicks.unconverted.push(click)
    },
    refused(click: DecidedClick) {
      if (clicks.refused.length < 40 && now - click.click.at < 3 * DAY) clicks.refused.push(click)
    },
    /** What somebody tried lately by a test link. */
    tests(): DecidedClick[] {
      clicks.test = clicks.unconverted.slice(-8).map((one) => {
        const at = now - 4 * HOUR - (one.click.at % HOUR)
        return { ...one, click: { ...one.click, at, random: (one.click.random ^ 0x0ff0) >>> 0 }, flags: CLICK_FLAG.test }
      })
      return clicks.test
    },
  }
}

/** For so long the log holds what advertisers sent. */
const LOGGED_DAYS = 7
/** So many conversions a transaction. */
const BATCH = 400

/** Writes conversions in order of time, behind the clicks that lead to them. */
function conversionWriter(db: Db, terms: DemoTerms['terms'], now: number) {
  let waiting: ConversionDraft[] = []
  let running: Promise<unknown> = Promise.resolve()
  const write = (drafts: readonly ConversionDraft[]) => {
    running = running.then(() =>
      db.transaction().execute(async (trx) => {
        const made = await createConversions(trx, drafts, now)
        const logged = made.filter(({ after }) => after.created_at.getTime() > now - LOGGED_DAYS * DAY)
        await storeReported(trx, terms, logged)
      }),
    )
    running.catch(() => {}) // whoever waits for it next is told
  }
  return {
    add(drafts: readonly ConversionDraft[]) {
      waiting.push(...drafts)
    },
    /** Writes what was received before a moment, once it is enough; after `now` nothing more comes. */
    async writeUntil(moment: number) {
      const ready = waiting.filter((draft) => draft.created_at.getTime() < moment)
      if (ready.length >= BATCH || moment === now) {
        waiting = waiting.filter((draft) => draft.created_at.getTime() >= moment)
        ready.sort((one, other) => one.created_at.getTime() - other.created_at.getTime())
        for (let start = 0; start < ready.length; start += BATCH) write(ready.slice(start, start + BATCH))
      }
      // the answers of the database are heard
      await setImmediate()
    },
    finish: () => running,
  }
}

/** Room for a block of rows, whose lines are about 400 bytes. */
const BLOCK_BYTES = BLOCK * 600

/**
 * Collects rows and inserts them block by block while the next ones are made; `add` waits where it has to be waited for.
 * Lines are written as bytes at once: as text, a block of them would outlive the collector's young generation.
 */
function blockInserter(clickhouse: Clickhouse, seed: number) {
  let block = Buffer.allocUnsafe(BLOCK_BYTES)
  let bytes = 0
  let rows = 0
  let number = 0
  let running: Promise<void> = Promise.resolve()
  const flush = async () => {
    if (rows === 0) return
    const full = block.subarray(0, bytes)
    block = Buffer.allocUnsafe(BLOCK_BYTES)
    bytes = 0
    rows = 0
    await running
    running = insertTextOnce(clickhouse, { table: 'click_inlet', columns: CLICK_COLUMNS, token: `demo-${seed}-${number++}`, rows: full })
    running.catch(() => {}) // whoever waits for it next is told
    // its request leaves before the next rows are made
    await setImmediate()
  }
  return {
    add(line: string): Promise<void> | undefined {
      bytes += block.write(line, bytes)
      rows++
      return rows < BLOCK && bytes < BLOCK_BYTES - LONGEST_LINE ? undefined : flush()
    },
    async finish() {
      await flush()
      await running
    },
  }
}

/** No line of the demo is nearly as long. */
const LONGEST_LINE = 16_384
