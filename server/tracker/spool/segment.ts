import { close, constants, fdatasync, fsync, ftruncate, open, rename, unlink, write } from 'node:fs'
import { readdir, readFile, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CLICK_COLUMNS } from '#server/rules/click/click-row.ts'

/** The first line of a segment: which columns its rows have. */
export const SEGMENT_HEADER = Buffer.from(`#ohma1\t${CLICK_COLUMNS.join('\t')}\n`, 'latin1')

/** A segment holds at most this much, so that it is one block and one insert. */
export const LARGEST_SEGMENT = { rows: 100_000, bytes: 64 * 1024 * 1024 }

/** The file operations of the spool; a test puts a full disk in their place. */
export type SegmentFiles = {
  /** Makes `<path>` with the header and zeros up to `capacity`, on disk with its folder entry; answers a descriptor whose writes are synced. */
  prepare(path: string, capacity: number): Promise<number>
  /** Writes all of `length` bytes at `position`, synced. */
  write(fd: number, buffer: Buffer, length: number, position: number, done: (error: Error | null) => void): void
  /** Cuts the file to `size`, closes it and gives it its final name. */
  seal(fd: number, path: string, finalPath: string, size: number): Promise<void>
  /** Closes and removes a file that holds no rows. */
  discard(fd: number, path: string): Promise<void>
}

const openFile = promisify(open)
const closeFile = promisify(close)
const truncateFile = promisify(ftruncate)
const syncFile = promisify(fsync)
const syncData = promisify(fdatasync)
const renameFile = promisify(rename)
const removeFile = promisify(unlink)
const ZEROS = Buffer.alloc(1024 * 1024)

/**
 * The real files. A row goes into space that was written with zeros before, through a descriptor opened with O_DSYNC: the
 * sync then moves data only (0.18 ms), not the file's size and block list (0.37 ms), in one hop to the thread pool.
 */
export const segmentFiles: SegmentFiles = {
  async prepare(path, capacity) {
    const fd = await openFile(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
    try {
      await writeAll(fd, SEGMENT_HEADER, SEGMENT_HEADER.length, 0)
      for (let at = SEGMENT_HEADER.length; at < capacity; at += ZEROS.length)
        await writeAll(fd, ZEROS, Math.min(ZEROS.length, capacity - at), at)
      await syncData(fd)
    } catch (error) {
      await removeFile(path).catch(() => {})
      throw error
    } finally {
      await closeFile(fd)
    }
    await syncFolder(join(path, '..'))
    return openFile(path, constants.O_WRONLY | constants.O_DSYNC)
  },

  write(fd, buffer, length, position, done) {
    const step = (from: number): void => {
      write(fd, buffer, from, length - from, position + from, (error, written) => {
        if (error !== null) done(error)
        else if (from + written < length) step(from + written)
        else done(null)
      })
    }
    step(0)
  },

  async seal(fd, path, finalPath, size) {
    await truncateFile(fd, size)
    await closeFile(fd)
    await renameFile(path, finalPath)
    await syncFolder(join(path, '..'))
  },

  async discard(fd, path) {
    await closeFile(fd)
    await removeFile(path)
  },
}

/**
 * Seals what a crash left open: cut after the last whole row, and renamed, or removed when there is no row. The end of
 * data is the first NUL (rows have theirs escaped); a row that lost its end was never acknowledged. Answers how many rows lay there.
 */
export async function sealLeftovers(folder: string): Promise<number> {
  let rows = 0
  const names = (await readdir(folder)).filter((name) => name.endsWith('.open') && !name.startsWith('pb-')).toSorted()
  for (const name of names) {
    // The ingester does the same for trackers that are gone: whoever comes second finds the file gone.
    rows += await sealLeftover(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return 0
      throw error
    })
  }
  await syncFolder(folder)
  return rows
}

async function sealLeftover(path: string): Promise<number> {
  const bytes = await readFile(path)
  const nul = bytes.indexOf(0)
  const data = nul < 0 ? bytes : bytes.subarray(0, nul)
  const end = data.lastIndexOf(0x0a) + 1
  const header = data.indexOf(0x0a) + 1
  if (end <= header) {
    await removeFile(path)
    return 0
  }
  await truncate(path, end)
  const fd = await openFile(path, constants.O_WRONLY)
  await syncFile(fd)
  await closeFile(fd)
  await renameFile(path, path.replace(/\.open$/, '.seg'))
  let rows = 0
  for (let at = header; at < end; at = data.indexOf(0x0a, at) + 1) rows++
  return rows
}

/** Makes names inside a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const fd = await openFile(folder, constants.O_RDONLY)
  try {
    await syncFile(fd)
  } finally {
    await closeFile(fd)
  }
}

function writeAll(fd: number, buffer: Buffer, length: number, position: number): Promise<void> {
  return new Promise((resolve, reject) =>
    segmentFiles.write(fd, buffer, length, position, (error) => (error === null ? resolve() : reject(error))),
  )
}
