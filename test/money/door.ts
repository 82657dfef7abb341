import { vi } from 'vitest'
import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'
import { receivePostbacks } from '#server/features/traffic/postback/incoming/receive-batch.service.ts'
import { openReceiveParts } from '#server/features/traffic/postback/incoming/receive.service.ts'
import { startSnapshotFeed } from '#server/features/traffic/snapshot/snapshot-feed.ts'
import { freePort } from '#server/platform/process/free-port.ts'
import { startInternal } from '#server/processes/roles/internal.ts'
import type { TestApi } from '#test/support/run/api.ts'
import { INTERNAL_SECRET } from '#test/support/run/fake-api.ts'
import { removeFolder, startTracker, until } from '#test/support/run/tracker.ts'

/** The address advertisers call: a whole tracker, which hands over to the private port of the api, both by a clock that is set. */
export type Door = { call(at: number, query: Record<string, string>): Promise<void>; close(): Promise<void> }

/** Opens one before the network `api`. It keeps the time of the whole process until it is closed. */
export async function openDoor({ db, clickhouse, databaseUrl }: TestApi, now: number): Promise<Door> {
  // the tracker writes down when a call came
  vi.useFakeTimers({ now, toFake: ['Date'] })
  const clock = { now: () => Date.now() }
  const url = `http://127.0.0.1:${await freePort()}`
  const feed = await startSnapshotFeed({ db, databaseUrl, clock })
  const findClick = openClickFinder(clickhouse)
  const parts = openReceiveParts({ db, findClick, clock })
  const internal = await startInternal({
    url,
    secret: INTERNAL_SECRET,
    feed,
    receivePostbacks: (handovers) => receivePostbacks(parts, handovers),
    countStrays: () => Promise.resolve(true),
    findClick,
  })
  const tracker = await startTracker({ url })
  await tracker.ready()
  let sent = 0
  const kept = async () => Number((await db.selectFrom('postback_in').select(db.fn.countAll().as('rows')).executeTakeFirstOrThrow()).rows)
  return {
    async call(at, query) {
      vi.setSystemTime(at)
      const { status } = await fetch(`${tracker.url}/postback?${new URLSearchParams(query)}`)
      sent++
      // on a busy machine it is put down first and handed over a moment later: in the order of this test all the same
      if (status === 202) await until(async () => (await kept()) === sent, 30_000)
      else if (status !== 200) throw new Error(`a call was answered ${status}`)
    },
    async close() {
      await tracker.stop()
      await internal.stop()
      await feed.stop()
      await removeFolder(tracker.dataDir)
      vi.useRealTimers()
    },
  }
}
