import { randomUUID } from 'node:crypto'
import { fromUnits, toUnits } from '#contract/money/amount.ts'
import type { Actor } from '#server/access/actor.ts'
import { billingRunApi } from '#contract/money/billing-run.ts'
import { dismissRun, makeRun, showRuns } from '#server/features/money/billing-run/billing-run.service.ts'
import { proposeRuns } from '#server/features/money/billing-run/propose.jobs.ts'
import { adjustInvoice } from '#server/features/money/invoice/edit.service.ts'
import { payInvoice } from '#server/features/money/invoice/payment.service.ts'
import { previewRun, startRun } from '#server/features/money/invoice/run.service.ts'
import { findInvoice } from '#server/features/money/invoice/show.service.ts'
import { approveInvoice, cancelInvoice, declineInvoice, sendInvoice } from '#server/features/money/invoice/state.service.ts'
import { answerObjection, makeObjection } from '#server/features/money/invoice/objection/objection.service.ts'
import { giveDocument } from '#server/features/money/invoice/objection/own-document.service.ts'
import { keepFile } from '#server/features/network/file/file.service.ts'
import type { FileStore } from '#server/platform/files/store.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { pdfOf } from '../tickets/files.ts'
import type { TicketPeople } from '../tickets/make.ts'
import { IN_STATEMENT_MODE } from './tax.ts'

const DAY = 86_400_000
/** Whose invoices staff made by hand, by their places in the demo's list. */
const FIRST = [0, 1, 2, 3, 4, 5, 8]
const SECOND = [3, 4, 5, 6, 7, 8, 11, 16]
/** What becomes of those of the second period that no file pays, in turn. */
const ENDS = ['waiting', 'draft', 'partly_paid', 'waiting', 'declined', 'sent', 'paid', 'approved'] as const
/** What leaves by files. */
const IN_FILES = ['sepa EUR', 'paypal USD']
const OF_WEEK = ['waiting', 'paid', 'draft'] as const
type End = (typeof ENDS)[number] | 'cancelled'

type Parts = { db: Db; store: FileStore; people: TicketPeople }
type Invoice = Awaited<ReturnType<typeof findInvoice>>

/** Invoices of the first half month: all are paid but one, those by SEPA in euros by the file that comes next. */
export async function makeFirstInvoices(parts: Parts, now: number): Promise<void> {
  const at = now - 15 * DAY - 4 * 3_600_000
  let cancelled = false
  for (const [index, { uuid }] of (await makeOf(parts, at, FIRST)).entries()) {
    const end = await endOf(parts.db, uuid, ['sepa EUR'], index > 1 && !cancelled ? 'cancelled' : 'paid')
    cancelled ||= end === 'cancelled'
    await bring(parts, at, uuid, { end, bonus: index === 0, objects: index === 1 ? 'answered' : null })
  }
}

/** Invoices of a week, by a run that was proposed, and of the second half month: each stands somewhere else. */
export async function makeLaterInvoices(parts: Parts, now: number): Promise<void> {
  const { db, people } = parts
  const week = now - 8 * DAY
  await proposeRuns(db, week)
  // these were invoiced by hand
  for (const { uuid } of (await showRuns(db, billingRunApi.list.body.parse({ state: ['proposed'], side: ['advertisers'] }))).list)
    await dismissRun(db, week + 3_600_000, people.head, uuid)
  const weekly = (await showRuns(db, billingRunApi.list.body.parse({ state: ['proposed'], side: ['affiliates'] }))).list.find(
    ({ schedule }) => schedule === 'weekly',
  )
  const made = weekly === undefined ? [] : (await makeRun(db, week + 3_600_000, people.head, weekly.uuid)).invoices
  for (const [index, { uuid }] of made.entries()) {
    // the first waits for its approval since nobody objected in time
    const end = index === 0 ? 'waiting' : await endOf(db, uuid, IN_FILES, OF_WEEK[index % OF_WEEK.length] ?? 'waiting')
    await bring(parts, week + 2 * 3_600_000, uuid, { end, bonus: false, objects: null })
  }

  const second = now - 4 * 3_600_000
  let [turn, drafts, waiting] = [0, 0, 0]
  for (const { uuid } of await makeOf(parts, second, SECOND)) {
    const end = await endOf(db, uuid, IN_FILES, ENDS[turn % ENDS.length] ?? 'draft')
    if (end === ENDS[turn % ENDS.length]) turn++
    const objects = end === 'waiting' && waiting++ === 0 ? 'open' : null
    await bring(parts, second, uuid, { end, bonus: false, objects })
    if (end === 'draft' && drafts++ === 0) await proposeBonus(db, now - 3_600_000, people.head, uuid)
  }
}

