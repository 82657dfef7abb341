import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { endOfRows, readSegment } from '#server/ingester/segment.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { Archive } from '#server/platform/files/archive.ts'

/** Belongs to this machine or is backed up by other means. */
const NOT_KEPT = /^(postgres|postgres-.*|events|events-password|metrics-token|upgrades|run|lock.*|ohma\.json|.*\.part|\.probe.*)$/

/**
 * Adds what else lies in the data folder: keys, files, and the spool with the clicks that ClickHouse does not have yet.
 * Nothing may move from the spool to ClickHouse meanwhile. Answers the checksum of each file.
 */
export async function dumpFolder(dataDir: string, clickhouse: Clickhouse, archive: Archive): Promise<Record<string, string>> {
  const sums: Record<string, string> = {}
  for (const path of filesBelow(dataDir)) {
    const content = await contentOf(join(dataDir, path), path, clickhouse)
    if (content === null) continue
    const name = `files/${path}`
    sums[name] = createHash('sha256').update(content).digest('hex')
    await archive.addStream(name, oneChunk(content))
  }
  return sums
}

/** Writes one file of a backup below the data folder; a name that leads elsewhere is refused. */
export function writeFolderFile(dataDir: string, path: string, content: Buffer): void {
  const target = normalize(join(dataDir, path))
  if (relative(dataDir, target).startsWith('..')) throw new Error(`the backup names a file outside of the data folder: ${path}`)
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  writeFileSync(target, content, { mode: 0o600 })
}

/** A segment counts as delivered when its first row is stored: all its rows went in as one block. Null leaves it out. */
async function contentOf(file: string, path: string, clickhouse: Clickhouse): Promise<Buffer | null> {
  const bytes = readOr(file)
  if (bytes === null || !/^spool\/[^/]+\/(?!pb-)[^/]+\.(seg|open)$/.test(path)) return bytes
  const segment = readSegment(bytes)
  if (segment === null || segment.rows.length === 0) return path.endsWith('.open') ? null : bytes
  const first = segment.rows.toString('utf8', 0, segment.rows.indexOf(0x0a)).split('\t')
  const value = (column: string) => first[segment.columns.indexOf(column)] ?? '0'
  const answer = await clickhouse.query({
    query:
      'SELECT count() AS found FROM click WHERE affiliate = {affiliate:UInt32} AND ts = fromUnixTimestamp64Milli({ms:Int64}) AND rnd = {rnd:UInt32}',
    query_params: { affiliate: value('affiliate'), ms: Math.round(Number(value('ts')) * 1000), rnd: value('rnd') },
    format: 'JSONEachRow',
  })
  const [{ found } = { found: '0' }] = await answer.json<{ found: string }>()
  return found === '0' ? bytes.subarray(0, endOfRows(bytes)) : null
}

/** Paths from the data folder, of every file that is kept. */
function filesBelow(dataDir: string): string[] {
  return readdirSync(dataDir, { withFileTypes: true })
    .filter(({ name }) => !NOT_KEPT.test(name))
    .flatMap((entry) => {
      if (!entry.isDirectory()) return entry.isFile() ? [entry.name] : []
      const inside = readdirSync(join(dataDir, entry.name), { recursive: true, withFileTypes: true })
      return inside
        .filter((file) => file.isFile() && file.name !== 'lock' && !file.name.endsWith('.part'))
        .map((file) => relative(dataDir, join(file.parentPath, file.name)))
    })
    .sort()
}

/** Null for a file that is gone. A segment that was sealed since it was listed is found under its new name. */
function readOr(file: string): Buffer | null {
  for (const name of [file, file.replace(/\.open$/, '.seg')]) {
    try {
      return readFileSync(name)
    } catch {}
  }
  return null
}

async function* oneChunk(content: Buffer): AsyncGenerator<Buffer> {
  yield content
}
