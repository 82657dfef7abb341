import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** What a tracker or the ingester says about itself, and how old that is. */
export type StatusFile = { name: string; age_s: number; figures: Record<string, string | number | boolean | null> }

/** Files of processes that left for good are passed over. */
const FORGOTTEN_S = 86_400

/** What trackers and the ingester of this machine wrote last; none where they run elsewhere. */
export async function readStatusFiles(dataDir: string, now: number): Promise<StatusFile[]> {
  const folder = join(dataDir, 'run')
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^(tracker-.+|ingester)\.json$/.test(name)).toSorted()
  const found = await Promise.all(names.map((name) => readStatusFile(join(folder, name), name.replace(/\.json$/, ''), now)))
  return found.filter((file) => file !== null).filter((file) => file.age_s < FORGOTTEN_S)
}

const status = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]).catch(null))

async function readStatusFile(path: string, name: string, now: number): Promise<StatusFile | null> {
  try {
    const figures = status.parse(JSON.parse(await readFile(path, 'utf8')))
    const written = figures['written_at'] ?? figures['at'] ?? 0
    return { name, age_s: secondsOf(now - (typeof written === 'string' ? Date.parse(written) : Number(written))), figures }
  } catch {
    // removed or half written this very moment
    return null
  }
}

const noted = z.array(z.object({ name: z.string(), pid: z.int(), since: z.number().optional(), restarts: z.number().optional() }))

/** The processes the supervisor of this data folder keeps running; none where nobody supervises. */
export async function readProcessList(dataDir: string): Promise<z.output<typeof noted>> {
  try {
    return noted.parse(JSON.parse(await readFile(join(dataDir, 'run', 'processes.json'), 'utf8')))
  } catch {
    return []
  }
}

/** Tenths of a second, never negative. */
export function secondsOf(ms: number): number {
  return Math.max(0, Math.round(ms / 100) / 10)
}
