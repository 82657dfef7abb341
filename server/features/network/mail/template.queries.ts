import type { MailEvent } from '#contract/network/mail.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

type Which = { event: MailEvent; language: 'en' | 'uk' }

/** The network's own texts. */
export function listTemplates(db: DbOrTrx) {
  return db.selectFrom('mail_template').select(['event', 'language', 'subject', 'body', 'version']).execute()
}

/** Its own text of one event and language; `lock` keeps it from changing meanwhile. */
export function findTemplate(db: DbOrTrx, { event, language }: Which, lock = false) {
  return db
    .selectFrom('mail_template')
    .select(['subject', 'body', 'version'])
    .where('event', '=', event)
    .where('language', '=', language)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()
}

/** Keeps a text where none is, or in the place of the one of that version. False when somebody was faster. */
export async function storeTemplate(
  db: DbOrTrx,
  now: number,
  which: Which,
  text: { subject: string; body: string },
  seen: number,
): Promise<boolean> {
  const values = { ...text, version: seen + 1, updated_at: new Date(now) }
  const stored = await db
    .insertInto('mail_template')
    .values({ ...which, ...values })
    .onConflict((there) => there.columns(['event', 'language']).doUpdateSet(values).where('mail_template.version', '=', seen))
    .returning('version')
    .executeTakeFirst()
  return stored !== undefined
}

/** Takes a text away, where it is the one of that version. */
export async function deleteTemplate(db: DbOrTrx, { event, language }: Which, seen: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('mail_template')
    .where('event', '=', event)
    .where('language', '=', language)
    .where('version', '=', seen)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
