export type Strength = 'short' | 'weak' | 'fair' | 'strong'

/**
 * A rough idea of how hard a password is to guess: what counts is length and how many different characters it has.
 * Only a hint; the rule is the contract's: at least 8 characters.
 */
export function passwordStrength(password: string): Strength {
  const characters = [...password]
  if (characters.length < 8) return 'short'
  const different = new Set(characters.map((one) => one.toLowerCase())).size
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{L}\p{N}]/u].filter((kind) => kind.test(password)).length
  if (different < 5 || isRun(characters)) return 'weak'
  const score = characters.length + kinds * 2
  if (score < 14) return 'weak'
  return score < 20 ? 'fair' : 'strong'
}

/** "12345678", "abcdefgh" and the like. */
function isRun(characters: readonly string[]): boolean {
  const steps = characters.slice(1).map((one, index) => (one.codePointAt(0) ?? 0) - (characters[index]?.codePointAt(0) ?? 0))
  return steps.every((step) => step === steps[0] && Math.abs(step) <= 1)
}
