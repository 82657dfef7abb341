import { open, readdir, readFile, rename, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '#server/platform/clock.ts'
import { log } from '#server/platform/log.ts'
import { syncFolder } from './segment.ts'

const FIRST_DELAY_MS = 200
const LONGEST_DELAY_MS = 5_000

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
 * The line in which postbacks wait for the api, in `pb-` files beside the click segments. `send` hands one over and says
 * whether it arrived; what has not arrived is tried again, in order, until it has. At least once: the api knows repeats by their id.
 */
export async function openPostbackSpool(
  folder: string,
  tracker: string,
  clock: Clock,
  send: (line: string) => Promise<boolean>,
): Promise<PostbackSpool> {
  let current: { path: string; file: FileHandle; rows: number } | null = null
  let made = 0
  let waiting = 0
  let pending: { line: string; done: () => void; failed: (error: unknown) => void }[] = []
  let syncing: Promise<void> | null = null
  let draining: Promise<void> | null = null
  let stopped = false
  let wake = () => {}

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
        waiting += group.length
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
    const { path, file } = current
    current = null
    await file.close()
    await rename(path, path.replace(/\.open$/, '.seg'))
    await syncFolder(folder)
  }

  const drainFile = async (path: string): Promise<boolean> => {
    const lines = (await readFile(path, 'utf8')).split('\n')
    // What follows the last line end was never acknowledged.
    for (const line of lines.slice(0, -1)) {
      if (stopped || !(await send(line))) return false
      waiting--
    }
    await unlink(path)
    return true
  }

  const drainAll = async (): Promise<void> => {
    let delay = FIRST_DELAY_MS
    while (!stopped && waiting > 0) {
      const before = waiting
      try {
        await sealCurrent()
        let arrived = true
        for (const name of await sealedFiles(folder)) {
          const counted = waiting
          arrived = await drainFile(join(folder, name))
          // An unfinished file is sent again from its first line.
          if (!arrived) waiting = counted
          if (!arrived) break
        }
        if (arrived) continue
      } catch (error) {
        log.error({ err: error }, 'waiting postbacks cannot be read')
      }
      delay = waiting < before ? FIRST_DELAY_MS : Math.min(delay * 2, LONGEST_DELAY_MS)
      await new Promise<void>((resolve) => {
        wake = resolve
        setTimeout(resolve, delay).unref()
      })
    }
    draining = null
  }
  const drain = (): void => {
    if (!stopped && waiting > 0) draining ??= drainAll()
  }

  for (const name of (await readdir(folder)).filter((entry) => entry.startsWith('pb-') && entry.endsWith('.open'))) {
    await rename(join(folder, name), join(folder, name.replace(/\.open$/, '.seg')))
  }
  for (const name of await sealedFiles(folder)) waiting += (await readFile(join(folder, name), 'utf8')).split('\n').length - 1
  // Files without a whole line hold nothing.
  for (const name of await sealedFiles(folder))
    if (!(await readFile(join(folder, name), 'utf8')).includes('\n')) await unlink(join(folder, name))
  drain()

  return {
    waiting: () => waiting > 0 || pending.length > 0 || syncing !== null,
    count: () => waiting,
    store: (line) =>
      new Promise((resolve, reject) => {
        pending.push({ line, done: resolve, failed: reject })
        syncing ??= syncAll()
      }),
    async close() {
      await syncing
      stopped = true
      wake()
      await draining
      await sealCurrent()
    },
  }
}

async function sealedFiles(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.startsWith('pb-') && name.endsWith('.seg')).toSorted()
}
