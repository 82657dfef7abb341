import { randomUUID } from 'node:crypto'
import { advertiserBillingApi } from '#contract/money/advertiser-billing.ts'
import { fromUnits, toUnits, UNITS, type Currency } from '#contract/money/amount.ts'
import type { z } from 'zod'
import type { Actor } from '#server/access/actor.ts'
import { changeTerms, showReceivables, showTerms } from '#server/features/money/advertiser-billing/advertiser-billing.service.ts'
import { judgeCredit } from '#server/features/money/advertiser-billing/credit.service.ts'
import { adjustDraft, makeDrafts, previewDrafts } from '#server/features/money/advertiser-invoice/draft.service.ts'
import { issueInvoice } from '#server/features/money/advertiser-invoice/issue.service.ts'
import { showInvoice } from '#server/features/money/advertiser-invoice/show.service.ts'
import { bookReceipt } from '#server/features/money/receipt/receipt.service.ts'
import type { Db } from '#server/platform/pg/database.ts'

const DAY = 86_400_000
/** So many advertisers are invoiced: those that owe most. */
const ADVERTISERS = 7
/** What comes in for the invoices of the first period, the largest first: all of it, a part, or nothing yet. */
const FIRST = ['whole', 'half', 'whole', 'nothing', 'whole', 'whole', 'whole'] as const
/** How the second period's end. */
const SECOND = ['issued', 'draft', 'issued', 'discount', 'issued', 'draft', 'issued'] as const

/** Two half months of invoices to advertisers: one is overdue, one pays in advance, one is near the end of its credit. */
export async function makeReceivables(db: Db, now: number, admin: Actor): Promise<void> {
  for (const [place, ago] of [16, 1].entries()) {
    const at = now - (ago - 1) * DAY - 5 * 3_600_000
    const period = { period_from: dayOf(at - 15 * DAY), period_to: dayOf(at - DAY), offer_uuids: [] }
    const { list } = await previewDrafts(db, { ...period, advertiser_uuids: [], currency: [] })
    const chosen = list
      .filter(({ left_out }) => left_out === null)
      .toSorted((a, b) => Number(b.net) - Number(a.net))
      .slice(0, ADVERTISERS)
    if (chosen.length === 0) continue
    if (place === 0 && chosen[1]) await setTerms(db, at, admin, chosen[1].advertiser.uuid, { net_days: 3 })
    const rows = chosen.map(({ advertiser, currency }) => ({ advertiser_uuid: advertiser.uuid, currency }))
    const { invoices } = await makeDrafts(db, at, admin, { key: randomUUID(), ...period, rows })
    for (const [index, { uuid }] of invoices.entries()) {
      const end = place === 1 ? (SECOND[index] ?? 'issued') : 'issued'
      if (end === 'draft') continue
      const draft = await showInvoice(db, at, uuid)
      if (end === 'discount') {
        const input = { kind: 'discount' as const, amount: '-50', note: 'Volume of the month' }
        await adjustDraft(db, at + 60_000, admin, { key: uuid, revision: draft.revision, input })
        continue
      }
      await issueInvoice(db, at + 3_600_000, admin, { key: uuid, revision: draft.revision, net: draft.now.net })
      const paid = place === 1 ? 'nothing' : (FIRST[index] ?? 'whole')
      if (paid === 'nothing') continue
      const open = toUnits(draft.now.total)
      await receive(db, at + 6 * DAY, admin, draft, paid === 'half' ? (open / 2n / UNITS) * UNITS : open)
    }
  }
  await setCredit(db, now, admin)
}

/** Limits: the largest is near its own, the next is well within, and another pays in advance. */
async function setCredit(db: Db, now: number, admin: Actor): Promise<void> {
  const asked = advertiserBillingApi.list.body.parse({ count: 10 })
  const { list } = await showReceivables(db, now, asked)
  const [near, good, , prepaying] = list.filter(({ exposure }) => toUnits(exposure) > 0n)
  const limitOf = (exposure: string, percent: bigint) =>
    fromUnits(((toUnits(exposure) * 100n) / percent / (100n * UNITS) + 1n) * 100n * UNITS)
  if (near)
    await setTerms(db, now, admin, near.advertiser.uuid, { limits: [{ currency: near.currency, amount: limitOf(near.exposure, 88n) }] })
  if (good)
    await setTerms(db, now, admin, good.advertiser.uuid, { limits: [{ currency: good.currency, amount: limitOf(good.exposure, 40n) }] })
  if (prepaying) {
    await receive(db, now - 2 * 3_600_000, admin, prepaying, toUnits(limitOf(prepaying.exposure, 60n)))
    await setTerms(db, now, admin, prepaying.advertiser.uuid, { limits: [{ currency: prepaying.currency, amount: '0' }] })
  }
  await judgeCredit(db, now)
}

type Terms = z.input<typeof advertiserBillingApi.updateTerms.body>

async function setTerms(db: Db, now: number, admin: Actor, uuid: string, changes: Partial<Terms>): Promise<void> {
  const { network: _network, ...stored } = await showTerms(db, uuid)
  await changeTerms(db, now, admin, uuid, advertiserBillingApi.updateTerms.body.parse({ ...stored, ...changes }))
}

async function receive(
  db: Db,
  at: number,
  admin: Actor,
  { advertiser, currency }: { advertiser: { uuid: string; id: number }; currency: Currency },
  units: bigint,
): Promise<void> {
  if (units <= 0n) return
  const day = dayOf(at)
  const external_id = `IN-${advertiser.id}-${day.replaceAll('-', '')}`
  const asked = { key: randomUUID(), advertiser_uuid: advertiser.uuid, currency, amount: fromUnits(units), day, source_id: 1 }
  await bookReceipt(db, at, admin, { ...asked, external_id, note: '', moved: null, short: false, parts: null })
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
