import { sendOutbox } from '#server/features/traffic/fact/outbox.service.ts'
import { createConversions } from '#server/features/traffic/conversion/draft.service.ts'
import { loadTerms } from '#server/features/traffic/conversion/terms.queries.ts'
import { readSnapshotAffiliates, readSnapshotOffers } from '#server/features/traffic/snapshot/snapshot-read.queries.ts'
import { ensureTrackingKeys } from '#server/features/traffic/snapshot/tracking-key.queries.ts'
import { insertTextOnce, LARGEST_BLOCK } from '#server/platform/clickhouse/insert-once.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { FileStore } from '#server/platform/files/store.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { CLICK_COLUMNS } from '#server/rules/click/click-row.ts'
import { readClickIdKeys } from '#server/rules/click/click-id.ts'
import { OFFERS } from './offers.ts'
import { makePostbacks } from './postbacks.ts'
import { seededRandom } from './random.ts'
import { makeResults } from './results.ts'
import { makeNetwork, type DemoLogin, type DemoNetwork } from './network.ts'
import { makeTraffic, type DemoClick, type DemoSource } from './traffic.ts'

/** The days of traffic, and about how many clicks they hold. */
const DAYS = 30
const CLICKS = 300_000

export type DemoParts = {
  /** Migrated and empty. */
  db: Db
  clickhouse: Clickhouse
  /** Where its pictures are kept. */
  store: FileStore
  /** The end of the traffic, in ms. */
  now: number
  seed?: number
  clicks?: number
}

/**
 * Fills an empty instance with a network that looks alive, through the product's own functions: people and offers by
 * their services, clicks by the product's rows and inserts, conversions with history, ledger and facts. The same seed
 * and moment give the same network. Answers one login per role.
 */
export async function buildDemo({ db, clickhouse, store, now, seed = 20_26, clicks = CLICKS }: DemoParts): Promise<DemoLogin[]> {
  const random = seededRandom(seed)
  const from = now - DAYS * 86_400_000
  const network = await makeNetwork({ db, store }, from - 60 * 86_400_000, now)
  const source = await readSource(db, network, now)
  const counted: DemoClick[] = []
  const insert = blockInserter(clickhouse, seed)
  makeTraffic(random, source, { from, to: now, count: clicks }, (line, click) => {
    insert.add(line)
    if (click !== null) counted.push(click)
  })
  const inserted = insert.finish()
  const terms = await loadTerms(db, [...network.offers.keys()])
  const rates = new Map([...network.offers].map(([id, place]) => [id, OFFERS[place]?.conversion_rate ?? 0]))
  const drafts = makeResults(random, counted, terms, rates, now)
  for (let start = 0; start < drafts.length; start += 1_000) {
    await db.transaction().execute((trx) => createConversions(trx, drafts.slice(start, start + 1_000), now))
  }
  await inserted
  await makePostbacks(db, clickhouse, random, now)
  await sendOutbox(db, clickhouse)
  return network.logins
}

async function readSource(db: Db, network: DemoNetwork, now: number): Promise<DemoSource> {
  const keys = await ensureTrackingKeys(db, now)
  const offers = await readSnapshotOffers(db, now, 'all')
  const affiliates = await readSnapshotAffiliates(db, 'all')
  const rank = new Map(network.affiliates.map((id, place) => [id, place]))
  return {
    offers: offers.flatMap((offer) => {
      const plan = OFFERS[network.offers.get(offer.id) ?? -1]
      return plan === undefined ? [] : [{ offer, weight: plan.weight, geos: plan.geos }]
    }),
    affiliates: affiliates.toSorted((a, b) => (rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0)),
    world: {
      offers: new Map(offers.map((offer) => [offer.id, offer])),
      affiliates: new Map(affiliates.map((affiliate) => [affiliate.id, affiliate])),
      trafficback: null,
    },
    idKeys: readClickIdKeys(keys),
  }
}

/** Collects spool lines and inserts them block by block while the next ones are made. */
function blockInserter(clickhouse: Clickhouse, seed: number) {
  let lines: string[] = []
  let number = 0
  const running: Promise<void>[] = []
  const flush = () => {
    if (lines.length === 0) return
    const rows = Buffer.from(lines.join(''))
    lines = []
    running.push(insertTextOnce(clickhouse, { table: 'click_inlet', columns: CLICK_COLUMNS, token: `demo-${seed}-${number++}`, rows }))
  }
  return {
    add(line: string) {
      lines.push(line)
      if (lines.length >= LARGEST_BLOCK.rows / 2) flush()
    },
    async finish() {
      flush()
      await Promise.all(running)
    },
  }
}
