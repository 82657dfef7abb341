import { sql } from 'kysely'
import type { Trx } from './database.ts'

/** Does `work` in a transaction and takes back what it wrote unless its answer is one to keep. */
export async function attempt<Answer>(trx: Trx, work: () => Promise<Answer>, isKept: (answer: Answer) => boolean): Promise<Answer> {
  await sql`savepoint attempt`.execute(trx)
  const answer = await work()
  await (isKept(answer) ? sql`release savepoint attempt` : sql`rollback to savepoint attempt`).execute(trx)
  return answer
}
