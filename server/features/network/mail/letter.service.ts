import { TYPED_MAIL_MACROS, type MailEvent, type MailMacro } from '#contract/network/mail.ts'
import { href } from '#contract/screens.ts'
import { textOn } from '#contract/network/contrast.ts'
import type { generalSetting } from '#contract/network/setting.ts'
import { pictureOf } from '#server/features/network/setting/general.service.ts'
import { escape, headerOf, htmlOf, textOf, type Values } from './markup.ts'
import type { MailText } from './mail-text.ts'

export type Language = 'en' | 'uk'
type General = Pick<typeof generalSetting.defaults, 'partner_title' | 'logo' | 'colour' | 'contact_email'>

/** What a message looks like: `logo` goes along as a part of it, for mail programs show no pictures inside of addresses. */
export type Written = { subject: string; text: string; html: string; logo: { content: Buffer; contentType: string } | null }

/**
 * Writes a message: the template with the event's values and those every template has, in the network's colours. Values are
 * plain text: escaped in HTML, and without line breaks in the subject.
 */
export function writeLetter(event: MailEvent, written: MailText, values: Values, general: General, publicUrl: string): Written {
  const { template, contact } = withContact(event, written, general.contact_email, publicUrl)
  const all = { ...tamed(values), network: general.partner_title, panel: publicUrl, contact }
  const look = { colour: general.colour, onColour: textOn(general.colour) }
  const logo = pictureOf(general.logo)
  const head =
    logo === null
      ? `<strong style="font-size:18px">${escape(general.partner_title)}</strong>`
      : `<img src="cid:logo" alt="${escape(general.partner_title)}" height="36" style="display:block;height:36px;max-width:220px">`
  const foot = [general.partner_title, general.contact_email].filter(Boolean).join(' · ')
  const subject = headerOf(template.subject, all)
  return {
    subject,
    text: `${textOf(template.body, all)}\n\n-- \n${foot}\n${publicUrl}\n`,
    html: page(subject, head, htmlOf(template.body, all, look), escape(foot)),
    logo,
  }
}

/** Those that go to people who cannot sign in, or not yet. */
const GUESTS: ReadonlySet<MailEvent> = new Set(['email_confirmation', 'registration_received', 'registration_rejected', 'invitation'])

/** Whom to write to: the network's e-mail. Without one whoever can sign in is led to the tickets; for others the lines about it go. */
function withContact(event: MailEvent, template: MailText, email: string, panel: string): { template: MailText; contact: string } {
  if (email !== '') return { template, contact: email }
  if (!GUESTS.has(event)) return { template, contact: `${panel}${href('tickets')}` }
  const lines = template.body.split('\n').filter((line) => !line.includes('{contact}'))
  return { template: { ...template, body: lines.join('\n') }, contact: '' }
}

/** What a preview and a test are filled with. */
export function sampleValues(event: MailEvent, language: Language, publicUrl: string): Readonly<Record<MailMacro, string>> {
  const uk = language === 'uk'
  return {
    name: uk ? 'Олена Ковальчук' : 'Ann Miller',
    link: `${publicUrl}${LEADS[event] ?? '/'}`,
    device: 'Firefox, Windows',
    address: '203.0.113.7',
    place: uk ? 'Київ, Україна' : 'Kyiv, Ukraine',
    time: uk ? '21 листопада 2026, 10:00 UTC' : '21 November 2026, 10:00 UTC',
    domain: 'go.example.com',
    problem: problemOf(event, uk),
    report: uk ? 'Щотижневий огляд' : 'Weekly overview',
    period: '2026-11-14 – 2026-11-20',
    rows: '42',
    count: '3',
    keys: '2',
    key: uk ? 'Вивантаження для бухгалтерії' : 'Export for accounting',
    paid: uk ? 'До 23 листопада 2026, 10:00 UTC туди нічого не виплачується.' : 'Nothing is paid there before 23 November 2026, 10:00 UTC.',
    method: 'SEPA · DE•• •••• 3000',
    code: '4821 0937',
    author: uk ? 'Олена Ковальчук' : 'Ann Miller',
    number: event === 'invoice_overdue' ? 'INV-2026-12' : '27',
    amount: '1250.00 EUR',
    due: '2026-11-14',
    days: '7',
    subject: uk ? 'Коли буде виплата за жовтень?' : 'When is October paid?',
    text: uk ? 'Підкажіть, будь ласка, коли надійде виплата за жовтень.' : 'Could you tell me when the payment for October arrives?',
    items: uk ? `• Доступ до офера Finova відкрито\n${publicUrl}/offers` : `• You have access to Finova\n${publicUrl}/offers`,
    unsubscribe: `${publicUrl}/unsubscribe/EXAMPLE`,
    reason: uk ? 'Опишіть, будь ласка, джерела трафіку докладніше.' : 'Please tell us more about your traffic sources.',
  }
}

/** Where the link of an event leads, as an example. */
const LEADS: Readonly<Partial<Record<MailEvent, string>>> = {
  set_password: `${href('passwordRecovery')}?token=EXAMPLE`,
  password_recovery: `${href('passwordRecovery')}?token=EXAMPLE`,
  email_change: `${href('settingsProfile')}?email=EXAMPLE`,
  email_confirmation: `${href('signup')}?token=EXAMPLE`,
  invitation: `${href('signup')}?token=EXAMPLE`,
  registration_approved: href('login'),
  ticket_message: href('tickets'),
  domain_failing: href('settingsDomains'),
  scheduled_report: href('statistic'),
  system_problem: href('system'),
}

function problemOf(event: MailEvent, uk: boolean): string {
  if (event === 'domain_failing')
    return uk ? 'його ім’я не веде на жодну доступну адресу' : 'its name leads to no address that can be reached'
  return uk ? 'Остання резервна копія не вдалася' : 'The last backup failed'
}

/**
 * What strangers typed must not carry their advertisement in a message of ours: what mail programs would make a link of by
 * themselves is broken up by marks nobody sees.
 */
export function tame(text: string, longest = 100): string {
  const plain = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').slice(0, longest)
  return plain.replace(/([.:/@])(?=\S)/g, '$1\u200b')
}

function tamed(values: Values): Values {
  const typed = Object.entries(TYPED_MAIL_MACROS).flatMap(([name, longest]) => {
    const value = values[name]
    return value === undefined ? [] : [[name, tame(value, longest)] as const]
  })
  return { ...values, ...Object.fromEntries(typed) }
}

function page(title: string, head: string, body: string, foot: string): string {
  return `<!doctype html>
<html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${escape(title)}</title></head>
<body style="margin:0;padding:0;background:#f3f4f6;color:#1f2937;font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border:1px solid #e5e7eb;border-radius:12px">
<tr><td style="padding:24px 28px 8px">${head}</td></tr>
<tr><td style="padding:16px 28px 12px;overflow-wrap:anywhere">${body}</td></tr>
</table>
<p style="margin:16px 0 0;font-size:13px;color:#6b7280">${foot}</p>
</td></tr></table>
</body></html>
`
}
