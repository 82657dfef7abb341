import { existsSync, readFileSync } from 'node:fs'
import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'

export type Space = { free: number; total: number }

/** Free and whole space of the file system a folder lies on, in bytes; null where there is no such folder. */
export async function spaceOf(folder: string): Promise<Space | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { free: bavail * bsize, total: blocks * bsize }
  } catch {
    return null
  }
}

const MEGABYTE = 1024 * 1024

/** What a folder lacks for so many bytes more, in words; null where there is room, or nobody can say. */
export async function lackOf(folder: string, needed: number): Promise<string | null> {
  const space = await spaceOf(folder)
  if (space === null || space.free >= needed) return null
  return `${Math.floor(space.free / MEGABYTE)} MB free, about ${Math.ceil(needed / MEGABYTE)} MB wanted in ${folder}`
}

/** Where a data folder keeps what grows: itself, and the cluster where that had to be kept elsewhere. */
export function growingFolders(dataDir: string): string[] {
  const record = join(dataDir, 'postgres-folder')
  const cluster = existsSync(record) ? readFileSync(record, 'utf8').trim() : ''
  return cluster === '' || cluster.startsWith(dataDir) ? [dataDir] : [dataDir, cluster]
}

/** What the file system with the least room of those an instance writes to has left. */
export async function leastSpace(dataDir: string): Promise<Space | null> {
  const all = (await Promise.all(growingFolders(dataDir).map(spaceOf))).filter((space) => space !== null)
  return all.toSorted((a, b) => a.free - b.free)[0] ?? null
}

/** Bytes of the files below a folder; 0 where there is none. What goes away meanwhile is not counted. */
export async function bytesBelow(folder: string, skip: ReadonlySet<string> = new Set()): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  let bytes = 0
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (skip.has(entry.name)) continue
    if (entry.isDirectory()) bytes += await bytesBelow(path)
    else if (entry.isFile()) bytes += (await stat(path).catch(() => null))?.size ?? 0
  }
  return bytes
}
