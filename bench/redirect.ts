import { constants, openSync, writeSync, write, closeSync, rmSync, mkdtempSync, fdatasyncSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { grouped, median, printTable } from './figures.ts'
import type { LoadOrder, LoadResult } from './load/generator.ts'
import { benchSnapshot } from './load/links.ts'
import { compareNonces, startBare, startBenchTracker, startGenerator, type Cores, type MeasuredServer } from './load/server.ts'

// npm run bench -- redirect [--rounds=12] [--seconds=0.7] [--clicks=300000] [--only=keep,minimal,fresh,few,open,memory] [--busy]
//
// A click with everything on, as Chrome sends it, against a bare node:http redirect, servers on core 0 (with 8 connections also on both), load on
// core 1. All servers of a table stand side by side and are loaded in turn in short slices, bare before and after every one
// of ours: a slow moment of the machine hits both sides of a ratio. The figure that travels is CPU per request: bare ÷ ours,
// the median of all slices. Requests per second count only where the server's core was at least 95 % busy; `--busy` refuses
// (exit 1) a run where a keep-alive case was not.

type Options = { rounds: number; seconds: number; clicks: number; busy: boolean; only: string[] }
type Session = Options & { folder: string; load(order: LoadOrder): Promise<LoadResult>; failed: boolean }

type Case = { name: string; durability: 'group' | 'interval'; userAgents: number; rules: number }
type Traffic = Pick<LoadOrder, 'keepAlive' | 'connections' | 'rate' | 'headers'>

/** A server under load. `dataDir` is null for bare; `sent` counts the nonces it was sent, 0 being the first. */
type Target = { name: string; server: MeasuredServer; userAgents: number; dataDir: string | null; sent: number }
type Slice = { perSecond: number; cpuMicros: number; busy: number; p50: number; p99: number; p999: number }

const GROUP: Case = { name: 'group, 500 User-Agents', durability: 'group', userAgents: 500, rules: 0 }
const INTERVAL: Case = { ...GROUP, name: 'interval, 500 User-Agents', durability: 'interval' }
const KEEP_CASES: Case[] = [
  GROUP,
  { ...GROUP, name: 'group, 50,000 User-Agents', userAgents: 50_000 },
  { ...GROUP, name: 'group, 200 rules an offer', rules: 200 },
  INTERVAL,
  { ...INTERVAL, name: 'interval, 50,000 User-Agents', userAgents: 50_000 },
]
const KEPT: Traffic = { keepAlive: true, connections: 64, rate: null, headers: 'chrome' }
const FRESH: Traffic = { ...KEPT, keepAlive: false }
const MINIMAL: Traffic = { ...KEPT, headers: 'minimal' }

/** Until then V8 still compiles, on threads of its own: of the first 100,000 clicks that is 5 to 10 µs each. */
const WARM_CLICKS = 200_000

/** Runs the bench; exits with 1 when a row is missing or doubled, or with `--busy` when a throughput figure had to be refused. */
export async function run(args: string[]): Promise<void> {
  const given = new Map(args.map((argument) => argument.replace(/^--/, '').split('=') as [string, string | undefined])) // split gives at least one
  const generator = startGenerator()
  const session: Session = {
    rounds: Number(given.get('rounds') ?? 12),
    seconds: Number(given.get('seconds') ?? 0.7),
    clicks: Number(given.get('clicks') ?? 300_000),
    busy: given.has('busy'),
    only: given.get('only')?.split(',') ?? ['keep', 'minimal', 'fresh', 'few', 'open', 'memory'],
    folder: mkdtempSync(join(tmpdir(), 'bench-redirect-')),
    load: (order) => generator.load(order),
    failed: false,
  }
  const parts: Record<string, () => Promise<void>> = {
    keep: () => compare(session, 'keep-alive, 64 connections, the headers of Chrome', KEEP_CASES, KEPT),
    minimal: () => compare(session, 'keep-alive, 64 connections, no headers but the User-Agent', [GROUP, INTERVAL], MINIMAL),
    fresh: () => compare(session, 'a fresh connection per click, 64 at once', [GROUP, INTERVAL], FRESH),
    few: () => fewConnections(session),
    open: () => openLoop(session),
    memory: () => memory(session),
  }
  try {
    for (const name of session.only) await parts[name]?.()
  } finally {
    generator.stop()
    rmSync(session.folder, { recursive: true, force: true })
  }
  if (session.failed) process.exit(1)
}

async function compare(session: Session, title: string, cases: Case[], traffic: Traffic): Promise<void> {
  const bare = await startTarget(session, null, traffic)
  const targets: Target[] = []
  for (const one of cases) targets.push(await startTarget(session, one, traffic))
  const bareSlices: Slice[] = [await slice(session, bare, traffic)]
  const slices = targets.map((): Slice[] => [])
  const ratios = targets.map((): number[] => [])
  for (let round = 0; round < session.rounds; round++)
    for (const [index, target] of targets.entries()) {
      const ours = await slice(session, target, traffic)
      const before = bareSlices.at(-1)?.cpuMicros ?? 0
      const after = await slice(session, bare, traffic)
      bareSlices.push(after)
      slices[index]?.push(ours)
      ratios[index]?.push((before + after.cpuMicros) / 2 / ours.cpuMicros)
    }
  const rows = [
    ['', 'CPU µs/click', 'bare ÷ ours', '(middle half)', 'clicks/s', 'core busy', 'p50 ms', 'p99 ms', 'rows stored'],
    [...figuresOf(session, bare.name, bareSlices, null, traffic), ''],
  ]
  for (const [index, target] of targets.entries())
    rows.push([...figuresOf(session, target.name, slices[index] ?? [], ratios[index] ?? [], traffic), await rowsStored(session, target)])
  await bare.server.stop()
  printTable(`${title} (medians of ${session.rounds} slices of ${session.seconds} s)`, rows)
}

function figuresOf(session: Session, name: string, slices: Slice[], ratios: number[] | null, { keepAlive }: Traffic): string[] {
  const of = (field: keyof Slice) => median(slices.map((one) => one[field]))
  const valid = of('busy') >= 0.95
  if (!valid && keepAlive && session.busy) session.failed = true
  const sorted = (ratios ?? []).toSorted((a, b) => a - b)
  const quarter = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(2)
  return [
    name,
    of('cpuMicros').toFixed(1),
    ratios === null ? '1' : median(ratios).toFixed(2),
    ratios === null ? '' : `${quarter(0.25)}–${quarter(0.75)}`,
    valid ? grouped(of('perSecond')) : '–',
    `${Math.round(of('busy') * 100)} %`,
    of('p50').toFixed(2),
    of('p99').toFixed(2),
  ]
}

/**
 * Eight connections: a click's latency beside the disk's own and beside a bare redirect's, all taken in turn. The servers
 * have both cores, as the measure of the disk has; on one core alone the disk's thread has to wait for the clicks.
 */
async function fewConnections(session: Session): Promise<void> {
  const traffic: Traffic = { ...KEPT, connections: 8 }
  const cases: { cores: Cores; bare: Target; target: Target; bareSlices: Slice[]; slices: Slice[] }[] = []
  for (const cores of ['0,1', '0'] as const) {
    const bare = await startTarget(session, null, traffic, cores)
    cases.push({ cores, bare, target: await startTarget(session, GROUP, traffic, cores), bareSlices: [], slices: [] })
  }
  const syncs: number[] = []
  for (let round = 0; round < session.rounds; round++) {
    syncs.push(await diskSyncMs(session.folder))
    for (const { bare, target, bareSlices, slices } of cases) {
      slices.push(await slice(session, target, traffic))
      bareSlices.push(await slice(session, bare, traffic))
    }
  }
  const sync = median(syncs)
  const of = (from: Slice[], field: keyof Slice) => median(from.map((one) => one[field]))
  const rows = [['server on', 'disk sync p50 ms', 'p50 ms', '2 × sync + 0.1', 'p99 ms', 'clicks/s', 'bare p50 ms', 'rows stored']]
  for (const { cores, bare, target, bareSlices, slices } of cases) {
    rows.push([
      cores === '0' ? 'one core' : 'both cores',
      sync.toFixed(3),
      of(slices, 'p50').toFixed(3),
      (2 * sync + 0.1).toFixed(3),
      of(slices, 'p99').toFixed(2),
      grouped(of(slices, 'perSecond')),
      of(bareSlices, 'p50').toFixed(3),
      await rowsStored(session, target),
    ])
    await bare.server.stop()
  }
  printTable(`durable with 8 connections (medians of ${session.rounds} slices of ${session.seconds} s)`, rows)
}

/** Clicks at fixed moments, whether earlier ones were answered or not; bare shows what the machine itself takes. */
async function openLoop(session: Session): Promise<void> {
  const traffic: Traffic = { ...KEPT, rate: 5000 }
  const rows = [['', 'p50 ms', 'p99 ms', 'p99.9 ms', 'CPU µs/click', 'rows stored']]
  for (const one of [null, GROUP, INTERVAL]) {
    const target = await startTarget(session, one, traffic)
    const slices: Slice[] = []
    for (let round = 0; round < session.rounds; round++) slices.push(await slice(session, target, traffic, 2))
    const of = (field: keyof Slice) => median(slices.map((each) => each[field])).toFixed(2)
    rows.push([target.name, of('p50'), of('p99'), of('p999'), of('cpuMicros'), one === null ? '' : await rowsStored(session, target)])
    if (one === null) await target.server.stop()
  }
  printTable(`fixed 5,000 clicks/s, latency from the moment a click was due (medians of ${session.rounds} × 2 s)`, rows)
}

async function memory(session: Session): Promise<void> {
  const dataDir = join(session.folder, 'memory')
  const server = await startBenchTracker(dataDir, benchSnapshot(0), 'group')
  const target: Target = { name: 'memory', server, userAgents: 50_000, dataDir, sent: 0 }
  const atStart = server.memory()
  while (target.sent < session.clicks) await slice(session, target, KEPT, 5)
  const after = server.memory()
  printTable('resident memory, 50,000 User-Agents', [
    ['at start MB', 'after clicks', 'MB', 'rows stored'],
    [(atStart / 1e6).toFixed(0), grouped(target.sent), (after / 1e6).toFixed(0), await rowsStored(session, target)],
  ])
}

/** Starts bare (`one` = null) or a tracker and loads it until caches are full and code is compiled, as after its first minute. */
async function startTarget(session: Session, one: Case | null, traffic: Traffic, cores: Cores = '0'): Promise<Target> {
  const dataDir = one === null ? null : mkdtempSync(join(session.folder, 'tracker-'))
  const server =
    one && dataDir !== null ? await startBenchTracker(dataDir, benchSnapshot(one.rules), one.durability, cores) : await startBare(cores)
  const target: Target = { name: one?.name ?? 'bare node:http', server, userAgents: one?.userAgents ?? 500, dataDir, sent: 0 }
  do await slice(session, target, { ...traffic, rate: null }, 2)
  while (target.sent < Math.max(WARM_CLICKS, target.userAgents * 3))
  return target
}

async function slice(session: Session, target: Target, traffic: Traffic, seconds = session.seconds): Promise<Slice> {
  const { server, userAgents } = target
  const cpuBefore = server.cpu()
  const result = await session.load({ ...traffic, port: server.port, seconds, userAgents, firstNonce: target.sent })
  const cpu = server.cpu() - cpuBefore
  target.sent = result.lastNonce
  if (result.redirects < result.sent && target.dataDir !== null) session.failed = true
  const answered = result.redirects + result.others
  return { ...result, perSecond: answered / result.seconds, cpuMicros: (cpu / answered) * 1e6, busy: cpu / result.seconds }
}

/** Stops the tracker and compares the rows it stored with the redirects it sent. */
async function rowsStored(session: Session, { server, dataDir, sent }: Target): Promise<string> {
  await server.stop()
  if (dataDir === null) return ''
  const stored = await compareNonces(dataDir, 0, sent)
  rmSync(dataDir, { recursive: true, force: true })
  if (stored.rows === sent && stored.missing + stored.doubled + stored.foreign === 0) return 'all'
  session.failed = true
  return `${stored.rows} of ${sent}: ${JSON.stringify(stored)}`
}

/** The disk's own synced write into prepared space, as the spool does it: median of 200. */
async function diskSyncMs(folder: string): Promise<number> {
  const path = join(folder, 'sync')
  const plain = openSync(path, 'w')
  writeSync(plain, Buffer.alloc(4 * 1024 * 1024))
  fdatasyncSync(plain)
  closeSync(plain)
  const fd = openSync(path, constants.O_WRONLY | constants.O_DSYNC)
  const block = Buffer.alloc(8 * 342, 97)
  const times: number[] = []
  for (let i = 0; i < 200; i++) {
    const began = performance.now()
    await new Promise<void>((resolve, reject) =>
      write(fd, block, 0, block.length, i * block.length, (error) => (error ? reject(error) : resolve())),
    )
    times.push(performance.now() - began)
  }
  closeSync(fd)
  return median(times)
}
