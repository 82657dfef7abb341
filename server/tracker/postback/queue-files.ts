import { open, readdir, readFile, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '#server/platform/clock.ts'
import { log } from '#server/platform/log.ts'
import { syncFolder } from '../spool/segment.ts'

/** A file is read whole, so no more is written to it past this size. */
const LARGEST_FILE = 8 * 1024 * 1024

/** An earlier version left the file it was writing as `.open`; its lines are the same. The digits are the order. */
const QUEUE_FILE = /^pb-.*-(\d{13})-\d+\.(?:seg|open)$/

type QueueFile = { path: string; left: number }

/** A postback (a line of JSON) read back from the disk. */
export type Stored = { file: QueueFile; line: string }

export type QueueFiles = {
  /** Resolves when the line is on disk; those that are appended while a sync runs share the next one. */
  append(line: string): Promise<void>
  /** The lines of the oldest file that was not read yet; none when there is none. */
  readNext(): Promise<Stored[]>
  /** Forgets a line; the file goes with its last one. */
  remove(stored: Stored): Promise<void>
  /** Moves a line to `pb-refused.jsonl`. */
  setAside(stored: Stored): Promise<void>
  close(): Promise<void>
}

/**
 * Keeps the postbacks that wait, in `pb-` files beside the click segments whose names are their order; answers also how
 * many an earlier run has left. A line that was read but not removed is read again by the next run.
 */
export async function openQueueFiles(folder: string, tracker: string, clock: Clock): Promise<{ files: QueueFiles; found: number }> {
  let current: { file: QueueFile; handle: FileHandle; size: number } | null = null
  let pending: { line: string; done: () => void; failed: (error: unknown) => void }[] = []
  let work: Promise<void> = Promise.resolve()
  let made = 0

  const names = (await readdir(folder)).filter((name) => QUEUE_FILE.test(name)).toSorted()
  // The names are the order, also when the clock was put back.
  let newest = Math.max(0, ...names.map((name) => Number(QUEUE_FILE.exec(name)?.[1] ?? 0) + 1))
  const unread: QueueFile[] = []
  for (const name of names) {
    const path = join(folder, name)
    const left = (await readLines(path)).length
    if (left === 0) await unlink(path)
    else unread.push({ path, left })
  }

  const startFile = async () => {
    newest = Math.max(newest, clock.now())
    const id = `${tracker}-${String(newest).padStart(13, '0')}-${String(made++ % 1_000_000).padStart(6, '0')}`
    const path = join(folder, `pb-${id}.seg`)
    const handle = await open(path, 'ax', 0o600)
    await syncFolder(folder)
    return { file: { path, left: 0 }, handle, size: 0 }
  }

  const endFile = async () => {
    if (current === null) return
    const { file, handle } = current
    current = null
    if (file.left > 0) unread.push(file)
    await handle.close()
    if (file.left === 0) await unlink(file.path)
  }

  const writePending = async () => {
    const group = pending
    pending = []
    try {
      current ??= await startFile()
      const bytes = Buffer.from(group.map(({ line }) => `${line}\n`).join(''))
      await current.handle.appendFile(bytes)
      await current.handle.datasync()
      current.file.left += group.length
      current.size += bytes.length
      for (const { done } of group) done()
      if (current.size >= LARGEST_FILE) await endFile()
    } catch (error) {
      for (const { failed } of group) failed(error)
      // What was half written is cut off: the next line would stand behind it.
      await current?.handle.truncate(current.size).catch(endFile)
    }
  }
  /** One after the other: a file is not ended while it is written to. */
  const serially = (step: () => Promise<void>): Promise<void> => {
    const done = work.then(step)
    work = done.catch(() => {})
    return done
  }

  const remove = async ({ file }: Stored) => {
    file.left--
    if (file.left === 0) await unlink(file.path)
  }

  const files: QueueFiles = {
    append: (line) =>
      new Promise((done, failed) => {
        pending.push({ line, done, failed })
        if (pending.length === 1) void serially(writePending).catch(failed)
      }),
    async readNext() {
      if (unread.length === 0) await serially(endFile)
      const [file] = unread
      if (file === undefined) return []
      const lines = (await readLines(file.path)).slice(0, file.left)
      unread.shift()
      return lines.map((line) => ({ file, line }))
    },
    remove,
    async setAside(stored) {
      log.error({ tracker, postback: stored.line.slice(0, 500) }, 'a postback that the api cannot take was set aside')
      const handle = await open(join(folder, 'pb-refused.jsonl'), 'a', 0o600)
      try {
        await handle.appendFile(`${stored.line}\n`)
        await handle.datasync()
      } finally {
        await handle.close()
      }
      await remove(stored)
    },
    close: () => serially(endFile),
  }
  return { files, found: unread.reduce((sum, { left }) => sum + left, 0) }
}

/** The whole lines of a file; what follows the last line end was never acknowledged. */
async function readLines(path: string): Promise<string[]> {
  return (await readFile(path, 'utf8')).split('\n').slice(0, -1)
}
