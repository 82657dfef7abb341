import { hashPassword } from '#server/platform/secret.ts'
import type { Db } from '#server/platform/pg/database.ts'
import type { MadeAccount } from './factories.ts'

/** What people sign in with whom a test gave a password. */
export const PASSWORD = 'correct horse battery'

// a hash takes a tenth of a second on purpose: one serves all of a worker
let hash: Promise<string> | undefined

/** Gives somebody `PASSWORD`. */
export async function withPassword<Person extends MadeAccount>(db: Db, person: Person): Promise<Person> {
  hash ??= hashPassword(PASSWORD)
  await db
    .updateTable('account')
    .set({ password_hash: await hash })
    .where('id', '=', person.accountId)
    .execute()
  return person
}
