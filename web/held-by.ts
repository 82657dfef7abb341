/** What moved on an account, as the server takes it; null where the account holds the currency of the document, or any. */
export function heldBy(
  sources: readonly { id: number; currency: string | null }[],
  sourceId: string | null,
  currency: string,
  moved: string,
): { currency: string; amount: string } | null {
  const held = sources.find(({ id }) => String(id) === sourceId)?.currency ?? null
  return held === null || held === currency ? null : { currency: held, amount: moved }
}
