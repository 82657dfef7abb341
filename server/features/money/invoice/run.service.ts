import type { z } from 'zod'
import { amountText } from '#contract/money/amount.ts'
import { companySetting } from '#contract/money/document.ts'
import { paymentSetting } from '#contract/money/payment.ts'
import type { invoiceApi } from '#contract/money/invoice.ts'
import type { billingRun } from '#contract/money/run-shape.ts'
import type { Actor } from '#server/access/actor.ts'
import { getGeneralSettings, getSetting } from '#server/features/network/setting/setting.queries.ts'
import { termsOf } from '#server/features/money/terms/terms.service.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import { makeDraft as makeAdvertiserDraft, NothingLeft } from '#server/features/money/advertiser-invoice/make.service.ts'
import { log } from '#server/platform/log.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { endOf } from '#server/rules/zone-day.ts'
import { askedDigest } from './asked-digest.ts'
import { previewInvoices, type Asked, type PreviewRow } from './available.queries.ts'
import { refusePeriod } from './asked-period.ts'
import { lockChosenGroups } from './chosen.service.ts'
import { answerRequest, whatAnswers } from './answer-request.service.ts'
import { lockAvailable, worthOf, type Available } from './lines.service.ts'
import { makeDraft } from './make.service.ts'
import { endRow, insertRows, insertRun, readRun, takeRow } from './run.queries.ts'
import { runOfKey } from './run-key.service.ts'
import { lockBilling } from './step.service.ts'

type PreviewAsked = z.output<typeof invoiceApi.preview.body>

/** So many lines a preview shows; a run makes all. */
export const SHOWN = 1000
const DAY = 86_400_000
/** So long whoever asks waits for a run; the worker goes on with it. */
const PATIENCE_MS = 8_000

/** What invoices a period would make. Throws `invalid_input` for one that ends after today. */
export async function previewRun(db: Db, now: number, asked: PreviewAsked): Promise<{ list: PreviewRow[]; more: boolean }> {
  const what = await askedOf(db, now, asked)
  refusePeriod(now, asked, what.zone)
  return shownOf(await previewInvoices(db, what, SHOWN + 1))
}

/** The first rows of a preview that asked for one more than is shown. */
export function shownOf<Row extends Pick<PreviewRow, 'net' | 'vat' | 'total' | 'later' | 'requested' | 'minimum'>>(
  list: readonly Row[],
): { list: Row[]; more: boolean } {
  return {
    list: list.slice(0, SHOWN).map((row) => ({
      ...row,
      net: amountText(row.net),
      vat: amountText(row.vat),
      total: amountText(row.total),
      later: row.later === null ? null : amountText(row.later),
      minimum: amountText(row.minimum),
      requested: row.requested === null ? null : amountText(row.requested),
    })),
    more: list.length > SHOWN,
  }
}

/** Stores what is to be made and makes it, each invoice in a transaction of its own; what is left when it ends early the worker makes. */
export async function startRun(
  db: Db,
  now: number,
  actor: Actor,
  { key, ...asked }: PreviewAsked & { key: string },
): Promise<z.output<typeof billingRun>> {
  const { time_zone } = await getGeneralSettings(db)
  refusePeriod(now, asked, time_zone)
  const what = await askedOf(db, now, asked)
  const digest = askedDigest(actor.accountId, { ...asked, affiliate_uuids: asked.affiliate_uuids.toSorted() })
  const uuid = await db.transaction().execute(async (trx) => {
    // the same call sent again meanwhile waits, and finds the run instead of nothing left
    await lockName(trx, `billing run ${key}`)
    const known = await runOfKey(trx, key, digest)
    if (known !== undefined) return known
    // who asked for more is kept with the run: whoever made it is told to answer that
    const rows = (await previewInvoices(trx, what, null)).filter(({ left_out }) => left_out === null || left_out === 'requested')
    if (rows.every(({ left_out }) => left_out !== null)) throw new AppError('nothing_to_invoice')
    const { period_from, period_to } = asked
    const run = { key, asked: digest, period_from, period_to, time_zone, made_by: actor.accountId, created_at: new Date(now) }
    const made = await insertRun(trx, run)
    if (made !== undefined) await insertRows(trx, made.id, rows)
    if (made !== undefined)
      await recordAudit(trx, actor, now, {
        action: 'create',
        entity: 'billing_run',
        entityId: made.uuid,
        after: { period_to, rows: rows.length },
      })
    return made?.uuid ?? (await runOfKey(trx, key, digest)) ?? ''
  })
  return workOff(db, now, uuid)
}

/** Makes what waits of a run, as long as whoever asked has patience; the worker goes on with it. */
export async function workOff(db: Db, now: number, uuid: string): Promise<z.output<typeof billingRun>> {
  const until = performance.now() + PATIENCE_MS
  while (performance.now() < until && (await workOffRow(db, now, uuid))) {
    // one after the other
  }
  return showRun(db, uuid)
}

