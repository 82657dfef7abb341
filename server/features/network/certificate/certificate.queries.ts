import { sql, type Updateable } from 'kysely'
import type { DbOrTrx, Tables } from '#server/platform/pg/database.ts'

/** Names of the network that lead here, by what they are for; a burnt one still serves its old links. */
export function listHosts(db: DbOrTrx) {
  return db.selectFrom('domain').select(['host', 'kind', 'certificate']).where('verified_at', 'is not', null).orderBy('host').execute()
}

/** Notes names that are to have a certificate; those that are noted already stay as they are. */
export async function noteHosts(db: DbOrTrx, hosts: readonly string[], now: number): Promise<void> {
  if (hosts.length === 0) return
  await db
    .insertInto('certificate')
    .values(hosts.map((host) => ({ host, due_at: new Date(now) })))
    .onConflict((noted) => noted.column('host').doNothing())
    .execute()
}

/** Takes the name that has been due longest, of those asked for; nobody else takes it before `until`. */
export async function claimDue(db: DbOrTrx, hosts: readonly string[], now: number, until: number) {
  if (hosts.length === 0) return undefined
  return db
    .updateTable('certificate')
    .set({ tried_at: new Date(now), due_at: new Date(until) })
    .where('host', '=', (of) =>
      of
        .selectFrom('certificate')
        .select('host')
        .where('host', 'in', hosts)
        .where('due_at', '<=', new Date(now))
        .orderBy('due_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['host', 'failures', 'expires_at'])
    .executeTakeFirst()
}

/** What became of a try, on the certificate and on its domain, where there is one. */
export async function settle(db: DbOrTrx, host: string, now: number, values: Updateable<Tables['certificate']>): Promise<void> {
  await db.updateTable('certificate').set(values).where('host', '=', host).execute()
  await db
    .updateTable('domain')
    .set({
      certificate_tried_at: new Date(now),
      certificate_error: values.error ?? '',
      ...(values.issued_at
        ? { certificate_issued_at: values.issued_at, certificate_expires_at: values.expires_at ?? null, next_check_at: new Date(now) }
        : {}),
    })
    .where('host', '=', host)
    .execute()
}

/** Certificates there are, with their keys sealed. */
export function listCertificates(db: DbOrTrx) {
  return db
    .selectFrom('certificate')
    .select(['host', 'chain', 'sealed'])
    .where('chain', 'is not', null)
    .orderBy('host')
    .$narrowType<{ chain: string; sealed: Buffer }>()
    .execute()
}

export function findAccount(db: DbOrTrx, directory: string) {
  return db.selectFrom('acme_account').select(['url', 'sealed']).where('directory', '=', directory).executeTakeFirst()
}

/** Keeps the account this instance has at an authority. */
export async function keepAccount(
  db: DbOrTrx,
  values: { directory: string; url: string; sealed: Buffer; created_at: Date },
): Promise<void> {
  await db
    .insertInto('acme_account')
    .values(values)
    .onConflict((kept) => kept.column('directory').doNothing())
    .execute()
}

/** Forgets an account whose key cannot be opened any more. */
export async function dropAccount(db: DbOrTrx, directory: string): Promise<void> {
  await db.deleteFrom('acme_account').where('directory', '=', directory).execute()
}

export async function putChallenge(db: DbOrTrx, token: string, answer: string, until: number): Promise<void> {
  const values = { answer, expires_at: new Date(until) }
  await db
    .insertInto('acme_challenge')
    .values({ token, ...values })
    .onConflict((same) => same.column('token').doUpdateSet(values))
    .execute()
}

/** Forgets a challenge, and those nobody came for. */
export async function dropChallenges(db: DbOrTrx, token: string, now: number): Promise<void> {
  await db
    .deleteFrom('acme_challenge')
    .where((of) => of.or([of('token', '=', token), of('expires_at', '<', new Date(now))]))
    .execute()
}

export async function findChallenge(db: DbOrTrx, token: string, now: number): Promise<string | undefined> {
  const found = await db
    .selectFrom('acme_challenge')
    .select('answer')
    .where('token', '=', token)
    .where('expires_at', '>', new Date(now))
    .executeTakeFirst()
  return found?.answer
}

/** Removes certificates that have ended and are not got anew. */
export async function dropEnded(db: DbOrTrx, wanted: readonly string[], now: number): Promise<void> {
  await sql`delete from certificate where expires_at < ${new Date(now)} and not (host = any(${[...wanted]}::text[]))`.execute(db)
}
