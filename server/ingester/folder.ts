import { open, readdir, readFile, rename, truncate, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { isRunning, type ProcessIdentity } from '#server/platform/process/identity.ts'
import { endOfRows, readSegment } from './segment.ts'

/** The trackers that have a spool folder, also those that are gone. */
export async function listTrackers(spool: string): Promise<string[]> {
  const entries = await readdir(spool, { withFileTypes: true }).catch(emptyWhenMissing)
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
}

/** The sealed segments of a folder, oldest first. Postback segments (`pb-`) belong to the tracker. */
export async function sealedSegments(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(emptyWhenMissing)
  return names
    .filter((name) => name.endsWith('.seg') && !name.startsWith('pb-'))
    .map((name) => name.slice(0, -'.seg'.length))
    .sort()
}

/**
 * Seals what a tracker that is gone left open, or deletes it where it holds no row. Returns the ids it sealed.
 * The folder is listed before the lock is looked at: what is in the list was written by the one that is gone.
 */
export async function sealAbandoned(folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch(emptyWhenMissing)).filter((name) => name.endsWith('.open') && !name.startsWith('pb-'))
  if (names.length === 0 || (await isHeld(folder))) return []
  const sealed: string[] = []
  for (const name of names) {
    const id = name.slice(0, -'.open'.length)
    // A tracker that starts just now does the same work: whoever comes second finds the file gone.
    if (await seal(folder, id).catch(falseWhenGone)) sealed.push(id)
  }
  return sealed
}

async function seal(folder: string, id: string): Promise<boolean> {
  const path = join(folder, `${id}.open`)
  const bytes = await readFile(path)
  const segment = readSegment(bytes)
  if (segment === null || segment.rows.length === 0) {
    // Without a whole row nothing in it was ever acknowledged.
    await unlink(path)
    return false
  }
  await truncate(path, endOfRows(bytes))
  await sync(path)
  await rename(path, join(folder, `${id}.seg`))
  await sync(folder)
  return true
}

async function isHeld(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, 'lock'), 'utf8').catch(() => null)
  if (text === null) return false
  try {
    return isRunning(JSON.parse(text) as ProcessIdentity) // written by the tracker; anything else is no running process
  } catch {
    return false
  }
}

/** Makes what was written to a file, or the names in a folder, survive a power cut. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function emptyWhenMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return []
  throw error
}

function falseWhenGone(error: NodeJS.ErrnoException): false {
  if (error.code === 'ENOENT') return false
  throw error
}
