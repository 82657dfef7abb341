import { appendFile, open, readdir, readFile, rename, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '#server/platform/clock.ts'
import { log } from '#server/platform/log.ts'
import { sendAbreast } from './abreast.ts'
import { syncFolder } from './segment.ts'

const FIRST_DELAY_MS = 200
const LONGEST_DELAY_MS = 5_000
/** So many in a row that the api answers but cannot take: it is the api, not the postbacks. */
const ILL_AFTER = 5

/** `away`: no answer, try again later. `refused`: the api answered, but could not take this one. */
export type HandOver = 'arrived' | 'away' | 'refused'

export type PostbackSpool = {
  /** Whether postbacks are waiting: newer ones have to join the line, or a correction would overtake what it corrects. */
  waiting(): boolean
  /** How many wait. */
  count(): number
  /** Stores one postback (a line of JSON); resolves when it is on disk. */
  store(line: string): Promise<void>
  close(): Promise<void>
}

/**
 * The line in which postbacks wait for the api, in `pb-` files beside the click segments. `send` hands one over; what has
 * not arrived is tried again until it has, those about one click in order. At least once: the api knows repeats by their id. One that the api
 * cannot take twice while it takes others is set aside in `pb-refused.jsonl` with an alarm, so that it does not hold up the line.
 */
export async function openPostbackSpool(
  folder: string,
  tracker: string,
  clock: Clock,
  send: (line: string) => Promise<HandOver>,
): Promise<PostbackSpool> {
  let current: { path: string; file: FileHandle; rows: number } | null = null
  let made = 0
  // Postbacks in sealed files, by path.
  const sealed = new Map<string, number>()
  let pending: { line: string; done: () => void; failed: (error: unknown) => void }[] = []
  let syncing: Promise<void> | null = null
  let draining: Promise<void> | null = null
  let stopped = false
  let wake = () => {}

  const count = () => [...sealed.values()].reduce((sum, rows) => sum + rows, current?.rows ?? 0)

  const startFile = async () => {
    const id = `${tracker}-${String(clock.now()).padStart(13, '0')}-${String(made++ % 1_000_000).padStart(6, '0')}`
    const path = join(folder, `pb-${id}.open`)
    const file = await open(path, 'ax', 0o600)
    await syncFolder(folder)
    return { path, file, rows: 0 }
  }

  // Lines that come while a sync runs share the next one.
  const syncAll = async (): Promise<void> => {
    while (pending.length > 0) {
      const group = pending
      pending = []
      try {
        current ??= await startFile()
        await current.file.appendFile(group.map((entry) => `${entry.line}\n`).join(''))
        await current.file.datasync()
        current.rows += group.length
        for (const entry of group) entry.done()
      } catch (error) {
        for (const entry of group) entry.failed(error)
      }
    }
    syncing = null
    drain()
  }

  const sealCurrent = async (): Promise<void> => {
    while (syncing !== null) await syncing
    if (current === null) return
    const { path, file, rows } = current
    current = null
    const final = path.replace(/\.open$/, '.seg')
    sealed.set(final, rows)
    await file.close()
    await rename(path, final)
    await syncFolder(folder)
  }

  const finish = async (path: string): Promise<void> => {
    await unlink(path)
    sealed.delete(path)
  }

  const sendUnlessStopped = async (line: string): Promise<HandOver> => (stopped ? 'away' : send(line))

  /** Tries everything that waits once. False = the api is not there, or not well. */
  const pass = async (): Promise<boolean> => {
    const held: { path: string; lines: string[] }[] = []
    let arrived = 0
    let refused = 0
    for (const path of [...sealed.keys()].toSorted()) {
      const left: string[] = []
      const lines = await readLines(path)
      let next = 0
      // One at a time until one has arrived: an api that is away or ill is not rushed.
      for (; arrived === 0 && next < lines.length; next++) {
        const line = lines[next]!
        const outcome = await sendUnlessStopped(line)
        if (outcome === 'away') return false
        if (outcome === 'arrived') arrived++
        else {
          left.push(line)
          if (++refused >= ILL_AFTER) return false
        }
      }
      const others = lines.slice(next)
      const outcomes = await sendAbreast(others, sendUnlessStopped)
      if (outcomes.includes('away')) return false
      left.push(...others.filter((_line, index) => outcomes[index] === 'refused'))
      if (left.length === 0) await finish(path)
      else held.push({ path, lines: left })
    }
    if (arrived === 0) return held.length === 0
    for (const { path, lines } of held) {
      for (const line of lines) {
        const outcome = await send(line)
        if (outcome === 'away') return false
        if (outcome === 'refused') {
          log.error({ tracker, postback: line.slice(0, 500) }, 'a postback that the api cannot take was set aside')
          await appendFile(join(folder, 'pb-refused.jsonl'), `${line}\n`, { mode: 0o600 })
        }
      }
      await finish(path)
    }
    return true
  }

  const drainAll = async (): Promise<void> => {
    let delay = FIRST_DELAY_MS
    while (!stopped && count() > 0) {
      const before = count()
      try {
        await sealCurrent()
        if (await pass()) continue
      } catch (error) {
        log.error({ err: error }, 'waiting postbacks cannot be read')
      }
      delay = count() < before ? FIRST_DELAY_MS : Math.min(delay * 2, LONGEST_DELAY_MS)
      await new Promise<void>((resolve) => {
        wake = resolve
        setTimeout(resolve, delay).unref()
      })
    }
    draining = null
  }
  const drain = (): void => {
    if (!stopped && count() > 0) draining ??= drainAll()
  }

  for (const name of (await readdir(folder)).filter((entry) => /^pb-.*\.(open|seg)$/.test(entry))) {
    const path = join(folder, name.replace(/\.open$/, '.seg'))
    if (name.endsWith('.open')) await rename(join(folder, name), path)
    const rows = (await readLines(path)).length
    // A file without a whole line holds nothing.
    if (rows === 0) await unlink(path)
    else sealed.set(path, rows)
  }
  drain()

  return {
    waiting: () => syncing !== null || count() > 0,
    count,
    store: (line) =>
      new Promise((resolve, reject) => {
        pending.push({ line, done: resolve, failed: reject })
        syncing ??= syncAll()
      }),
    async close() {
      while (syncing !== null) await syncing
      stopped = true
      wake()
      await draining
      await sealCurrent()
    },
  }
}

/** The whole lines of a file; what follows the last line end was never acknowledged. */
async function readLines(path: string): Promise<string[]> {
  return (await readFile(path, 'utf8')).split('\n').slice(0, -1)
}
