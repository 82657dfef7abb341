/** Who holds whom: `made` whoever made the account, otherwise who was shown its password link, or gave it its role or its e-mail. */
export type Tie = { by: number; whom: number; made: boolean }

/**
 * Whether two accounts may be one person: one of them, or somebody else, had both in hand lately. What somebody made counts for as much
 * as nobody: where all others were made by the one who holds both, there is nobody else to ask, and those are asked.
 */
export function inOneHand(approvers: readonly number[], ties: readonly Tie[], one: number, other: number): boolean {
  if (one === other) return true
  const holders = reached(ties, other, 'up')
  return [...reached(ties, one, 'up')].some((holder) => {
    if (!holders.has(holder)) return false
    const made = reached(
      ties.filter((tie) => tie.made),
      holder,
      'down',
    )
    return approvers.some((id) => !made.has(id))
  })
}

/** An account with all that hold it, or that it holds, through others too. */
function reached(ties: readonly Tie[], from: number, way: 'up' | 'down'): Set<number> {
  const found = new Set([from])
  // what is added while it goes is gone through too
  for (const id of found)
    for (const { by, whom } of ties) {
      if (way === 'up' && whom === id) found.add(by)
      if (way === 'down' && by === id) found.add(whom)
    }
  return found
}
