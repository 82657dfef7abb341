import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { MAIL_PROBLEMS } from '#contract/network/mail.ts'
import { canSend, smtpSetting } from '#contract/network/smtp.ts'
import type { PanelAddress } from '#server/features/network/domain/address.service.ts'
import { getGeneralSettings, getSetting } from '#server/features/network/setting/setting.queries.ts'
import type { Clock } from '#server/platform/clock.ts'
import { log } from '#server/platform/log.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { openSealer } from '#server/platform/seal.ts'
import { within } from '#server/platform/within.ts'
import { writeLetter } from './letter.service.ts'
import { anyMailDue, claimMail, clearOldValues, documentOf, expireMail, settleMail, type DueMail } from './send.queries.ts'
import { readSecrets } from './smtp.queries.ts'
import { openSmtpSecrets } from './secret.service.ts'
import { textFor } from './template.service.ts'
import { DEADLINE_MS, openTransport, type Problem, type Transport } from './transport.service.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** The pauses after each try, stretched or shortened by up to a fifth; the last one holds for all further ones. */
const PAUSES = [MINUTE / 2, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR]
/** Longer than any hand-over: what is still leased then belongs to a worker that died. */
const LEASE_MS = DEADLINE_MS + 3 * MINUTE
/** How long the end of a worker waits for what is under way. */
const LAST_WAIT_MS = 8_000

export type MailerParts = {
  db: Db
  clock: Clock
  secretKey: string | null
  /** The configured address of the panel, below which links were queued. */
  publicUrl: string
  /** Where the panel is now, and links lead instead; the configured address where absent. */
  panel?: PanelAddress
  /** An authority to trust besides the system's. */
  ca?: string
  /** Messages under way at once. */
  atOnce?: number
  /** 0 to 1, for the jitter. */
  random?: () => number
}

export type Mailer = {
  /** Starts what is due and has a place; answers how many. */
  tick(): Promise<number>
  /** Resolves when nothing is under way any more. */
  idle(): Promise<void>
  /** Waits a little for what is under way, and lets go of the server. */
  close(): Promise<void>
}

/**
 * Sends what is queued. A message is taken by lease, handed over, and settled. When the process dies before the server has it, the
 * lease runs out and it is sent then. When it dies between the server's 250 and our commit, it is sent a second time: nobody
 * can hand over and commit in one step, and a second letter is better than none. Both carry the same Message-ID, made of the
 * row's uuid, by which mailboxes that care show it once.
 */
export function openMailer(parts: MailerParts): Mailer {
  const { db, clock, atOnce = 6 } = parts
  const running = new Set<Promise<void>>()
  let open: { mark: string; transport: Transport } | undefined

  /** The connections of the settings as they are now; other settings get others, the old ones end by themselves. */
  const transportFor = async (setting: Awaited<ReturnType<typeof getSmtp>>) => {
    const secrets = await readSecrets(db)
    const mark = createHash('sha256')
      .update(JSON.stringify([setting, secrets.password?.set_at, secrets.dkim_key?.set_at]))
      .digest('hex')
    if (open?.mark !== mark) {
      const { password, dkim } = openSmtpSecrets(parts.secretKey, secrets, setting)
      const old = open?.transport
      open = { mark, transport: openTransport({ ...setting, password }, { dkim, ca: parts.ca, atOnce: 3 }) }
      if (old !== undefined) void Promise.all(running).then(() => old.close())
    }
    return open.transport
  }

  return {
    async tick() {
      const limit = atOnce - running.size
      if (limit <= 0 || !(await anyMailDue(db, clock.now()))) return 0
      const setting = await getSmtp(db)
      // what nobody can send waits until it expires
      if (!canSend(setting)) return 0
      const transport = await transportFor(setting)
      const due = await claimMail(db, clock.now(), { limit, perMinute: setting.per_minute, leaseMs: LEASE_MS })
      for (const mail of due) {
        const work = sendOne(parts, transport, setting, mail).catch((error: unknown) =>
          // its lease runs out and it is tried again
          log.error({ err: error, mail: mail.uuid }, 'a message could not be settled'),
        )
        running.add(work)
        void work.finally(() => running.delete(work))
      }
      return due.length
    },
    async idle() {
      while (running.size > 0) await Promise.all(running)
    },
    async close() {
      await within(LAST_WAIT_MS, this.idle()).catch(() => {})
      open?.transport.close()
    },
  }
}

/** Gives up what came too late, and clears what filled the messages that did not go. */
export async function tidyMail(db: Db, now: number): Promise<void> {
  await expireMail(db, now)
  await clearOldValues(db, now)
}

