import type { z } from 'zod'
import { MAIL_EVENTS, MAIL_PROBLEMS, type MailEvent, type mailRow } from '#contract/network/mail.ts'
import type { listMail } from './mail.queries.ts'

type Row = Awaited<ReturnType<typeof listMail>>['list'][number]

/** A message of the log as staff see it. */
export function presentMail({ error, next_at, ...row }: Row): z.input<typeof mailRow> {
  return {
    ...row,
    ...problemIn(error),
    // the column is text, what is queued is an event
    event: (row.event in MAIL_EVENTS ? row.event : 'test') as MailEvent,
    language: row.language === 'uk' ? 'uk' : 'en',
    next_at: row.status === 'waiting' ? next_at.toISOString() : null,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    settled_at: row.settled_at?.toISOString() ?? null,
  }
}

/** A problem as `errorOf` wrote it: its reason, and the server's words. */
export function problemIn(error: string): Pick<z.input<typeof mailRow>, 'reason' | 'detail'> {
  const reason = MAIL_PROBLEMS.find((one) => error === one || error.startsWith(`${one}: `)) ?? null
  return { reason, detail: reason === null ? error : error.slice(reason.length + 2) }
}
