import { randomUUID } from 'node:crypto'
import { advertiserBillingApi } from '#contract/money/advertiser-billing.ts'
import { fromUnits, toUnits, UNITS, type Currency } from '#contract/money/amount.ts'
import type { z } from 'zod'
import type { Actor } from '#server/access/actor.ts'
import { changeTerms, showReceivables, showTerms } from '#server/features/money/advertiser-billing/advertiser-billing.service.ts'
import { judgeCredit } from '#server/features/money/advertiser-billing/credit.service.ts'
import { updateInvoice } from '#server/features/money/advertiser-invoice/advertiser-invoice.queries.ts'
import { adjustDraft, makeDrafts, previewDrafts } from '#server/features/money/advertiser-invoice/draft.service.ts'
import { issueInvoice, writeOffInvoice } from '#server/features/money/advertiser-invoice/issue.service.ts'
import { showInvoice } from '#server/features/money/advertiser-invoice/show.service.ts'
import { keepStep, lockAdvertiserInvoice } from '#server/features/money/advertiser-invoice/step.service.ts'
import { convertAmount } from '#server/features/money/currency/rate.service.ts'
import { confirmProposal } from '#server/features/money/proposal/proposal.service.ts'
import { findProposalOf } from '#server/features/money/proposal/proposal.queries.ts'
import { bookReceipt } from '#server/features/money/receipt/book.service.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { ADVERTISERS as LISTED } from '../people.ts'
import type { TicketPeople } from '../tickets/make.ts'
import { COMPANY, type Sources } from './company.ts'

const DAY = 86_400_000
/** So many advertisers are invoiced: those that owe most. */
const ADVERTISERS = 7
/** What comes in for the invoices of the first period, the largest first: all of it, a part, or nothing yet. */
const FIRST = ['whole', 'half', 'whole', 'nothing', 'whole', 'whole', 'whole'] as const
/** How the second period's end. */
const SECOND = ['issued', 'draft', 'issued', 'discount', 'issued', 'draft', 'issued'] as const
/** Days after which it was due of whom the first invoice is not paid, so that it is overdue. */
const OVERDUE_NET = 3
/** The rest of one is to be given up; a second person decides. */
const WRITTEN_OFF = 1
const UNION = new Set('CY DE EE ES FI FR IE IT MT NL PL'.split(' '))

/** Two half months of invoices to advertisers: some are overdue and were reminded, one pays in advance, one is near the end of its credit. */
export async function makeReceivables(db: Db, now: number, { admin, head }: TicketPeople, sources: Sources): Promise<void> {
  for (const [place, ago] of [16, 1].entries()) {
    const at = now - (ago - 1) * DAY - 5 * 3_600_000
    const period = { period_from: dayOf(at - 15 * DAY), period_to: dayOf(at - DAY), offer_uuids: [], minimum: '0' }
    const { list } = await previewDrafts(db, at, { ...period, advertiser_uuids: [], currency: [] })
    const worth = await Promise.all(
      list.map(({ net, currency }) => convertAmount(db, net, currency, { currency: 'USD', scale: 2 }, { at })),
    )
    const chosen = list
      .map((row, index) => ({ ...row, worth: Number(worth[index] ?? 0) }))
      .filter(({ left_out }) => left_out === null)
      .toSorted((a, b) => b.worth - a.worth)
      .slice(0, ADVERTISERS)
    if (chosen.length === 0) continue
    for (const [index, { advertiser }] of chosen.entries()) {
      const late = place === 0 && FIRST[index] !== 'whole'
      await setTerms(db, at, admin, advertiser.uuid, { ...taxOf(advertiser.name), ...(late && { net_days: OVERDUE_NET }) })
    }
    const rows = chosen.map(({ advertiser, currency }) => ({ advertiser_uuid: advertiser.uuid, currency }))
    const { invoices } = await makeDrafts(db, at, head, { key: randomUUID(), ...period, rows })
    let exchanged = false
    for (const [index, { uuid }] of invoices.entries()) {
      const end = place === 1 ? (SECOND[index] ?? 'issued') : 'issued'
      if (end === 'draft') continue
      const draft = await showInvoice(db, at, uuid)
      if (end === 'discount') {
        const input = { kind: 'discount' as const, amount: '-50', note: 'Volume of the month' }
        await adjustDraft(db, at + 60_000, head, { key: uuid, revision: draft.revision, input })
        continue
      }
      await issueInvoice(db, at + 3_600_000, admin, { key: uuid, revision: draft.revision, net: draft.now.net })
      if (place === 1) continue
      const paid = FIRST[index] ?? 'whole'
      const open = toUnits(draft.now.total)
      const when = at + 6 * DAY
      if (paid === 'whole' && !exchanged && draft.currency === 'USD') {
        exchanged = true
        await receiveInEuros(db, when, [head, admin], draft, open, sources.eur)
      } else if (paid !== 'nothing') await receive(db, when, [head, admin], draft, paid === 'half' ? (open / 2n / UNITS) * UNITS : open)
      if (paid !== 'whole') for (const days of [3, 7]) await remind(db, at + (OVERDUE_NET + days) * DAY, uuid)
      if (index === WRITTEN_OFF) {
        const { revision } = await showInvoice(db, now, uuid)
        const reason = 'Settled by agreement: duplicate applications of the first week.'
        await writeOffInvoice(db, now - 3 * 3_600_000, head, { key: uuid, revision, reason })
      }
    }
  }
  await setCredit(db, now, { admin, head })
}

