import type { DEPOSITS } from '#contract/leads/stuck.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { isOfOther, listDeposits } from './status.queries.ts'

export type Deposit = (typeof DEPOSITS)[number]
/** A payment as it is told; `transaction` '' = it has no name. */
export type Payment = { transaction: string; amount: string }

/**
 * Which deposit of its lead a payment is. One without a name is the first: nobody could tell a second one from the first told anew. A
 * name decides, and where the first had none its amount does; `unclear`: neither tells them apart, and a person says it (`said`).
 * `again` counts only where the offer has a goal for it (`hasAgain`). Names are one lead's alone.
 */
export async function whichDeposit(
  trx: Trx,
  send: { id: string; product_id: number },
  { transaction, amount }: Payment,
  { said, hasAgain }: { said: Deposit | null; hasAgain: boolean },
): Promise<Deposit | 'unclear' | 'taken'> {
  if (transaction === '') return said ?? 'first'
  // two leads told of by one name at once: the second waits, and is told so
  await lockName(trx, `deposit ${send.product_id} ${transaction}`)
  if (await isOfOther(trx, send, transaction)) return 'taken'
  const known = await listDeposits(trx, send.id)
  const same = known.find((one) => one.transaction === transaction)
  if (same !== undefined) return same.deposit === 'again' ? 'again' : 'first'
  const firsts = known.filter(({ deposit }) => deposit === 'first')
  if (firsts.length === 0) return 'first'
  // it has a name of its own: this is another
  if (firsts.some((one) => one.transaction !== '')) return 'again'
  if (said !== null) return said
  if (!hasAgain) return 'again'
  return amount !== '' && firsts.at(-1)?.amount === amount ? 'first' : 'unclear'
}