const getSmtp = (db: Db) => getSetting(db, smtpSetting)
const values = z.record(z.string(), z.string())

/** One try: writes the message, hands it over, and settles what became of it. */
async function sendOne(
  { db, clock, secretKey, publicUrl, panel, random = Math.random }: MailerParts,
  transport: Transport,
  setting: typeof smtpSetting.defaults,
  mail: DueMail,
): Promise<void> {
  const refuse = (reason: (typeof MAIL_PROBLEMS)[number]) =>
    settleMail(db, mail, clock.now(), { status: 'refused', subject: '', error: errorOf(reason, '') })
  if (isReserved(mail.recipient)) return refuse('reserved_address')
  const filled = readValues(secretKey, mail.sealed)
  if (filled === undefined) return refuse('unreadable')
  const [text, general, address] = await Promise.all([
    textFor(db, mail.event, mail.language),
    getGeneralSettings(db),
    panel?.(db) ?? publicUrl,
  ])
  const attachment = await readAttachment(db, secretKey, mail)
  const led = ledTo(filled, publicUrl, address)
  const written = writeLetter(mail.event, text, led, general, address)
  const problem = await transport.send({
    ...written,
    ...envelopeOf(setting, mail),
    to: mail.recipient,
    unsubscribe: led['unsubscribe'],
    attachment,
  })
  const now = clock.now()
  if (problem === undefined) return settleMail(db, mail, now, { status: 'sent', subject: written.subject, error: '' })
  const error = errorOf(problem.reason, problem.detail)
  if (problem.final) return settleMail(db, mail, now, { status: 'refused', subject: written.subject, error })
  const pause = PAUSES[Math.min(mail.attempts, PAUSES.length) - 1] ?? HOUR
  const nextAt = now + pause * (0.8 + 0.4 * random())
  const last = nextAt >= mail.expires_at.getTime()
  await settleMail(db, mail, now, last ? { status: 'failed', subject: written.subject, error } : { nextAt, error })
}

/** Values whose link leads to where the panel is now: it was queued below the configured address. */
function ledTo(filled: Record<string, string>, publicUrl: string, address: string): Record<string, string> {
  const led = (line: string) => (`${line}/`.startsWith(`${publicUrl}/`) ? `${address}${line.slice(publicUrl.length)}` : line)
  const lines = Object.entries(filled).filter(([name]) => LEADING.has(name))
  return { ...filled, ...Object.fromEntries(lines.map(([name, text]) => [name, text.split('\n').map(led).join('\n')])) }
}

/** The values that are addresses, or hold one on a line of its own. */
const LEADING = new Set(['link', 'unsubscribe', 'items'])

/** Who a message is from, and its id: `unique` and the sender's domain, so that a try again has the same. */
export function envelopeOf(setting: typeof smtpSetting.defaults, { uuid }: { uuid: string }) {
  const { sender_email, sender_name, reply_to } = setting
  return {
    id: `<${uuid}@${sender_email.slice(sender_email.lastIndexOf('@') + 1)}>`,
    from: { name: sender_name, address: sender_email },
    replyTo: reply_to,
  }
}

/** Names that are kept for examples (RFC 2606, 6761): nobody has a mailbox there, and what a demo holds stays in it. */
export function isReserved(recipient: string): boolean {
  return /[@.](example|test|invalid|localhost|example\.(com|net|org))$/i.test(recipient)
}

/** A problem as the log keeps it, and back. */
export function errorOf(reason: Problem['reason'], detail: string): string {
  return detail === '' ? reason : `${reason}: ${detail}`
}

/** What goes along, where something does; a file without the key that sealed it does not. */
async function readAttachment(db: Db, secretKey: string | null, { attachment, attachment_name, document_id }: DueMail) {
  if (document_id !== null) {
    const { number, bytes } = await documentOf(db, document_id)
    return { name: `${number ?? 'document'}.pdf`, content: bytes, contentType: 'application/pdf' }
  }
  if (attachment === null) return undefined
  return { name: attachment_name, content: openSealer(secretKey, 'mail').open(attachment), contentType: 'text/csv; charset=utf-8' }
}

/** What fills a message; undefined when it is gone, or was sealed with another key. */
function readValues(secretKey: string | null, sealed: Buffer | null): Record<string, string> | undefined {
  if (sealed === null) return undefined
  try {
    return values.parse(JSON.parse(openSealer(secretKey, 'mail').open(sealed)))
  } catch {
    // the key of this instance is another one by now: nobody can read it any more
    return undefined
  }
}
