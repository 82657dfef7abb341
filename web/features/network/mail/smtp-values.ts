import type { CallOutput } from '#contract/endpoint.ts'
import type { smtpApi } from '#contract/network/smtp.ts'
import { typedNumber } from '#web/kit/fields/typed-number.ts'

type Smtp = CallOutput<typeof smtpApi.read>

/** What the field of the key holds when one is to be made by the server. */
export const NEW_KEY = 'new'

export type SmtpValues = ReturnType<typeof smtpValues>

/** The settings as the form holds them; secrets are never there. */
export function smtpValues(stored: Smtp) {
  const { host, port, security, user, sender_email, sender_name, reply_to, dkim_domain, dkim_selector, per_minute } = stored
  const texts = { host, security, user, sender_email, sender_name, reply_to, dkim_domain, dkim_selector }
  return { ...texts, port: String(port), per_minute: String(per_minute), password: '', dkim_key: '' }
}

/** A secret nobody typed stays as it is. */
export function smtpInput(values: SmtpValues, { version }: Smtp) {
  const { port, per_minute, password, dkim_key } = values
  return {
    body: {
      ...values,
      version,
      port: typedNumber(port),
      per_minute: typedNumber(per_minute),
      password: password || null,
      dkim_key: dkim_key || null,
    },
  }
}
