import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Bytes under names that we choose ourselves (uuids), in the folder `files` of the data folder. */
export type FileStore = {
  /** Whole and on disk when it resolves, or not there at all. */
  save(name: string, bytes: Uint8Array): Promise<void>
  /** Null where there is none. */
  read(name: string): Promise<Buffer | null>
  remove(name: string): Promise<void>
  /** Names of what was last written before a moment (ms), unfinished writes among them. */
  namesBefore(moment: number): Promise<string[]>
}

/** Opens the store of a data folder; backups take it along with the folder. */
export function openFileStore(dataDir: string): FileStore {
  const folder = join(dataDir, 'files')
  return {
    async save(name, bytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const half = join(folder, `${name}.part`)
      try {
        await synced(half, 'w', async (file) => file.writeFile(bytes))
        await rename(half, join(folder, name))
      } catch (error) {
        // on a full disk half a file would keep the room others need
        await rm(half, { force: true })
        throw error
      }
      await synced(folder, 'r')
    },
    read: (name) => readFile(join(folder, name)).catch(nothingThere(null)),
    remove: (name) => rm(join(folder, name), { force: true }),
    async namesBefore(moment) {
      const names = await readdir(folder).catch(nothingThere<string[]>([]))
      const times = await Promise.all(names.map((name) => stat(join(folder, name)).catch(nothingThere(null))))
      return names.filter((_name, index) => (times[index]?.mtimeMs ?? Infinity) < moment)
    },
  }
}

async function synced(path: string, flags: string, work?: (file: Awaited<ReturnType<typeof open>>) => Promise<void>): Promise<void> {
  const file = await open(path, flags, 0o600)
  try {
    await work?.(file)
    await file.sync()
  } finally {
    await file.close()
  }
}

function nothingThere<Value>(value: Value): (error: NodeJS.ErrnoException) => Value {
  return (error) => {
    if (error.code === 'ENOENT') return value
    throw error
  }
}
