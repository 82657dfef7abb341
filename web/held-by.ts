/** What moved on an account, as the server takes it; null where the account holds the currency of the document, or any. */
export function heldBy(
  sources: readonly { id: number; currency: string | null }[],
  sourceId: string | null,
  currency: string,
  { moved, moved_sure: sure }: { moved: string; moved_sure: boolean },
): { currency: string; amount: string; sure: boolean } | null {
  const held = sources.find(({ id }) => String(id) === sourceId)?.currency ?? null
  return held === null || held === currency ? null : { currency: held, amount: moved, sure }
}