/** Has invoices made of the half month before a moment. */
async function makeOf({ db, people }: Parts, at: number, places: readonly number[]) {
  const period = { period_from: dayOf(at - 15 * DAY), period_to: dayOf(at - DAY), minimum: '15', schedule: null }
  const wanted = places.map((place) => people.affiliates[place]?.uuid ?? '')
  const { list } = await previewRun(db, at, { ...period, affiliate_uuids: wanted })
  const chosen = [...new Set(list.filter(({ left_out }) => left_out === null).map(({ affiliate }) => affiliate.uuid))]
  if (chosen.length === 0) return []
  return (await startRun(db, at, people.head, { key: randomUUID(), ...period, affiliate_uuids: chosen })).invoices
}

/** Where an invoice ends: what a payout file pays is approved, and nothing more. */
async function endOf(db: Db, key: string, files: readonly string[], otherwise: End): Promise<End> {
  const { payment_system: system, currency } = await findInvoice(db, key)
  return files.includes(`${system} ${currency}`) ? 'approved' : otherwise
}

type To = { end: End; bonus: boolean; objects: 'answered' | 'open' | null }

/** Takes an invoice to where it ends, each step a while after the one before: one of the staff makes it, another approves it. */
async function bring({ db, store, people }: Parts, at: number, key: string, to: To): Promise<void> {
  const { admin, head } = people
  let invoice = await findInvoice(db, key)
  const place = people.affiliates.findIndex((one) => one.uuid === invoice.affiliate.uuid)
  const owner = people.affiliates[place]
  const step = async (minutes: number, work: (now: number, asked: { key: string; revision: number }) => Promise<unknown>) => {
    await work(at + minutes * 60_000, { key, revision: invoice.revision })
    invoice = await findInvoice(db, key)
  }
  if (to.bonus)
    await step(3, (now, asked) =>
      adjustInvoice(db, now, head, { ...asked, kind: 'bonus', amount: '25', note: 'Best partner of the period' }),
    )
  if (to.end === 'draft') return
  await step(5, (now, asked) => sendInvoice(db, now, head, asked))
  if (to.objects !== null && owner !== undefined)
    await step(30, (now) => makeObjection(db, now, owner, key, 'Six conversions of the first week are not on it, see our report.'))
  if (to.objects === 'answered')
    await step(50, (now, asked) =>
      answerObjection(db, now, head, { ...asked, answer: 'They are on hold until the 20th and come with the next invoice.' }),
    )
  if (to.end === 'waiting') return
  if (to.end === 'declined')
    return step(40, (now, asked) => declineInvoice(db, now, admin, { ...asked, reason: 'Traffic is being looked at' }))
  await step(60, (now, asked) => approveInvoice(db, now, admin, { ...asked, leave_changed: true, leave_debt: true }))
  if (to.end === 'cancelled') return step(90, (now, asked) => cancelInvoice(db, now, admin, { ...asked, reason: 'Wrong company' }))
  if (to.end === 'approved') return
  if (place === IN_STATEMENT_MODE && owner !== undefined) await step(100, (now) => giveOwnInvoice({ db, store }, now, owner, invoice))
  await step(120, (now, asked) =>
    payInvoice({ db, secretKey: null }, now, admin, { ...asked, payment: paymentOf(invoice, at, to.end), call: randomUUID() }),
  )
}

function paymentOf(invoice: Invoice, at: number, end: End) {
  const units = toUnits(invoice.open)
  const half = (units / 2n / 100_000_000n) * 100_000_000n
  return {
    amount: fromUnits(end === 'partly_paid' && half > 0n ? half : units),
    day: dayOf(at),
    source_id: 1,
    external_id: `TR-${invoice.id}-${dayOf(at).replaceAll('-', '')}`,
    note: '',
    settled: end !== 'sent',
    in_advance: false,
    without_own_invoice: false,
    leave_debt: true,
    moved: null,
    charged: '0',
    fee: '0',
    fee_sure: false,
  }
}

/** The invoice an affiliate writes itself for a statement. */
async function giveOwnInvoice({ db, store }: Omit<Parts, 'people'>, now: number, owner: Actor, { uuid, id, total, currency }: Invoice) {
  const number = `${new Date(now).getUTCFullYear()}/${100 + id}`
  const bytes = pdfOf(`Invoice ${number}`, `Marketing services as by statement ${id}: ${total} ${currency}`)
  const asked = { kind: 'own_invoice', name: `invoice-${100 + id}.pdf` } as const
  const file = await keepFile({ db, store, limit: () => () => undefined }, now, owner, asked, bytes)
  await giveDocument(db, now, owner, uuid, { number, day: dayOf(now), file_uuid: file.uuid })
}

/** Above the limit of four eyes: it waits for a second person. */
async function proposeBonus(db: Db, at: number, maker: Actor, key: string): Promise<void> {
  const { revision, currency } = await findInvoice(db, key)
  const amount = currency === 'UAH' ? '9000' : currency === 'JPY' ? '30000' : '200'
  await adjustInvoice(db, at, maker, { key, revision, kind: 'bonus', amount, note: 'Bonus agreed for the volume of the month' })
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
