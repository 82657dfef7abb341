import { receivableSetting } from '#contract/money/advertiser-billing.ts'
import { addAmounts } from '#contract/money/amount.ts'
import type { Actor } from '#server/access/actor.ts'
import { documentIdOf } from '#server/features/money/document/keep.queries.ts'
import { decimalsOf } from '#server/features/money/currency/decimals.service.ts'
import { isMailSetUp } from '#server/features/network/mail/smtp.queries.ts'
import type { MailQueue } from '#server/features/network/mail/queue.service.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { partyOf, updateInvoice, type LockedInvoice } from './advertiser-invoice.queries.ts'
import { takeOverdue } from './remind.queries.ts'
import { overdueDays, todayOf } from './show.service.ts'
import { keepStep, takeStep } from './step.service.ts'

type Post = { mail: MailQueue }

const DAY = 86_400_000

/** Mails the advertiser that its invoice is overdue, once a day at most. Throws `status_not_allowed` where it is not, `invalid_input` without an address or mail. */
export async function remindNow(
  db: Db,
  now: number,
  actor: Actor,
  { mail }: Post,
  asked: { key: string; revision: number },
): Promise<void> {
  const today = await todayOf(db, now)
  await takeStep(db, now, actor, { ...asked, event: 'reminded', from: ['issued', 'partly_paid'] }, async ({ trx, invoice, at }) => {
    if (overdueDays(invoice, today) === null) throw new AppError('status_not_allowed')
    const refuse = (text: string) => new AppError('invalid_input', { fields: { contact: text } })
    if (invoice.reminded_at !== null && now - invoice.reminded_at.getTime() < DAY) throw refuse('Reminded within the last day already')
    if (!(await isMailSetUp(trx))) throw refuse('Mail is not set up yet')
    if (!(await mailReminder(trx, now, mail, invoice, today))) throw refuse('The advertiser has no address for invoices')
    await updateInvoice(trx, invoice.id, { reminded_at: at })
  })
}

/** Reminds the advertiser of one invoice that is overdue for so many days as the settings say; false where none is to be. Several workers may run: each is taken by one. */
export async function remindOverdue(db: Db, now: number, { mail }: Post): Promise<boolean> {
  const { reminder_days } = await getSetting(db, receivableSetting)
  if (reminder_days.length === 0 || !(await isMailSetUp(db))) return false
  const today = await todayOf(db, now)
  return db.transaction().execute(async (trx) => {
    const found = await takeOverdue(trx, today, reminder_days)
    if (found === undefined) return false
    const { invoice, day } = found
    const at = new Date(now)
    // without an address there is nobody to tell; staff see it in the list
    const isSent = await mailReminder(trx, now, mail, invoice, today)
    await updateInvoice(trx, invoice.id, { reminded_day: day, ...(isSent && { reminded_at: at }) })
    if (isSent) await keepStep({ trx, invoice, at, actor: null }, { status: invoice.status, event: 'reminded' })
    return true
  })
}

async function mailReminder(trx: Trx, now: number, mail: MailQueue, invoice: LockedInvoice, today: string): Promise<boolean> {
  const { email, name, language, company } = await partyOf(trx, invoice.advertiser_id)
  if (email === '') return false
  const documentId = await documentIdOf(trx, 'advertiser_invoice', invoice.id)
  await mail.add(trx, now, {
    event: 'invoice_overdue',
    ...(documentId !== undefined && { documentId }),
    to: { email, language: language ?? 'en' },
    values: {
      name: company.name || name,
      number: invoice.number ?? '',
      amount: `${await amountIn(trx, invoice.open, invoice.currency)} ${invoice.currency}`,
      due: invoice.due_day,
      days: String(overdueDays(invoice, today) ?? 0),
    },
    expires: now + 3 * DAY,
  })
  return true
}

/** An amount in the decimals of its currency, as a letter says it. */
async function amountIn(trx: Trx, amount: string, currency: string): Promise<string> {
  const [whole = '0', fraction = ''] = addAmounts(amount).split('.')
  const decimals = await decimalsOf(trx, currency)
  return decimals === 0 ? whole : `${whole}.${fraction.padEnd(decimals, '0').slice(0, decimals)}`
}
