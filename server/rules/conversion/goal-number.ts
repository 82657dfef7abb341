/**
 * The goal of `goal=2`: the second, as Affise counts them, unless goals here have numbers for codes. Its first is the one a call without a goal
 * is about: where that is another here, only that one is sure, and only of Affise itself.
 */
export function goalNumbered<Goal extends { code: string; is_default: boolean; retired: boolean }>(
  { goals, firstIsDefault = false }: { goals: readonly Goal[]; firstIsDefault?: boolean },
  word: string,
): Goal | undefined {
  if (!/^[1-9]\d?$/.test(word) || goals.some((one) => /^\d+$/.test(one.code))) return undefined
  const counted = goals.filter((one) => !one.retired)
  const base = counted.find((one) => one.is_default)
  if (base !== undefined && base !== counted[0]) return word === '1' && firstIsDefault ? base : undefined
  return counted[Number(word) - 1]
}
