import { constants, openSync, writeSync, write, closeSync, rmSync, mkdtempSync, fdatasyncSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LoadOrder, LoadResult } from './load/generator.ts'
import { benchSnapshot } from './load/links.ts'
import { compareNonces, runLoad, startBare, startBenchTracker, type MeasuredServer } from './load/server.ts'

// npm run bench -- redirect [--seconds=6] [--rounds=3] [--clicks=300000] [--only=keep,fresh,few,open,memory] [--busy]
//
// A click with everything on against a bare node:http redirect, in the same round, server on core 0, load on core 1.
// The figure that travels is CPU per request: bare ÷ ours. Requests per second are shown as a figure only where the
// server's core was at least 95 % busy; `--busy` refuses (exit 1) a keep-alive run where it was not.

type Case = { name: string; durability: 'group' | 'interval'; userAgents: number; rules: number; keepAlive: boolean; connections: number }
type Figure = { perSecond: number; cpuMicros: number; busy: number; p50: number; p99: number; stored: string }

type Options = { seconds: number; rounds: number; clicks: number; busy: boolean; only: string[] }
/** What the parts of one bench share: `nonce` is the next to be sent. */
type Session = Options & { folder: string; nonce: number; failed: boolean }

const KEPT: Omit<Case, 'name' | 'durability' | 'userAgents'> = { rules: 0, keepAlive: true, connections: 64 }
const KEEP_CASES: Case[] = [
  { ...KEPT, name: 'group, 500 User-Agents', durability: 'group', userAgents: 500 },
  { ...KEPT, name: 'group, 50,000 User-Agents', durability: 'group', userAgents: 50_000 },
  { ...KEPT, name: 'group, 200 rules an offer', durability: 'group', userAgents: 500, rules: 200 },
  { ...KEPT, name: 'interval, 500 User-Agents', durability: 'interval', userAgents: 500 },
  { ...KEPT, name: 'interval, 50,000 User-Agents', durability: 'interval', userAgents: 50_000 },
]
const FRESH_CASES: Case[] = [
  { ...KEPT, name: 'group', durability: 'group', userAgents: 500, keepAlive: false },
  { ...KEPT, name: 'interval', durability: 'interval', userAgents: 500, keepAlive: false },
]

/** Runs the bench; exits with 1 when a row is missing or doubled, or with `--busy` when a throughput figure had to be refused. */
export async function run(args: string[]): Promise<void> {
  const given = new Map(args.map((argument) => argument.replace(/^--/, '').split('=') as [string, string | undefined])) // split gives at least one
  const session: Session = {
    seconds: Number(given.get('seconds') ?? 6),
    rounds: Number(given.get('rounds') ?? 3),
    clicks: Number(given.get('clicks') ?? 300_000),
    busy: given.has('busy'),
    only: given.get('only')?.split(',') ?? ['keep', 'fresh', 'few', 'open', 'memory'],
    folder: mkdtempSync(join(tmpdir(), 'bench-redirect-')),
    nonce: 1,
    failed: false,
  }
  const parts: Record<string, () => Promise<void>> = {
    keep: () => compare(session, 'keep-alive, 64 connections', KEEP_CASES),
    fresh: () => compare(session, 'a fresh connection per click, 64 at once', FRESH_CASES),
    few: () => fewConnections(session),
    open: () => openLoop(session),
    memory: () => memory(session),
  }
  try {
    for (const name of session.only) await parts[name]?.()
  } finally {
    rmSync(session.folder, { recursive: true, force: true })
  }
  if (session.failed) process.exit(1)
}

