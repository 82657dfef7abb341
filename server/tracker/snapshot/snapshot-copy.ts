import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { log } from '#server/platform/log.ts'
import type { Snapshot } from '#server/rules/offer/snapshot.ts'
import type { SnapshotStore } from './snapshot-store.ts'

/** The copy is written at most this often. */
const WRITE_EVERY_MS = 2000
const ENTRIES_PER_TURN = 500

export type SnapshotCopy = {
  /** Says that the store changed. */
  changed(): void
  /** Writes what is due. */
  close(): Promise<void>
}

/** Keeps a copy of the store at `path` (0600: it holds keys), so that a tracker can start while the api is down. */
export function keepSnapshotCopy(path: string, store: SnapshotStore): SnapshotCopy {
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  const save = () => {
    timer = undefined
    writing = writing
      .then(() => writeCopy(path, store))
      .catch((error: unknown) => log.error({ err: error, path }, 'the copy of the snapshot could not be written'))
  }
  return {
    changed: () => void (timer ??= setTimeout(save, WRITE_EVERY_MS)),
    async close() {
      if (timer !== undefined) {
        clearTimeout(timer)
        save()
      }
      await writing
    },
  }
}

/** The copy, or null when there is none or it cannot be read. */
export async function readSnapshotCopy(path: string): Promise<Snapshot | null> {
  try {
    const snapshot = JSON.parse(await readFile(path, 'utf8')) as Snapshot // our own file; a torn one does not parse
    return Array.isArray(snapshot.offers) && snapshot.keys ? { ...snapshot, trafficback: readTrafficback(snapshot.trafficback) } : null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') log.error({ err: error, path }, 'the copy of the snapshot cannot be read') // what fs throws
    return null
  }
}

/** A copy written before there were addresses by reason holds the one alone. */
function readTrafficback(kept: Snapshot['trafficback'] | string | null): Snapshot['trafficback'] {
  return kept === null || typeof kept === 'string' ? { url: kept, groups: {} } : kept
}

/** Some entries per turn: 20,000 offers in one text would hold up every click for 100 ms. Changes in between do no harm, they are upserts. */
async function writeCopy(path: string, store: SnapshotStore): Promise<void> {
  if (store.keys === null) return
  await mkdir(dirname(path), { recursive: true })
  const part = `${path}.${process.pid}`
  const file = await open(part, 'w', 0o600)
  try {
    await file.write(`{"seq":${store.seq},"keys":${JSON.stringify(store.keys)},"trafficback":${JSON.stringify(store.trafficback)}`)
    for (const [name, values] of [
      ['offers', store.offers],
      ['affiliates', store.affiliates],
      ['links', store.links],
    ] as const) {
      await file.write(`,"${name}":[`)
      let first = true
      let texts: string[] = []
      for (const value of values.values()) {
        texts.push(JSON.stringify(value))
        if (texts.length < ENTRIES_PER_TURN) continue
        await file.write(`${first ? '' : ','}${texts.join()}`)
        first = false
        texts = []
        await nextTurn()
      }
      if (texts.length > 0) await file.write(`${first ? '' : ','}${texts.join()}`)
      await file.write(']')
    }
    await file.write('}')
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(part, path)
}
