import { constants } from 'node:fs'
import { access, mkdir, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { z } from 'zod'
import type { backupSetting } from '#contract/network/system.ts'
import { backupMoment, backupName, dueMoments, outdated } from '#server/rules/backup-files.ts'
import { AppError } from '#server/platform/errors.ts'
import { lackOf, spaceOf } from '#server/platform/files/space.ts'
import type { RunResult } from './run.service.ts'

export type BackupSettings = typeof backupSetting.defaults
/** Runs one of our own commands and answers what it printed; throws its last words when it fails. */
export type RunCommand = (args: readonly string[], env: Record<string, string>) => Promise<string>

const MOST_FILES = 50
const MEGABYTE = 1024 * 1024
/** A restore takes about so much more than its file: indexes, and statistics that were packed. */
const RESTORED_TIMES = 6

/** Throws `invalid_input` where backups cannot be written: no folder of the server, inside of the data folder, or closed to us. */
export async function refuseFolder(dataDir: string, { on, folder }: BackupSettings): Promise<void> {
  if (folder === '') {
    if (on) wrong('Required')
    return
  }
  if (!isAbsolute(folder)) wrong('A whole path on the server, such as /backup/ohma')
  const whole = resolve(folder)
  const data = await realpath(dataDir).catch(() => resolve(dataDir))
  const refuseInside = (path: string) => {
    const inside = relative(data, path)
    if (inside === '' || !(inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)))
      wrong('Choose a folder outside of the data folder: both would be lost together')
  }
  // where it would be comes first: a folder that is refused must not stay behind
  const parent = await realpath(dirname(whole)).catch(() => wrong('This folder cannot be made'))
  refuseInside(join(parent, basename(whole)))
  await makeFolder(whole).catch(() => wrong('This folder cannot be made'))
  const real = await realpath(whole)
  refuseInside(real)
  const probe = join(real, `.ohma-probe-${process.pid}`)
  try {
    await access(real, constants.W_OK)
    await writeFile(probe, 'may be deleted')
    await rm(probe)
  } catch {
    wrong('Ohma may not write into this folder')
  }
}

/** The backups in a folder, the youngest first; only whole ones have their name. */
export async function listBackups(folder: string): Promise<{ name: string; bytes: number; at: number }[]> {
  if (folder === '') return []
  const names = await readdir(folder).catch(() => [])
  const found = await Promise.all(
    names.map(async (name) => {
      const at = backupMoment(name)
      const file = at === null ? null : await stat(join(folder, name)).catch(() => null)
      return at === null || file === null ? [] : [{ name, bytes: file.size, at }]
    }),
  )
  return found.flat().toSorted((a, b) => b.at - a.at)
}

/** What the system page shows of backups. */
export async function describeBackups(settings: BackupSettings, now: number) {
  const { on, folder, hour, time_zone } = settings
  const [files, space] = await Promise.all([listBackups(folder), folder === '' ? null : spaceOf(folder)])
  return {
    on,
    folder,
    next_at: on ? new Date(dueMoments(now, hour, time_zone).next).toISOString() : null,
    files: files.slice(0, MOST_FILES).map(({ at, ...file }) => ({ ...file, at: new Date(at).toISOString() })),
    free_bytes: space?.free ?? null,
  }
}

/**
 * Writes a backup into the folder and removes those that have had their time. It has its name only when it is whole; what an earlier
 * one that was killed left half is removed. Throws in words.
 */
export async function backUp(
  parts: { dataDir: string; run: RunCommand; sizes(): Promise<number> },
  settings: BackupSettings,
  now: number,
): Promise<RunResult> {
  const { folder } = settings
  if (folder === '') throw new Error('no folder for backups is set')
  await makeFolder(folder)
  for (const name of await readdir(folder))
    if (/^ohma-\d{8}-\d{6}\.tar\.zst\.part$/.test(name)) await rm(join(folder, name), { force: true })
  const before = await listBackups(folder)
  // text packed is smaller than what it is packed from
  const needed = Math.max(50 * MEGABYTE, before[0] === undefined ? (await parts.sizes()) / 2 : before[0].bytes * 1.2)
  await refuseFullDisk(folder, needed)
  const file = join(folder, backupName(now))
  await parts.run(['backup', file], { DATA_DIR: parts.dataDir })
  const { size } = await stat(file)
  for (const name of outdated(
    (await listBackups(folder)).map((one) => one.name),
    settings,
  ))
    await rm(join(folder, name), { force: true })
  return { file, bytes: size }
}

/** What `try-restore` says in the last line it prints: how much there was, all of it as in the backup. */
export const restoredTotals = z.object({ rows: z.int(), clicks: z.int() })

/**
 * Restores the latest backup into a folder beside it, with databases of its own, compares all totals, and removes it again. What an
 * earlier trial that was killed left is removed first, by the command. Throws in words.
 */
export async function tryBackup(parts: { run: RunCommand }, settings: BackupSettings): Promise<RunResult> {
  const { folder } = settings
  const [latest] = await listBackups(folder)
  if (latest === undefined) throw new Error('there is no backup yet')
  const scratch = join(folder, '.ohma-trial')
  await refuseFullDisk(folder, Math.max(500 * MEGABYTE, latest.bytes * RESTORED_TIMES))
  const file = join(folder, latest.name)
  // the databases of this instance must not be taken for its own; the command leaves nothing behind, whatever comes
  const output = await parts.run(['try-restore', file], {
    DATA_DIR: scratch,
    DATABASE_URL: '',
    CLICKHOUSE_URL: '',
    EVENTS_MEMORY_MB: '512',
  })
  await rm(scratch, { recursive: true, force: true })
  // its databases may write to the same output
  const said = output.split('\n').findLast((line) => line.startsWith('{'))
  return { file, bytes: latest.bytes, ...restoredTotals.parse(JSON.parse(said ?? 'null')) }
}

/** Only the last part of a path is made: a slip of the pen must not grow a tree of folders. */
async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}

async function refuseFullDisk(folder: string, needed: number): Promise<void> {
  const lack = await lackOf(folder, needed)
  if (lack !== null) throw new Error(`there is no space: ${lack}`)
}

function wrong(text: string): never {
  throw new AppError('invalid_input', { fields: { folder: text } })
}