/** Bare and every case in each round, so that a slow minute of the machine hits all of them; medians of the rounds. */
async function compare(session: Session, title: string, cases: Case[]): Promise<void> {
  const { seconds, rounds } = session
  const bareFigures: Figure[] = []
  const figures = cases.map((): Figure[] => [])
  const ratios = cases.map((): number[] => [])
  for (let round = 0; round < rounds; round++) {
    const base = {
      seconds,
      keepAlive: cases[0]?.keepAlive ?? true,
      connections: cases[0]?.connections ?? 64,
      userAgents: 500,
      rate: null,
      firstNonce: 1,
    }
    const bareServer = await startBare()
    const bare = await measure(bareServer, base)
    await bareServer.stop()
    bareFigures.push(bare)
    for (const [index, one] of cases.entries()) {
      const figure = await measureTracker(session, one, { ...base, userAgents: one.userAgents })
      figures[index]?.push(figure)
      ratios[index]?.push(bare.cpuMicros / figure.cpuMicros)
    }
  }
  heading(`${title} (medians of ${rounds} × ${seconds} s)`)
  row(['', 'CPU µs/click', 'bare ÷ ours', 'clicks/s', 'core busy', 'p50 ms', 'p99 ms', 'rows stored'])
  show(session, 'bare node:http', bareFigures, null)
  for (const [index, one] of cases.entries()) show(session, one.name, figures[index] ?? [], ratios[index] ?? [])
}

function show(session: Session, name: string, figures: Figure[], ratios: number[] | null): void {
  const of = (field: 'perSecond' | 'cpuMicros' | 'busy' | 'p50' | 'p99') => median(figures.map((figure) => figure[field]))
  const valid = of('busy') >= 0.95
  if (!valid && session.busy) session.failed = true
  row([
    name,
    of('cpuMicros').toFixed(1),
    ratios === null ? '1' : median(ratios).toFixed(2),
    valid ? Math.round(of('perSecond')).toLocaleString('en') : `(${Math.round(of('perSecond')).toLocaleString('en')})`,
    `${Math.round(of('busy') * 100)} %${valid ? '' : ' – no throughput figure'}`,
    of('p50').toFixed(2),
    of('p99').toFixed(2),
    figures.find((figure) => figure.stored !== 'all')?.stored ?? 'all',
  ])
}

async function measureTracker(session: Session, one: Case, order: Omit<LoadOrder, 'port'>): Promise<Figure> {
  const dataDir = join(session.folder, `run-${session.nonce}`)
  const server = await startBenchTracker(dataDir, benchSnapshot(one.rules), one.durability)
  // Caches warm and code compiled before the clock runs, as in a tracker that has been up for a minute.
  let warm = session.nonce
  do warm = (await runLoad({ ...order, port: server.port, seconds: 2, firstNonce: warm })).lastNonce
  while (warm - session.nonce < one.userAgents * 3)
  const figure = await measure(server, { ...order, firstNonce: warm })
  await server.stop()
  const last = figure.lastNonce
  const stored = await compareNonces(dataDir, session.nonce, last)
  rmSync(dataDir, { recursive: true, force: true })
  const sent = last - session.nonce
  session.nonce = last
  const exact = stored.rows === sent && stored.missing + stored.doubled + stored.foreign === 0 && figure.others === 0
  if (!exact) session.failed = true
  return { ...figure, stored: exact ? 'all' : `${stored.rows} of ${sent}: ${JSON.stringify({ ...stored, others: figure.others })}` }
}

async function measure(server: MeasuredServer, order: Omit<LoadOrder, 'port'>): Promise<Figure & LoadResult> {
  if (order.firstNonce === 1) await runLoad({ ...order, port: server.port, seconds: 1 })
  const cpuBefore = server.cpu()
  const result = await runLoad({ ...order, port: server.port })
  const cpu = server.cpu() - cpuBefore
  const answered = result.redirects + result.others
  return { ...result, perSecond: answered / order.seconds, cpuMicros: (cpu / answered) * 1e6, busy: cpu / order.seconds, stored: 'all' }
}

