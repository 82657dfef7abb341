import { BLACKLIST_KINDS, MOST_BLACKLIST_ROWS, type BlacklistKind } from '#contract/leads/blacklist.ts'
import { readListed } from '#server/rules/lead/integrity/blacklist.ts'
import { readValues, type ReadValue, type ReadValues } from './read-values.ts'

type Listed = ReturnType<typeof readListed>
export type ReadEntry = ReadValue<BlacklistKind, Listed>

/** The rows of a CSV file as entries, and those that are none with why. Throws `invalid_input` at `file` for what is no such file. */
export function readBlacklist(bytes: Uint8Array, asked: BlacklistKind | 'by_row', now: number): Promise<ReadValues<BlacklistKind, Listed>> {
  return readValues(bytes, { kinds: BLACKLIST_KINDS, read: readListed, most: MOST_BLACKLIST_ROWS }, asked, now)
}
