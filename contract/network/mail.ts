/**
 * What a message can be about, with the macros that its templates may hold besides those every template has (`COMMON_MAIL_MACROS`).
 * An event stands here, has a subject and a text in each language (`mail-text.ts`), and is queued where it happens.
 */
export const MAIL_EVENTS = {
  /** Somebody tries the settings. */
  test: [],
  /** Staff made the account: a link sets its first password. */
  set_password: ['name', 'link'],
  /** Somebody who forgot the password asked for another. */
  password_recovery: ['name', 'link'],
  /** The password was changed: whoever did not do it has to know. */
  password_changed: ['name', 'device', 'address', 'time'],
  /** Somebody signed up and shows that the address is theirs. */
  email_confirmation: ['name', 'link'],
  /** The address is confirmed, staff look at the application. */
  registration_received: ['name'],
  registration_approved: ['name', 'link'],
  registration_rejected: ['name', 'reason'],
  /** Staff invite somebody to sign up. */
  invitation: ['link'],
} as const satisfies Record<string, readonly string[]>
export type MailEvent = keyof typeof MAIL_EVENTS

/** What every template may hold: the network's title, the address of its panel, and whom to ask. */
export const COMMON_MAIL_MACROS = ['network', 'panel', 'contact'] as const

/** Waiting ones are tried again; `refused` is the receiving server's last word, `failed` ours after the last try, `expired` came too late. */
export const MAIL_STATUSES = ['waiting', 'sent', 'refused', 'failed', 'expired'] as const