/** What has become of a run. Throws `not_found`. */
export async function showRun(db: Db, uuid: string): Promise<z.output<typeof billingRun>> {
  const run = await readRun(db, uuid)
  if (run === undefined) throw new AppError('not_found')
  return run
}

/** Makes the invoice of one row that waits, of one run or of any; false where none does. Several may work at the same time. */
export async function workOffRow(db: Db, now: number, uuid: string | null = null): Promise<boolean> {
  let taken: string | undefined
  try {
    return await db.transaction().execute(async (trx) => {
      const row = await takeRow(trx, uuid)
      taken = row?.id
      if (row === undefined) return false
      if (row.affiliate_id === null) {
        await makeOfAdvertiser(trx, now, row)
        return true
      }
      await lockBilling(trx, { affiliate_id: row.affiliate_id, currency: row.currency })
      const of = { affiliateId: row.affiliate_id, currency: row.currency }
      const available =
        row.conversions === null
          ? await availableUntil(trx, now, { ...row, affiliate_id: row.affiliate_id })
          : await lockListed(trx, row.conversions, row.leaves_debt)
      if (available === 'owes') {
        await endRow(trx, row.id, { state: 'nothing', reason: 'negative' })
        return true
      }
      const asked = await whatAnswers(trx, { affiliate_id: row.affiliate_id, currency: row.currency }, worthOf(available))
      // of what was chosen by hand somebody knows
      if (asked === 'short' && row.conversions === null) {
        await endRow(trx, row.id, { state: 'nothing', reason: 'requested' })
        return true
      }
      try {
        const draft = { ...of, periodFrom: row.period_from, periodTo: row.period_to, zone: row.time_zone, runRowId: row.id }
        const made = await makeDraft(trx, now, row.made_by, draft, available)
        await endRow(trx, row.id, { state: 'made', invoice_id: made.id, made: made.net })
        if (typeof asked === 'object') await answerRequest(trx, now, row.made_by, asked, made.id)
      } catch (error) {
        // somebody was quicker: nothing is left
        if (!(error instanceof AppError && error.code === 'nothing_to_invoice')) throw error
        await endRow(trx, row.id, { state: 'nothing' })
      }
      return true
    })
  } catch (error) {
    if (taken === undefined) throw error
    // somebody was quicker: nothing is left
    if (error instanceof NothingLeft) {
      await endRow(db, taken, { state: 'nothing' })
      return true
    }
    log.error({ err: error, row: taken }, 'an invoice of a run could not be made')
    await endRow(db, taken, { state: 'failed', reason: String(error).slice(0, 300) })
    return true
  }
}

/** Makes the draft of an advertiser's row, with the extra hold of its terms. Throws `NothingLeft`. */
async function makeOfAdvertiser(trx: Trx, now: number, row: NonNullable<Awaited<ReturnType<typeof takeRow>>>): Promise<void> {
  const { id, advertiser_id, currency, period_from, period_to, time_zone } = row
  const by = { key: null, asked: null, minimum: '0', offerIds: [] }
  const asked = { ...by, advertiser_id: advertiser_id ?? 0, currency, period_from, period_to, time_zone }
  const made = await makeAdvertiserDraft(trx, now, row.made_by, null, { ...asked, runRowId: id })
  await endRow(trx, id, { state: 'made', advertiser_invoice_id: made.id, made: made.net })
}

/** All that an affiliate may have of a period, of each kind as much as one invoice takes: what is beyond is for the next, and the run says that it came out otherwise. */
async function availableUntil(
  trx: Trx,
  now: number,
  row: { affiliate_id: number; currency: string; period_to: string; time_zone: string },
) {
  const { hold_days } = await termsOf(trx, row.affiliate_id)
  const ends = endOf(row.period_to, row.time_zone).getTime()
  const until = new Date(Math.min(ends, now - hold_days * DAY))
  const months = { endedBy: new Date(Math.min(ends, now)), zone: row.time_zone }
  return lockAvailable(trx, { affiliateId: row.affiliate_id, currency: row.currency, until, adjusted: new Date(ends), months })
}

/** What was chosen of one affiliate, with what comes along where it owes; `owes`: it does since, and more than that comes to. */
async function lockListed(trx: Trx, ids: readonly string[], leavesDebt: boolean): Promise<Available | 'owes'> {
  const { groups, debts } = await lockChosenGroups(trx, { ids }, leavesDebt)
  if (debts.length > 0) return 'owes'
  return groups[0]?.available ?? { conversions: [], changed: [], adjustments: [], referrals: [] }
}

async function askedOf(db: Db, now: number, asked: PreviewAsked): Promise<Asked> {
  const [{ time_zone }, network, company] = await Promise.all([
    getGeneralSettings(db),
    getSetting(db, paymentSetting),
    getSetting(db, companySetting),
  ])
  return {
    until: endOf(asked.period_to, time_zone),
    periodTo: asked.period_to,
    now: new Date(now),
    zone: time_zone,
    minimum: asked.minimum,
    affiliateUuids: asked.affiliate_uuids,
    schedule: asked.schedule,
    makes: null,
    network,
    company,
  }
}
