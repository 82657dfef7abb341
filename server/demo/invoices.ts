import { randomUUID } from 'node:crypto'
import { fromUnits, toUnits } from '#contract/money/amount.ts'
import type { Actor } from '#server/access/actor.ts'
import { adjustInvoice } from '#server/features/money/invoice/edit.service.ts'
import { payInvoice } from '#server/features/money/invoice/payment.service.ts'
import { previewRun, startRun } from '#server/features/money/invoice/run.service.ts'
import { showInvoice } from '#server/features/money/invoice/show.service.ts'
import { approveInvoice, cancelInvoice, declineInvoice, sendInvoice } from '#server/features/money/invoice/state.service.ts'
import type { Db } from '#server/platform/pg/database.ts'

const DAY = 86_400_000
/** So many affiliates a period: the ones that earned most. */
const AFFILIATES = 5
/** What becomes of the second period's invoices, the largest first. */
const ENDS = ['approved', 'partly_paid', 'sent', 'waiting', 'draft', 'paid', 'declined', 'waiting', 'approved'] as const
type End = (typeof ENDS)[number] | 'cancelled'

/** Invoices of two half months: those of the first are paid, of the second each stands somewhere else. */
export async function makeInvoices(db: Db, now: number, admin: Actor): Promise<void> {
  for (const [place, ago] of [16, 1].entries()) {
    // all its steps lie in the past
    const at = now - (ago - 1) * DAY - 4 * 3_600_000
    const period = { period_from: dayOf(at - 15 * DAY), period_to: dayOf(at - DAY), minimum: '10' }
    const { list } = await previewRun(db, at, { ...period, affiliate_uuids: [] })
    const chosen = [...new Set(list.filter(({ left_out }) => left_out === null).map(({ affiliate }) => affiliate.uuid))].slice(
      0,
      AFFILIATES,
    )
    if (chosen.length === 0) continue
    const { invoices } = await startRun(db, at, admin, { key: randomUUID(), ...period, affiliate_uuids: chosen })
    for (const [index, { uuid }] of invoices.entries()) {
      const end: End = place === 1 ? (ENDS[index % ENDS.length] ?? 'draft') : index === 2 ? 'cancelled' : 'paid'
      await bring(db, at, admin, uuid, { end, bonus: index === 0 })
    }
  }
}

/** Takes an invoice to where it ends, each step a while after the one before. */
async function bring(db: Db, at: number, admin: Actor, key: string, to: { end: End; bonus: boolean }): Promise<void> {
  let invoice = await showInvoice(db, key)
  const step = async (minutes: number, work: (now: number, asked: { key: string; revision: number }) => Promise<void>) => {
    await work(at + minutes * 60_000, { key, revision: invoice.revision })
    invoice = await showInvoice(db, key)
  }
  if (to.bonus)
    await step(3, (now, asked) =>
      adjustInvoice(db, now, admin, { ...asked, kind: 'bonus', amount: '25', note: 'Best partner of the period' }),
    )
  if (to.end === 'draft') return
  await step(5, (now, asked) => sendInvoice(db, now, admin, asked))
  if (to.end === 'waiting') return
  if (to.end === 'declined')
    return step(40, (now, asked) => declineInvoice(db, now, admin, { ...asked, reason: 'Traffic is being looked at' }))
  await step(60, (now, asked) => approveInvoice(db, now, admin, { ...asked, leave_changed: true }))
  if (to.end === 'cancelled') return step(90, (now, asked) => cancelInvoice(db, now, admin, { ...asked, reason: 'Wrong company' }))
  if (to.end === 'approved') return
  const units = toUnits(invoice.open)
  const half = (units / 2n / 100_000_000n) * 100_000_000n
  const payment = {
    amount: fromUnits(to.end === 'partly_paid' && half > 0n ? half : units),
    day: dayOf(at),
    source_id: 1,
    external_id: `TR-${invoice.id}-${dayOf(at).replaceAll('-', '')}`,
    note: '',
    settled: to.end !== 'sent',
    in_advance: false,
    without_own_invoice: true,
    moved: null,
  }
  await step(120, (now, asked) => payInvoice({ db, secretKey: null }, now, admin, { ...asked, payment, call: randomUUID() }))
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
