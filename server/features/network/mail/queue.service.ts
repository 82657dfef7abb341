import type { z } from 'zod'
import type { languageCode } from '#contract/fields.ts'
import type { MAIL_EVENTS, MailEvent } from '#contract/network/mail.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { openSealer } from '#server/platform/seal.ts'
import { insertMail } from './mail.queries.ts'

/** Nobody wants news that is older. */
const USUAL_LIFE = 24 * 3_600_000

/** A message to one person. `values` are those of the event's macros, as plain text. */
export type Mail<Event extends MailEvent = MailEvent> = {
  event: Event
  to: { email: string; language: z.output<typeof languageCode>; accountId?: number }
  values: Record<(typeof MAIL_EVENTS)[Event][number], string>
  /** When it is of no use any more, in ms: the end of a link it carries. A day from now where nothing is said. */
  expires?: number
  /** A text file that goes along. */
  attachment?: { name: string; text: string }
  /** A document that goes along as it was handed out; one that is never changed. */
  documentId?: number
  /** How long it waits before it is sent, in ms: what it tells may be taken back meanwhile. */
  wait?: number
}

export type MailQueue = {
  /**
   * Puts a message in the queue, inside of the transaction of what it is about: it goes out when that is committed, and only
   * then. A worker sends it; nothing is awaited here, so that asking takes as long for a known address as for a stranger's.
   */
  add<Event extends MailEvent>(trx: DbOrTrx, now: number, mail: Mail<Event>): Promise<void>
}

/** For whoever has something to tell: routes and jobs open one with `config.secretKey`. The values are sealed until the message is settled: they may hold a link that signs somebody in. */
export function openMailQueue(secretKey: string | null): MailQueue {
  const sealer = openSealer(secretKey, 'mail')
  return {
    add: (trx, now, { event, to, values, expires = now + USUAL_LIFE, wait = 0, attachment, documentId }) =>
      insertMail(trx, {
        event,
        language: to.language,
        recipient: to.email,
        account_id: to.accountId ?? null,
        sealed: sealer.seal(JSON.stringify(values)),
        ...(attachment && { attachment: sealer.seal(attachment.text), attachment_name: attachment.name }),
        ...(documentId !== undefined && { document_id: documentId }),
        next_at: new Date(now + wait),
        expires_at: new Date(expires),
        created_at: new Date(now),
      }),
  }
}
