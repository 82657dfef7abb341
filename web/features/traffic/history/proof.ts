import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'

export type Head = { seq: number; hash: string }
export type Entry = { seq: number; body: string; hash: string }

/** A proof as a file: JSON Lines that `verify-history.mjs` reads. */
export type Proof = { head: Head; entries: number; conversions: number; lines: string[] }
export type Told = { proof: Proof } | { brokenAt: number } | { shorterThan: number }

/** Before the first entry. */
const GENESIS: Head = { seq: 0, hash: '0'.repeat(64) }

/** Answers the next entries after a number, and the head the server has by then. */
type LoadEntries = (afterSeq: number) => Promise<{ head: Head; list: Entry[] }>

/**
 * Fetches a whole history up to the head it has at first, checks that each entry's hash follows from the one before, and
 * that it begins with what was there at `earlier`. Answers the file to keep, or where it is broken.
 */
export async function makeProof(
  load: LoadEntries,
  {
    origin,
    at,
    earlier,
    onProgress,
  }: { origin: string; at: string; earlier?: Head | undefined; onProgress: (share: { entries: number; of: number }) => void },
): Promise<Told> {
  const first = await load(0)
  const { head } = first
  const lines: string[] = []
  const conversions = new Set<unknown>()
  let last = GENESIS
  let affiliate: unknown = null
  for (let list = first.list; last.seq < head.seq; list = (await load(last.seq)).list) {
    if (list.length === 0) return { brokenAt: last.seq + 1 }
    for (const entry of list) {
      if (last.seq === head.seq) break
      if (entry.seq !== last.seq + 1 || entry.hash !== hashAfter(last.hash, entry.body)) return { brokenAt: last.seq + 1 }
      last = { seq: entry.seq, hash: entry.hash }
      if (earlier?.seq === last.seq && earlier.hash !== last.hash) return { brokenAt: last.seq }
      const body = JSON.parse(entry.body) as { affiliate?: unknown; conversion?: unknown } // what the chain holds is JSON
      affiliate = body.affiliate
      conversions.add(body.conversion)
      lines.push(JSON.stringify({ seq: entry.seq, hash: entry.hash, body: entry.body }))
    }
    onProgress({ entries: last.seq, of: head.seq })
    if (last.seq === head.seq) break
  }
  if (last.hash !== head.hash) return { brokenAt: head.seq }
  if (earlier !== undefined && earlier.seq > head.seq) return { shorterThan: earlier.seq }
  const header = JSON.stringify({ format: 'ohma-history', version: 1, network: origin, affiliate, exported_at: at, head })
  return { proof: { head, entries: head.seq, conversions: conversions.size, lines: [header, ...lines] } }
}

function hashAfter(before: string, body: string): string {
  return sha256(concatBytes(hexToBytes(before), utf8ToBytes(body))).reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '')
}

/** The head an earlier file names in its first line; undefined where it is no proof. */
export async function readEarlier(file: Blob): Promise<Head | undefined> {
  // the first line of any proof is much shorter
  const [line = ''] = (await file.slice(0, 2_000).text()).split('\n')
  try {
    const { format, version, head } = JSON.parse(line) as { format?: unknown; version?: unknown; head?: Partial<Head> } // anything: checked below
    const known = format === 'ohma-history' && version === 1 && Number.isSafeInteger(head?.seq) && /^[0-9a-f]{64}$/.test(head?.hash ?? '')
    return known ? (head as Head) : undefined // both of its fields were looked at
  } catch {
    return undefined
  }
}
