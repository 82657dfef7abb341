/** What a referral came to in one month and currency, in hundred-millionths. */
export type Accrual = {
  /** Whether staff have not said yet that it is paid, or have said that it is not. */
  isKept: boolean
  /** Whether the referrer is active now. */
  isActive: boolean
  /** The share of what is approved by now, and what it was when somebody looked last. */
  target: bigint
  lastTarget: bigint
  /** Of it what was earned while the referrer was active. */
  claim: bigint
  /** What stands in the books, and how much of that is on invoices. */
  booked: bigint
  invoiced: bigint
}

/**
 * What a month earned by now, and what is to be booked of it. A referrer who is not active earns nothing of what comes in meanwhile, later
 * neither; what is taken back of the referred is taken back of that first. What is kept is not paid: nothing is added to what is on invoices.
 */
export function accrue({ isKept, isActive, target, lastTarget, claim, booked, invoiced }: Accrual): { claim: bigint; delta: bigint } {
  const more = target - lastTarget
  const earned = more > 0n && isActive ? claim + more : least(claim, target)
  return { claim: earned, delta: (isKept ? least(earned, invoiced) : earned) - booked }
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