/** Two who are not invoiced by hand: their weeks are proposed. */
export async function invoiceByWeek(db: Db, now: number, admin: Actor): Promise<void> {
  const asked = { period_from: null, period_to: dayOf(now), offer_uuids: [], minimum: '0', advertiser_uuids: [], currency: [] }
  const { list } = await previewDrafts(db, now, asked)
  const without: typeof list = []
  for (const row of list) if ((await showTerms(db, row.advertiser.uuid)).revision === 0) without.push(row)
  for (const { advertiser } of without.filter(({ left_out }) => left_out === null).slice(0, 2))
    await setTerms(db, now, admin, advertiser.uuid, { ...taxOf(advertiser.name), schedule: 'weekly', net_days: 14 })
}

/** How invoices to a company are taxed, as an accountant of ours would decide. */
function taxOf(name: string): Pick<Terms, 'vat_category' | 'vat_rate'> {
  const { country = '', vat = '' } = LISTED.find((one) => one.name === name) ?? {}
  if (country === COMPANY.country) return { vat_category: 'S', vat_rate: '23' }
  return { vat_category: UNION.has(country) && vat !== '' ? 'AE' : 'O', vat_rate: '0' }
}

/** What the reminder of a day leaves behind; the demo has no server that could mail it. */
async function remind(db: Db, now: number, key: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const invoice = await lockAdvertiserInvoice(trx, key)
    const at = new Date(now)
    await updateInvoice(trx, invoice.id, { reminded_at: at })
    await keepStep({ trx, invoice, at, actor: null }, { status: invoice.status, event: 'reminded' })
  })
}

/** Limits: the largest is near its own, the next is well within, and another pays in advance. */
async function setCredit(db: Db, now: number, { admin, head }: { admin: Actor; head: Actor }): Promise<void> {
  const asked = advertiserBillingApi.list.body.parse({ count: 10 })
  const { list } = await showReceivables(db, now, asked)
  const owing = list.filter(({ exposure }) => toUnits(exposure) > 0n)
  // who owes in two currencies stands there twice
  const [near, good, , prepaying] = owing.filter(
    (one, at) => owing.findIndex((other) => other.advertiser.uuid === one.advertiser.uuid) === at,
  )
  const limitOf = (exposure: string, percent: bigint) =>
    fromUnits(((toUnits(exposure) * 100n) / percent / (10n * UNITS) + 1n) * 10n * UNITS)
  if (near)
    await setTerms(db, now, admin, near.advertiser.uuid, { limits: [{ currency: near.currency, amount: limitOf(near.exposure, 86n) }] })
  if (good)
    await setTerms(db, now, admin, good.advertiser.uuid, { limits: [{ currency: good.currency, amount: limitOf(good.exposure, 40n) }] })
  if (prepaying) {
    await receive(db, now - 2 * 3_600_000, [admin, head], prepaying, toUnits(limitOf(prepaying.exposure, 60n)))
    await setTerms(db, now, admin, prepaying.advertiser.uuid, { limits: [{ currency: prepaying.currency, amount: '0' }] })
  }
  await judgeCredit(db, now)
}

type Terms = z.input<typeof advertiserBillingApi.updateTerms.body>

async function setTerms(db: Db, now: number, admin: Actor, uuid: string, changes: Partial<Terms>): Promise<void> {
  const { network: _network, ...stored } = await showTerms(db, uuid)
  await changeTerms(db, now, admin, uuid, advertiserBillingApi.updateTerms.body.parse({ ...stored, ...changes }))
}

/** Who books, and who confirms. */
type Two = readonly [Actor, Actor]
type From = { advertiser: { uuid: string; id: number }; currency: Currency }

async function receive(db: Db, at: number, by: Two, { advertiser, currency }: From, units: bigint): Promise<void> {
  if (units <= 0n) return
  await book(db, at, by, { ...receiptOf(at, advertiser, units, currency), currency, source_id: 1, moved: null })
}

/** Dollars that were paid into the account in euros; the bank's rate was a little worse than that of the day. */
async function receiveInEuros(
  db: Db,
  at: number,
  by: Two,
  { advertiser, currency }: From,
  units: bigint,
  source_id: number,
): Promise<void> {
  const day = dayOf(at)
  const euros = await convertAmount(db, fromUnits((units * 996n) / 1000n), currency, { currency: 'EUR', scale: 2 }, day)
  if (euros === null) return receive(db, at, by, { advertiser, currency }, units)
  const cents = UNITS / 100n
  const moved = { sure: false, currency: 'EUR' as const, amount: fromUnits((toUnits(euros) / cents) * cents) }
  await book(db, at, by, { ...receiptOf(at, advertiser, units, currency), currency, source_id, moved })
}

/** Booked by one, and where it is much confirmed by the other. */
async function book(db: Db, at: number, [one, other]: Two, receipt: Parameters<typeof bookReceipt>[3]): Promise<void> {
  const { proposed } = await bookReceipt(db, at, one, receipt)
  const found = proposed && (await findProposalOf(db, receipt.key))
  if (found) await confirmProposal({ db, secretKey: null }, at + 60_000, other, found.uuid)
}

function receiptOf(at: number, { uuid, id }: { uuid: string; id: number }, units: bigint, currency: Currency) {
  const day = dayOf(at)
  const external_id = `IN-${id}-${day.replaceAll('-', '')}${currency}`
  return { key: randomUUID(), advertiser_uuid: uuid, amount: fromUnits(units), day, external_id, note: '', short: false, parts: null }
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
