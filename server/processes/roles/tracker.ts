import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { readNetworks } from '#server/platform/network.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import { openNetworks } from '#server/platform/geo/network.ts'
import { openPlaces } from '#server/platform/geo/place.ts'
import { instanceMark } from '#server/platform/instance-mark.ts'
import { log } from '#server/platform/log.ts'
import { bringsToken, metricsText } from '#server/platform/metrics/text.ts'
import { trackerMetrics } from '#server/tracker/metrics.ts'
import { answerVisitors, type WaitingVisitor } from '#server/tracker/core/answers.ts'
import { createClicks, type ClickCounters, type Clicks } from '#server/tracker/core/clicks.ts'
import { openContinuations } from '#server/tracker/core/continuation.ts'
import { applySnapshot, followSnapshot } from '#server/tracker/snapshot/follow.ts'
import { createTrackerServer, keepLost } from '#server/tracker/http/http.ts'
import { createTrackerSnapshot } from '#server/tracker/snapshot/tracker-snapshot.ts'
import { claimFolder } from '#server/tracker/spool/lock.ts'
import { openPostbacks } from '#server/tracker/postback/postbacks.ts'
import { sealLeftovers } from '#server/tracker/spool/segment.ts'
import { keepSnapshotCopy, readSnapshotCopy } from '#server/tracker/snapshot/snapshot-copy.ts'
import { openSpool } from '#server/tracker/spool/spool.ts'
import { keepStatus } from '#server/tracker/status.ts'
import { runFront } from './front.ts'

/** In-flight visitors get this long to be answered when the tracker stops. */
const DRAIN_MS = 5000

/** Plays the tracker: redirects, the click spool, the hand-over of postbacks. Needs no database; without the api it serves from the copy of the snapshot. */
export async function run(config: Config): Promise<{ url: string; stop(): Promise<void> }> {
  const name = config.trackerName
  const folder = join(config.dataDir, 'spool', name)
  const runFolder = join(config.dataDir, 'run')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const release = claimFolder(folder)
  const saved = await sealLeftovers(folder)
  if (saved > 0) log.warn({ tracker: name, rows: saved }, 'clicks of an earlier run were saved')

  // read in one go, compiled the first time: before the snapshot is followed, which would wait for it and give up
  const where = { findPlace: openPlaces(), findNetwork: openNetworks() }
  const snapshot = createTrackerSnapshot()
  const copyPath = join(runFolder, 'snapshot.json')
  const copied = await readSnapshotCopy(copyPath)
  if (copied !== null) await applySnapshot(snapshot, copied)
  const copy = keepSnapshotCopy(copyPath, snapshot.store)
  const api = config.internalUrl === null ? null : { url: config.internalUrl, secret: config.internalSecret }
  const following = api === null ? null : followSnapshot(api, snapshot, copy.changed)

  const spool = await openSpool<WaitingVisitor>({
    folder,
    tracker: name,
    durability: config.trackerDurability,
    clock: systemClock,
    deliver: answerVisitors,
  })
  const counters: ClickCounters = { clicks: 0, refused: 0, unknown: 0, plain: 0 }
  const postbacks = await openPostbacks({ api, folder, tracker: name, clock: systemClock })
  const clicks: Clicks = createClicks({
    snapshot,
    spool,
    where,
    continuations: openContinuations({ api, clock: systemClock }),
    trusted: readNetworks(config.trustProxy),
    clock: systemClock,
    counters,
    keepLost: (lost, visitor) => keepLost({ clicks, postbacks }, lost, visitor),
  })
  const { server, stop: stopServer } = createTrackerServer({
    clicks,
    postbacks,
    isReady: () => snapshot.deciding !== null,
    metrics: (authorization) =>
      config.metricsToken !== null && bringsToken(authorization, config.metricsToken)
        ? trackerMetrics(config.dataDir, systemClock.now()).then(metricsText)
        : null,
    mark: instanceMark(config.secretKey),
  })
  const closeStatus = keepStatus(join(runFolder, `tracker-${name}.json`), () => ({
    tracker: name,
    clicks: counters.clicks,
    refused: counters.refused,
    unknown: counters.unknown,
    stored: spool.counters.stored,
    lost: spool.counters.lost,
    lost_at: spool.counters.lostAt === null ? null : new Date(spool.counters.lostAt).toISOString(),
    spool_failing: spool.counters.failing,
    unconfirmed: spool.counters.unconfirmed,
    postbacks_waiting: postbacks.waiting(),
    snapshot_seq: snapshot.store.seq,
    snapshot_silent_ms: following?.silentFor() ?? null,
  }))

  // Several trackers share one port: the kernel spreads the connections.
  server.listen({ port: config.trackerPort, host: config.host, reusePort: config.trackers > 1, backlog: 4096 })
  await once(server, 'listening')
  const front = config.tls.mode === 'off' ? null : await runFront(config, api, server)
  const { port } = server.address() as AddressInfo // it listens on TCP
  log.info({ tracker: name, port, seq: snapshot.store.seq }, 'the tracker is ready')

  return {
    url: `http://${config.host}:${port}`,
    async stop() {
      await front?.stop()
      await stopServer(DRAIN_MS)
      await following?.stop()
      await postbacks.close()
      await spool.close()
      await copy.close()
      await closeStatus()
      release()
    },
  }
}
