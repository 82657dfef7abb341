import { readFileSync, writeFileSync, rmSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { identityOf, isRunning, type ProcessIdentity } from '#server/platform/process/identity.ts'

/**
 * Claims a spool folder for this process: the file `lock` holds its number and start. A folder whose owner is gone is
 * taken over. Throws when another live process holds it. Returns the call that gives it back.
 */
export function claimFolder(folder: string): () => void {
  const path = join(folder, 'lock')
  const holder = readLock(path)
  if (holder !== null && holder.pid !== process.pid && isRunning(holder))
    throw new Error(`${folder} belongs to process ${holder.pid}, which is running`)
  writeFileSync(`${path}.${process.pid}`, JSON.stringify(identityOf(process.pid)), { mode: 0o600 })
  renameSync(`${path}.${process.pid}`, path)
  return () => rmSync(path, { force: true })
}

function readLock(path: string): ProcessIdentity | null {
  try {
    const lock = JSON.parse(readFileSync(path, 'utf8')) as Partial<ProcessIdentity> | null // our own file, checked below
    return typeof lock?.pid === 'number' && typeof lock.started === 'string' ? { pid: lock.pid, started: lock.started } : null
  } catch {
    return null
  }
}
