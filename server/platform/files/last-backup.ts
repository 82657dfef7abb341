import { mkdirSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const fileOf = (dataDir: string) => join(dataDir, 'run', 'backup.json')
const last = z.object({ at: z.iso.datetime() })

/** Notes that a backup of this instance was finished now. */
export function noteBackup(dataDir: string, at: Date): void {
  mkdirSync(join(dataDir, 'run'), { recursive: true, mode: 0o700 })
  writeFileSync(fileOf(dataDir), JSON.stringify({ at: at.toISOString() } satisfies z.output<typeof last>))
}

/** When the last backup of this instance was finished, ISO 8601; null = none that anybody noted. */
export async function lastBackup(dataDir: string): Promise<string | null> {
  try {
    return last.parse(JSON.parse(await readFile(fileOf(dataDir), 'utf8'))).at
  } catch {
    // never made, or written this very moment
    return null
  }
}
