import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { identityOf, isRunning, type ProcessIdentity } from '#server/platform/process/identity.ts'
import { StartError } from './console-output.ts'

/** The layout of the folder this version writes. Raise it when older versions could no longer read the folder. */
const FORMAT = 1
/** Below the data folder: the backups made before upgrades. */
export const UPGRADES = 'upgrades'
const LEAST_FREE_BYTES = 500 * 1024 * 1024

/** What the folder says about itself: its format, who wrote it last, and whether it holds the demo network. */
export type FolderState = { format: number; version: string; network: 'demo' | 'main' }

export type DataFolder = {
  state: FolderState
  /** Nothing was in it before. */
  fresh: boolean
  /** Notes that the folder is of this version now: its databases have been brought there. */
  settle(): void
  release(): void
}

/**
 * Takes hold of a data folder: made where it is missing, checked, and locked against a second start.
 * Throws `StartError` with what to do when that cannot be, and then leaves everything as it was.
 * `demo` asks for the demo network: given to a fresh folder, or one that holds it; a folder once used without stays so.
 */
export function takeFolder(dataDir: string, options: { version: string; demo: boolean }): DataFolder {
  makeWritable(dataDir)
  refuseFullDisk(dataDir)
  const before = readState(dataDir)
  if (before !== null && before.format > FORMAT) {
    throw new StartError(
      `${dataDir} was written by a newer version of Ohma (${before.version}); this is ${options.version}.\nStart that version, or choose another folder with DATA_DIR.`,
    )
  }
  if (before !== null && isNewer(before.version, options.version)) throw wayBack(dataDir, before.version, options.version)
  const release = lock(dataDir)
  const state: FolderState = {
    format: FORMAT,
    // until its databases have been brought to this version
    version: before?.version ?? options.version,
    network: options.demo && before?.network !== 'main' ? 'demo' : 'main',
  }
  const write = (said: FolderState) => writeWhole(join(dataDir, 'ohma.json'), `${JSON.stringify(said)}\n`)
  write(state)
  return { state, fresh: before === null, settle: () => write({ ...state, version: options.version }), release }
}

/** Whether an instance that runs holds the folder. */
export function isHeld(dataDir: string): boolean {
  const identity = parseIdentity(readOr(join(dataDir, 'lock')))
  return identity !== null && isRunning(identity)
}

/** Writes a file so that a reader sees either the old or the new content. */
export function writeWhole(file: string, content: string, mode = 0o644): void {
  const half = `${file}.${process.pid}.part`
  writeFileSync(half, content, { mode })
  renameSync(half, file)
}

/** What a folder says about itself; null for one that Ohma has not used yet. */
export function readState(dataDir: string): FolderState | null {
  const file = join(dataDir, 'ohma.json')
  if (!existsSync(file)) return null
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as FolderState // only we write it
  } catch {
    throw new StartError(
      `${file} cannot be read. If you have not changed it, restore a backup; otherwise choose another folder with DATA_DIR.`,
    )
  }
}

/** Whether one version such as 1.10.0 comes after another. */
export function isNewer(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => text.split(/[.+-]/).slice(0, 3).map(Number)) as [number[], number[]] // two in, two out
  const at = a.findIndex((part, index) => part !== b[index])
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0)
}

function wayBack(dataDir: string, newer: string, own: string): StartError {
  return new StartError(
    `${dataDir} belongs to Ohma ${newer}; this is ${own}, which would not understand what that version has written.\nStart ${newer} again. Or go back to before the upgrade: restore the backup that was made then, in ${join(dataDir, UPGRADES)}, onto an empty folder with this version:\n  DATA_DIR=/another/folder npm run restore -- <that file>`,
  )
}

function makeWritable(dataDir: string): void {
  try {
    if (!existsSync(dataDir)) {
      mkdirSync(dataDir, { recursive: true })
      chmodSync(dataDir, 0o711) // the user of PostgreSQL passes through; nobody else lists it
    }
    const probe = join(dataDir, `.probe-${process.pid}`)
    writeFileSync(probe, '')
    rmSync(probe)
  } catch (error) {
    // Node's file errors carry a code.
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC' || code === 'EDQUOT') throw fullDisk(dataDir, 0)
    const why =
      code === 'EACCES' || code === 'EPERM'
        ? 'this user may not write there'
        : code === 'EROFS'
          ? 'the disk is read-only'
          : (error as Error).message
    throw new StartError(`The data folder ${dataDir} cannot be used: ${why}.\nChange its owner, or choose another folder with DATA_DIR.`)
  }
}

/** Throws `StartError` when the disk of a folder has less room than Ohma wants. */
export function refuseFullDisk(dataDir: string, leastFreeBytes = LEAST_FREE_BYTES): void {
  const { bavail, bsize } = statfsSync(dataDir)
  if (bavail * bsize < leastFreeBytes) throw fullDisk(dataDir, bavail * bsize)
}

function fullDisk(dataDir: string, free: number): StartError {
  const megabytes = (bytes: number) => `${Math.floor(bytes / 1024 / 1024)} MB`
  return new StartError(
    `There is no space for the data folder ${dataDir}: ${megabytes(free)} free, Ohma wants ${megabytes(LEAST_FREE_BYTES)}.\nMake room, or choose another folder with DATA_DIR.`,
  )
}

function lock(dataDir: string): () => void {
  const file = join(dataDir, 'lock')
  const mine = JSON.stringify(identityOf(process.pid))
  for (let attempt = 0; attempt < 20; attempt += 1) {
    try {
      writeFileSync(file, mine, { flag: 'wx' })
      return () => {
        if (readOr(file) === mine) rmSync(file, { force: true })
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // Node's file errors carry a code
    }
    const holder = readOr(file)
    const identity = parseIdentity(holder)
    if (identity !== null && isRunning(identity)) {
      throw new StartError(
        `Ohma already runs on ${dataDir} (process ${identity.pid}).\nStop it first, or give this one a folder and ports of its own: DATA_DIR, PORT, TRACKER_PORT.`,
      )
    }
    // Its holder is gone. Of several starters that see this, only the one that can rename the very same lock goes on.
    const aside = `${file}.${process.pid}.stale`
    try {
      renameSync(file, aside)
      if (readOr(aside) !== holder) renameSync(aside, file)
      else rmSync(aside, { force: true })
    } catch {}
  }
  throw new StartError(`The lock ${file} changes all the time: several starts seem to be under way at once.`)
}

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function parseIdentity(text: string): ProcessIdentity | null {
  try {
    return JSON.parse(text) as ProcessIdentity | null // only we write it
  } catch {
    return null
  }
}
