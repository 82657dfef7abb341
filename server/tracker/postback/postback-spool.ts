import { appendFile, open, readdir, readFile, rename, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '#server/platform/clock.ts'
import { log } from '#server/platform/log.ts'
import { sendAbreast } from './abreast.ts'
import { orderOf, type OrderKeys } from './postback-order.ts'
import { createWaitingKeys } from './postback-turns.ts'
import { syncFolder } from '../spool/segment.ts'

const FIRST_DELAY_MS = 200
const LONGEST_DELAY_MS = 5_000
/** So many in a row that the api answers but cannot take: it is the api, not the postbacks. */
const ILL_AFTER = 5

/** `away`: no answer, try again later. `refused`: the api answered, but could not take this one. */
export type HandOver = 'arrived' | 'away' | 'refused'

export type PostbackSpool = {
  /** Whether one waits that a newer one must not overtake: then it has to join the line. */
  holds(keys: OrderKeys): boolean
  /** How many wait. */
  count(): number
  /** Puts one postback (a line of JSON) into the line at once; resolves when it is on disk. */
  store(line: string, keys: OrderKeys): Promise<void>
  /** Tells that the api has taken a postback that had not to wait: it is there, and well. */
  tookAnother(): void
  close(): Promise<void>
}

/** A file of the line: how many postbacks it holds, and which of them are done with, by their number in it. */
type Sealed = { rows: number; done: Set<number> }

type Waiting = { path: string; number: number; line: string }

/**
 * The line in which postbacks wait for the api, in `pb-` files beside the click segments. `send` hands one over; what has
 * not arrived is tried again until it has, those about one click or transaction in order. At least once: the api knows repeats by their id. One that
 * the api cannot take twice while it takes others is set aside in `pb-refused.jsonl` with an alarm, so that it does not hold up what follows it.
 */
export async function openPostbackSpool(
  folder: string,
  tracker: string,
  clock: Clock,
  send: (line: string) => Promise<HandOver>,
): Promise<PostbackSpool> {
  let current: { path: string; file: FileHandle; rows: number; size: number } | null = null
  let made = 0
  const sealed = new Map<string, Sealed>()
  const waitingKeys = createWaitingKeys()
  let pending: { line: string; done: () => void; failed: (error: unknown) => void }[] = []
  let syncing: Promise<void> | null = null
  let draining: Promise<void> | null = null
  let stopped = false
  let wake = () => {}
  // How many the api has taken, from the line or past it, and how many of them before the present try.
  let taken = 0
  let takenBefore = 0
  let foundNobody = false
  const takesOthers = () => taken > takenBefore

  const count = () => [...sealed.values()].reduce((sum, { rows, done }) => sum + rows - done.size, current?.rows ?? 0)

  const startFile = async () => {
    // The names are the order, also when the clock was put back.
    newest = Math.max(newest, clock.now())
    const id = `${tracker}-${String(newest).padStart(13, '0')}-${String(made++ % 1_000_000).padStart(6, '0')}`
    const path = join(folder, `pb-${id}.open`)
    const file = await open(path, 'ax', 0o600)
    await syncFolder(folder)
    return { path, file, rows: 0, size: 0 }
  }

  // Lines that come while a sync runs share the next one.
  const syncAll = async (): Promise<void> => {
    while (pending.length > 0) {
      const group = pending
      pending = []
      try {
        current ??= await startFile()
        const bytes = Buffer.from(group.map((entry) => `${entry.line}\n`).join(''))
        await current.file.appendFile(bytes)
        await current.file.datasync()
        current.rows += group.length
        current.size += bytes.length
        for (const entry of group) entry.done()
      } catch (error) {
        // Half a line at the end would swallow the beginning of the next.
        await current?.file.truncate(current.size).catch(() => {})
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
    sealed.set(final, { rows, done: new Set() })
    await file.close()
    await rename(path, final)
    await syncFolder(folder)
  }

  const finishDone = async (path: string): Promise<void> => {
    const file = sealed.get(path)
    if (file === undefined || file.done.size < file.rows) return
    await unlink(path)
    sealed.delete(path)
  }

  const settle = ({ path, number, line }: Waiting): void => {
    sealed.get(path)?.done.add(number)
    waitingKeys.remove(orderOf(line))
  }

  const waitingIn = async (path: string): Promise<Waiting[]> => {
    const { rows, done } = sealed.get(path) ?? { rows: 0, done: new Set() }
    const lines = (await readLines(path)).slice(0, rows)
    return lines.map((line, number) => ({ path, number, line })).filter(({ number }) => !done.has(number))
  }

  const handOver = async (one: Waiting): Promise<HandOver> => {
    const outcome = stopped ? 'away' : await send(one.line)
    foundNobody ||= outcome === 'away'
    if (outcome !== 'arrived') return outcome
    taken++
    settle(one)
    return outcome
  }

  const setAside = async (one: Waiting): Promise<void> => {
    log.error({ tracker, postback: one.line.slice(0, 500) }, 'a postback that the api cannot take was set aside')
    await appendFile(join(folder, 'pb-refused.jsonl'), `${one.line}\n`, { mode: 0o600 })
    settle(one)
  }

  /** Tries what waits in a file, and adds what the api could not take to `left`. False = the api is not there, or not well. */
  const tryFile = async (path: string, refused: Set<string>, left: { one: Waiting; tries: number }[]): Promise<boolean> => {
    const waiting = await waitingIn(path)
    while (waiting.length > 0) {
      // One at a time until one has arrived: an api that is away or ill is not rushed.
      const group = waiting.splice(0, takesOthers() ? waiting.length : 1)
      const outcomes = await sendAbreast(
        group.map(({ line }) => line),
        (_line, index) => handOver(group[index]!),
        refused,
      )
      if (outcomes.includes('away')) return false
      for (const [index, outcome] of outcomes.entries()) {
        if (outcome !== 'arrived') left.push({ one: group[index]!, tries: outcome === 'refused' ? 1 : 0 })
      }
      if (!takesOthers() && left.filter(({ tries }) => tries > 0).length >= ILL_AFTER) return false
    }
    return true
  }

  /** Tries everything that waits once, and what was refused or held a second time if the api takes others. False = the api is not there, or not well. */
  const pass = async (): Promise<boolean> => {
    foundNobody = false
    const refused = new Set<string>()
    const left: { one: Waiting; tries: number }[] = []
    const paths = [...sealed.keys()].toSorted()
    for (const path of paths) {
      if (!(await tryFile(path, refused, left))) return false
      await finishDone(path)
    }
    if (left.length > 0 && !takesOthers()) return false
    for (const { one, tries } of left) {
      let outcome: HandOver = 'refused'
      for (let tried = tries; outcome === 'refused' && tried < 2; tried++) outcome = await handOver(one)
      if (outcome === 'away') return false
      if (outcome === 'refused') await setAside(one)
    }
    for (const path of paths) await finishDone(path)
    return true
  }

  /** A pass over a sealed line; what goes wrong on our own side is tried again like an api that is away. */
  const attempt = async (): Promise<boolean> => {
    try {
      await sealCurrent()
      return await pass()
    } catch (error) {
      log.error({ err: error }, 'waiting postbacks cannot be read')
      return false
    } finally {
      takenBefore = taken
    }
  }

  const drainAll = async (): Promise<void> => {
    let delay = FIRST_DELAY_MS
    takenBefore = taken
    while (!stopped && count() > 0) {
      const before = count()
      if (await attempt()) continue
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

  const names = (await readdir(folder)).filter((entry) => /^pb-.*\.(open|seg)$/.test(entry))
  let newest = Math.max(0, ...names.map((name) => Number(/-(\d{13})-\d+\./.exec(name)?.[1] ?? 0) + 1))
  for (const name of names) {
    const path = join(folder, name.replace(/\.open$/, '.seg'))
    if (name.endsWith('.open')) await rename(join(folder, name), path)
    const lines = await readLines(path)
    for (const line of lines) waitingKeys.add(orderOf(line))
    // A file without a whole line holds nothing.
    if (lines.length === 0) await unlink(path)
    else sealed.set(path, { rows: lines.length, done: new Set() })
  }
  drain()

  return {
    holds: (keys) => waitingKeys.has(keys),
    count,
    store: (line, keys) =>
      new Promise((resolve, reject) => {
        waitingKeys.add(keys)
        const failed = (error: unknown) => {
          waitingKeys.remove(keys)
          reject(error)
        }
        pending.push({ line, done: resolve, failed })
        syncing ??= syncAll()
      }),
    tookAnother() {
      taken++
      if (foundNobody) wake()
    },
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
