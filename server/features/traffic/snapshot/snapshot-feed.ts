import { log } from '#server/platform/log.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { listen } from '#server/platform/pg/listen.ts'
import type { Snapshot, SnapshotChange } from '#server/rules/offer/snapshot.ts'
import { SNAPSHOT_CHANNEL, SNAPSHOT_ENTITIES, type SnapshotEntity as Entity } from './snapshot.queries.ts'
import {
  offersOfAdvertisers,
  offersOfLandings,
  readSnapshotAffiliates,
  readSnapshotLinks,
  readSnapshotOffers,
  readSnapshotTrafficback,
} from './snapshot-read.queries.ts'
import { ensureTrackingKeys } from './tracking-key.queries.ts'

export type NumberedChange = { seq: number; change: SnapshotChange }

/** Gets every change; `end` tells a tracker to start over with a whole snapshot. */
export type Follower = { deliver(changes: readonly NumberedChange[]): void; end(): void }

export type SnapshotFeed = {
  /** Everything trackers know, as of now. */
  snapshot(): Promise<Snapshot>
  /** Delivers the changes after `seq` and then each new one; answers how to stop, or null when changes after `seq` are no longer known. */
  follow(seq: number, follower: Follower): (() => void) | null
  stop(): Promise<void>
}

/** Changes kept for trackers that lost the connection for a moment. */
const KEPT = 5_000
/** What is announced within this time is read together. */
const GATHER_MS = 20
const KEY_CHECK_MS = 60_000

/**
 * Follows the announcements of `announce()` and turns them into numbered changes for trackers, within a fraction of a second.
 *
 * Numbers have no gaps within one run. They start at the clock's microseconds, so that a number of an earlier run is always
 * lower and is answered as a gap. After the connection to PostgreSQL was lost, announcements may be missing: everybody starts over.
 */
export async function startSnapshotFeed({ db, databaseUrl, clock }: { db: Db; databaseUrl: string; clock: Clock }): Promise<SnapshotFeed> {
  let seq = clock.now() * 1000
  let kept: NumberedChange[] = []
  let waiting = new Map<Entity, Set<string>>()
  let flushing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const followers = new Set<Follower>()
  let keys = await ensureTrackingKeys(db, clock.now())

  const startOver = () => {
    seq = Math.max(seq + 1, clock.now() * 1000)
    kept = []
    for (const follower of followers) follower.end()
    followers.clear()
  }

  const push = (changes: SnapshotChange[]) => {
    const numbered = changes.map((change) => ({ seq: ++seq, change }))
    kept = [...kept, ...numbered].slice(-KEPT)
    for (const follower of followers) follower.deliver(numbered)
  }

  const flush = async () => {
    const taken = waiting
    waiting = new Map()
    try {
      push(await readChanges(db, clock.now(), taken))
    } catch (error) {
      log.warn({ err: error }, 'could not read what changed for the trackers; trying again')
      for (const [entity, ids] of taken) for (const id of ids) note(entity, id)
    }
  }

  const schedule = (delay: number) => {
    if (stopped || timer !== undefined || flushing !== undefined) return
    timer = setTimeout(() => {
      timer = undefined
      flushing = flush().finally(() => {
        flushing = undefined
        if (waiting.size > 0) schedule(GATHER_MS * 10)
      })
    }, delay)
  }

  const note = (entity: Entity, id: string) => {
    const ids = waiting.get(entity)
    if (ids === undefined) waiting.set(entity, new Set([id]))
    else ids.add(id)
  }

  const listener = await listen(
    databaseUrl,
    {
      [SNAPSHOT_CHANNEL]: (payload) => {
        const [entity, id] = splitAnnouncement(payload)
        if (entity === null) return log.warn({ payload }, 'an announcement nobody knows')
        note(entity, id)
        schedule(GATHER_MS)
      },
    },
    async () => startOver(),
  )

  // the visitor key changes with the month, announced by nobody
  const keyCheck = setInterval(() => {
    void ensureTrackingKeys(db, clock.now())
      .then((fresh) => {
        if (JSON.stringify(fresh) === JSON.stringify(keys)) return
        keys = fresh
        push([{ kind: 'keys', value: fresh }])
      })
      .catch((error: unknown) => log.warn({ err: error }, 'could not check the keys of the trackers'))
  }, KEY_CHECK_MS).unref()

  return {
    async snapshot() {
      // taken before reading: what changes meanwhile comes again as a change, and changes state whole values
      const from = seq
      const now = clock.now()
      const [offers, affiliates, links, freshKeys, trafficback] = await Promise.all([
        readSnapshotOffers(db, now, 'all'),
        readSnapshotAffiliates(db, 'all'),
        readSnapshotLinks(db, 'all'),
        ensureTrackingKeys(db, now),
        readSnapshotTrafficback(db),
      ])
      return { seq: from, offers, affiliates, links, keys: freshKeys, trafficback }
    },

    follow(from, follower) {
      const oldest = kept[0]?.seq ?? seq + 1
      if (from > seq || from < oldest - 1) return null
      const missed = kept.filter((change) => change.seq > from)
      if (missed.length > 0) follower.deliver(missed)
      followers.add(follower)
      return () => void followers.delete(follower)
    },

    async stop() {
      stopped = true
      clearTimeout(timer)
      clearInterval(keyCheck)
      await listener.stop()
      await flushing
      for (const follower of followers) follower.end()
      followers.clear()
    },
  }
}

