import { useEffect } from 'react'

/**
 * Keeps the account a form has preset among those that can be chosen: where it is switched off, the only other one is taken, or nobody's
 * until a person chooses. `choose` gets the number as text, as fields hold it.
 */
export function usePresetSource(sources: readonly { id: number }[], chosen: string | null, choose: (source: string | null) => void): void {
  const isGone = sources.length > 0 && chosen !== null && sources.every(({ id }) => String(id) !== chosen)
  const only = sources.length === 1 ? String(sources[0]?.id) : null
  useEffect(() => {
    if (isGone) choose(only)
    // only other accounts are a reason
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isGone, only])
}
