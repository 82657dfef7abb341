import { AppError } from '#server/platform/errors.ts'
import { sameJson } from '#server/platform/same-json.ts'
import { againstWord } from '#server/rules/conversion/dialect/against-words.ts'
import type { PostbackWord } from '#server/rules/conversion/postback-meaning.ts'

/**
 * Refuses words that mean the same everywhere and would be made to mean the opposite, each at its own field; what was saved
 * `before` that was refused may stay. Throws `invalid_input`.
 */
export function refuseAgainst(
  words: readonly PostbackWord[],
  fieldOf: (index: number) => string,
  before: readonly PostbackWord[] = [],
): void {
  const wrong = words.flatMap((one, index) =>
    againstWord(one.word, one) === null || before.some((other) => sameJson(other, one))
      ? []
      : [[fieldOf(index), `“${one.word.slice(0, 60)}” means the same everywhere and cannot be given the opposite meaning`] as const],
  )
  if (wrong.length > 0) throw new AppError('invalid_input', { fields: Object.fromEntries(wrong) })
}
