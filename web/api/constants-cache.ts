import { z } from 'zod'

/** How long the browser keeps the constants: 24 hours. */
export const CONSTANTS_LIFETIME = 86_400_000

export type ConstantsOwner = { uuid: string; role: string }
export type CachedConstants = { version: string; saved_at: number; data: unknown }

const cached = z.object({ version: z.string(), saved_at: z.number(), data: z.unknown() })

/** Reads what the browser kept for this person and role; undefined when there is nothing, or it is older than 24 hours. */
export function readCachedConstants(storage: Pick<Storage, 'getItem'>, owner: ConstantsOwner, now: number): CachedConstants | undefined {
  try {
    const entry = cached.parse(JSON.parse(storage.getItem(keyOf(owner)) ?? 'null'))
    const age = now - entry.saved_at
    return age >= 0 && age < CONSTANTS_LIFETIME ? { ...entry, data: entry.data } : undefined
  } catch {
    return undefined
  }
}

/** Keeps constants for the next start. A full or forbidden storage costs one request, nothing else. */
export function writeCachedConstants(storage: Pick<Storage, 'setItem'>, owner: ConstantsOwner, entry: CachedConstants): void {
  try {
    storage.setItem(keyOf(owner), JSON.stringify(entry))
  } catch {
    // see above
  }
}

function keyOf({ uuid, role }: ConstantsOwner): string {
  return `ohma.constants.${uuid}.${role}`
}