async function fewConnections(session: Session): Promise<void> {
  const { seconds, rounds } = session
  const sync = await diskSyncMs(session.folder)
  const one: Case = { name: 'group', durability: 'group', userAgents: 500, rules: 0, keepAlive: true, connections: 8 }
  const figures: Figure[] = []
  for (let round = 0; round < rounds; round++) {
    figures.push(
      await measureTracker(session, one, {
        seconds,
        keepAlive: true,
        connections: 8,
        userAgents: 500,
        rate: null,
        firstNonce: session.nonce,
      }),
    )
  }
  heading('durable with 8 connections: the disk sets the pace')
  row(['disk sync p50 ms', 'p50 ms', 'limit 2 × sync + 0.1', 'p99 ms', 'clicks/s'])
  const p50 = median(figures.map((figure) => figure.p50))
  row([
    sync.toFixed(3),
    p50.toFixed(3),
    (2 * sync + 0.1).toFixed(3),
    median(figures.map((figure) => figure.p99)).toFixed(2),
    Math.round(median(figures.map((figure) => figure.perSecond))).toLocaleString('en'),
  ])
}

async function openLoop(session: Session): Promise<void> {
  heading('fixed 5,000 clicks/s (open loop: latency from the moment a click was due)')
  row(['', 'p50 ms', 'p99 ms', 'p99.9 ms', 'CPU µs/click', 'rows stored'])
  for (const durability of ['group', 'interval'] as const) {
    const dataDir = join(session.folder, `open-${durability}`)
    const server = await startBenchTracker(dataDir, benchSnapshot(0), durability)
    const base = { port: server.port, connections: 64, keepAlive: true, userAgents: 500, rate: 5000 }
    const warm = await runLoad({ ...base, seconds: 3, firstNonce: session.nonce })
    const cpuBefore = server.cpu()
    const result = await runLoad({ ...base, seconds: Math.max(session.seconds, 10), firstNonce: warm.lastNonce })
    const cpu = server.cpu() - cpuBefore
    await server.stop()
    const stored = await compareNonces(dataDir, session.nonce, result.lastNonce)
    const exact = stored.rows === result.lastNonce - session.nonce && stored.missing + stored.doubled + stored.foreign === 0
    session.nonce = result.lastNonce
    row([
      durability,
      result.p50.toFixed(2),
      result.p99.toFixed(2),
      result.p999.toFixed(2),
      ((cpu / result.redirects) * 1e6).toFixed(1),
      exact ? 'all' : JSON.stringify(stored),
    ])
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function memory(session: Session): Promise<void> {
  const wanted = session.clicks
  const dataDir = join(session.folder, 'memory')
  const server = await startBenchTracker(dataDir, benchSnapshot(0), 'group')
  const atStart = server.memory()
  const first = session.nonce
  let answered = 0
  while (answered < wanted) {
    const result = await runLoad({
      port: server.port,
      connections: 64,
      keepAlive: true,
      userAgents: 50_000,
      rate: null,
      seconds: 5,
      firstNonce: session.nonce,
    })
    session.nonce = result.lastNonce
    answered += result.redirects
  }
  const after = server.memory()
  await server.stop()
  heading('resident memory, 50,000 User-Agents')
  row(['at start MB', `after ${(session.nonce - first).toLocaleString('en')} clicks MB`])
  row([(atStart / 1e6).toFixed(0), (after / 1e6).toFixed(0)])
}

/** The disk's own synced write into prepared space, as the spool does it: median of 500. */
async function diskSyncMs(folder: string): Promise<number> {
  const path = join(folder, 'sync')
  const plain = openSync(path, 'w')
  writeSync(plain, Buffer.alloc(4 * 1024 * 1024))
  fdatasyncSync(plain)
  closeSync(plain)
  const fd = openSync(path, constants.O_WRONLY | constants.O_DSYNC)
  const block = Buffer.alloc(8 * 342, 97)
  const times: number[] = []
  for (let i = 0; i < 500; i++) {
    const began = performance.now()
    await new Promise<void>((resolve, reject) =>
      write(fd, block, 0, block.length, i * block.length, (error) => (error ? reject(error) : resolve())),
    )
    times.push(performance.now() - began)
  }
  closeSync(fd)
  return median(times)
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function heading(text: string): void {
  process.stdout.write(`\n${text}\n`)
}

function row(cells: string[]): void {
  process.stdout.write(`${cells.map((cell, index) => (index === 0 ? cell.padEnd(30) : cell.padStart(14))).join(' ')}\n`)
}