function splitAnnouncement(payload: string): [Entity | null, string] {
  const colon = payload.indexOf(':')
  const entity = SNAPSHOT_ENTITIES.find((name) => name === payload.slice(0, colon))
  return [entity ?? null, payload.slice(colon + 1)]
}

/** The present values of what was announced, a statement or three per entity; what is gone becomes a deletion. */
async function readChanges(db: Db, now: number, announced: ReadonlyMap<Entity, ReadonlySet<string>>): Promise<SnapshotChange[]> {
  const changes: SnapshotChange[] = []
  const ids = (entity: Entity) => [...(announced.get(entity) ?? [])]
  const numbers = (entity: Entity) => ids(entity).map(Number).filter(Number.isSafeInteger)

  if (announced.has('keys')) changes.push({ kind: 'keys', value: await ensureTrackingKeys(db, now) })
  if (announced.has('trafficback')) changes.push({ kind: 'trafficback', value: await readSnapshotTrafficback(db) })

  const affiliateIds = numbers('affiliate')
  if (affiliateIds.length > 0) {
    const found = await readSnapshotAffiliates(db, affiliateIds)
    changes.push(
      ...found.map((value) => ({ kind: 'affiliate' as const, value })),
      ...gone(
        'affiliate',
        affiliateIds,
        found.map((one) => one.id),
      ),
    )
  }

  const advertiserIds = numbers('advertiser')
  const landingIds = numbers('landing')
  const offerIds = [
    ...new Set([
      ...numbers('offer'),
      ...(advertiserIds.length > 0 ? await offersOfAdvertisers(db, advertiserIds) : []),
      ...(landingIds.length > 0 ? await offersOfLandings(db, landingIds) : []),
    ]),
  ]
  if (offerIds.length > 0) {
    const found = await readSnapshotOffers(db, now, offerIds)
    changes.push(
      ...found.map((value) => ({ kind: 'offer' as const, value })),
      ...gone(
        'offer',
        offerIds,
        found.map((one) => one.id),
      ),
    )
  }

  const codes = ids('link')
  if (codes.length > 0) {
    const found = await readSnapshotLinks(db, codes)
    changes.push(
      ...found.map((value) => ({ kind: 'link' as const, value })),
      ...gone(
        'link',
        codes,
        found.map((one) => one.code),
      ),
    )
  }
  return changes
}

function gone(
  entity: 'offer' | 'affiliate' | 'link',
  asked: readonly (number | string)[],
  found: readonly (number | string)[],
): SnapshotChange[] {
  const there = new Set(found)
  return asked.filter((key) => !there.has(key)).map((key) => ({ kind: 'delete', entity, key: String(key) }))
}
