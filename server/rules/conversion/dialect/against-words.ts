import type { ConversionStatus } from '#contract/traffic/conversion.ts'
import { STATUS_WORDS } from '../status-words.ts'

/** What may be said of a word that means the same everywhere: nobody makes money out of `declined`, or nothing out of `approved`. */
const MAY: Readonly<Record<ConversionStatus, readonly ConversionStatus[]>> = {
  // approved by a call centre, and paid for later
  approved: ['approved', 'pending', 'hold'],
  pending: ['pending', 'hold'],
  hold: ['pending', 'hold'],
  declined: ['declined', 'trash'],
  trash: ['declined', 'trash'],
}

/** The statuses a word may be said to mean; null = any, for it has no meaning of its own. */
export function mayMean(word: string): readonly ConversionStatus[] | null {
  const own = STATUS_WORDS[word.trim().toLowerCase()]
  return own === undefined ? null : MAY[own]
}

/** What a word means to everybody, where a status or a goal would say something else of it; null = it may mean that. */
export function againstWord(
  word: string,
  { status, goal }: { status: ConversionStatus | null; goal: string | null },
): ConversionStatus | null {
  const may = mayMean(word)
  if (may === null) return null
  const isFine = status === null ? goal !== null && may.includes('approved') : may.includes(status)
  return isFine ? null : (may[0] ?? null)
}
