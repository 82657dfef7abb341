import type { SMTP_SECURITIES, SMTP_STEPS } from '#contract/network/smtp.ts'
import type { MAIL_PROBLEMS } from '#contract/network/mail.ts'

/** Where and as whom messages are handed over. */
export type Connection = { host: string; port: number; security: (typeof SMTP_SECURITIES)[number]; user: string; password: string | null }
export type Dkim = { domain: string; selector: string; key: string }

/** A message as it goes over the wire; every address is one address, whatever it holds. */
export type Letter = {
  /** The same at every try, so that a receiver who already has it can tell. */
  id: string
  from: { name: string; address: string }
  replyTo: string
  to: string
  subject: string
  text: string
  html: string
  logo: { content: Buffer; contentType: string } | null
  /** Where one ends these mails at a click, for those one may end. */
  unsubscribe?: string | undefined
  attachment?: { name: string; content: string | Uint8Array; contentType: string } | undefined
}

export type Problem = { reason: (typeof MAIL_PROBLEMS)[number]; step: (typeof SMTP_STEPS)[number]; detail: string; final: boolean }

export type Transport = {
  /** Resolves with nothing once the server has taken the message, or with what went wrong. */
  send(letter: Letter): Promise<Problem | undefined>
  /** Reaches the server, encrypts and signs in; sends nothing. */
  check(): Promise<Problem | undefined>
  close(): void
}

const CONNECT_MS = 15_000
const ANSWER_MS = 30_000
/** The end of any hand-over, well inside of the lease of a message: a server that dribbles holds no place for good. */
export const DEADLINE_MS = 120_000

/**
 * Connections to a mail server, a few of them kept open. Certificates are checked against the system's authorities, for
 * tests and private ones against `ca` as well. Its pool never sends anything a second time by itself: the queue does, and counts.
 */
export function openTransport(
  connection: Connection,
  options: { dkim?: Dkim | null; ca?: string | undefined; atOnce?: number } = {},
): Transport {
  const { host, port, security, user, password } = connection
  const { dkim, ca, atOnce = 3 } = options
  // loaded with the first transport: a network without mail has none
  const mailer = import('nodemailer').then(({ createTransport }) =>
    createTransport({
      pool: true,
      maxConnections: atOnce,
      maxRequeues: 0,
      idleTimeout: 20_000,
      host,
      port,
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      tls: { minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) },
      ...(user !== '' && { auth: { user, pass: password ?? '' } }),
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      dnsTimeout: CONNECT_MS,
      socketTimeout: ANSWER_MS,
      // a message holds what it holds: nothing is fetched for it
      disableFileAccess: true,
      disableUrlAccess: true,
      ...(dkim && { dkim: { domainName: dkim.domain, keySelector: dkim.selector, privateKey: dkim.key } }),
    }),
  )
  return {
    async send(letter) {
      try {
        const open = await mailer
        await open.sendMail({
          messageId: letter.id,
          from: letter.from,
          to: { name: '', address: letter.to },
          ...(letter.replyTo !== '' && { replyTo: { name: '', address: letter.replyTo } }),
          subject: letter.subject,
          text: letter.text,
          html: letter.html,
          attachments: [
            ...(letter.logo === null ? [] : [{ cid: 'logo', filename: 'logo', contentDisposition: 'inline' as const, ...letter.logo }]),
            ...(letter.attachment
              ? [{ filename: letter.attachment.name, content: bodyOf(letter.attachment), contentType: letter.attachment.contentType }]
              : []),
          ],
          // nobody's holiday answers to it
          headers: {
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'All',
            ...(letter.unsubscribe !== undefined && {
              'List-Unsubscribe': `<${letter.unsubscribe}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
          signal: AbortSignal.timeout(DEADLINE_MS),
        })
        return undefined
      } catch (error) {
        return problemOf(error)
      }
    },
    async check() {
      try {
        await (await mailer).verify()
        return undefined
      } catch (error) {
        return problemOf(error)
      }
    },
    close: () => void mailer.then((one) => one.close()),
  }
}

type SmtpError = { code?: string; originalCode?: string; command?: string; response?: string; responseCode?: number; message?: string }

const CERTIFICATES: Readonly<Record<string, Problem['reason']>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate_untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate_untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate_untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate_untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate_untrusted',
  CERT_HAS_EXPIRED: 'certificate_expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate_other_name',
}

/**
 * What went wrong, at which step, in the server's words where it said some. `final` is what this server says of this very
 * message for good; a server that cannot be reached, encrypted to or signed in to says nothing about the message.
 */
function problemOf(thrown: unknown): Problem {
  const error = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as SmtpError // what nodemailer puts on its errors
  const detail = oneLine(error.response ?? error.message ?? '')
  const command = error.command ?? ''
  const refused = error.responseCode !== undefined && error.responseCode >= 500 && error.responseCode !== 503
  const found = (step: Problem['step'], reason: Problem['reason'], final = false): Problem => ({ step, reason, detail, final })

  if (error.code === 'EAUTH' || error.code === 'ENOAUTH' || command.startsWith('AUTH')) return found('sign_in', 'sign_in_refused')
  if (command === 'MAIL FROM') return found('send', 'sender_refused', refused)
  if (command === 'RCPT TO') return found('send', 'recipient_refused', refused)
  if (command === 'DATA') return found('send', 'message_refused', refused)
  const certificate = CERTIFICATES[error.originalCode ?? ''] ?? CERTIFICATES[error.code ?? '']
  if (certificate !== undefined) return found('encrypt', certificate)
  if (command === 'STARTTLS' || error.code === 'ETLS') {
    const told = /certificate|self.signed|altname|issuer/i.test(error.message ?? '')
    return found('encrypt', told ? 'certificate_untrusted' : error.responseCode === undefined ? 'tls_failed' : 'no_starttls')
  }
  if (/wrong version number|packet length too long|ssl3_get_record/i.test(error.message ?? '')) return found('encrypt', 'not_tls')
  if (error.code === 'EDNS' || error.originalCode === 'ENOTFOUND') return found('connect', 'host_not_found')
  if (error.originalCode === 'ECONNREFUSED') return found('connect', 'connection_refused')
  if (error.code === 'ETIMEDOUT' || error.code === 'EABORT' || error.originalCode === 'ETIMEDOUT') return found('connect', 'timed_out')
  if (error.response !== undefined) return found('connect', 'greeting_refused')
  return found('connect', 'connection_lost')
}

function oneLine(text: string): string {
  return text
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .trim()
    .slice(0, 500)
}

function bodyOf({ content }: { content: string | Uint8Array }): string | Buffer {
  return typeof content === 'string' ? content : Buffer.from(content)
}
