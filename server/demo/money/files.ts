import { randomUUID } from 'node:crypto'
import type { Currency } from '#contract/money/amount.ts'
import { payoutApi, type PayoutFormat, type PayoutRow } from '#contract/money/payout.ts'
import type { Actor } from '#server/access/actor.ts'
import { makeFile } from '#server/features/money/payout/file.service.ts'
import { planPayouts } from '#server/features/money/payout/plan.service.ts'
import { releaseFile } from '#server/features/money/payout/release.service.ts'
import { markPayout } from '#server/features/money/payout/result.service.ts'
import { showPayouts } from '#server/features/money/payout/show.service.ts'
import type { Db } from '#server/platform/pg/database.ts'
import type { Sources } from './company.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

type Parts = { db: Db; secretKey: string; password: string; admin: Actor; head: Actor; sources: Sources }
type Asked = { format: PayoutFormat; source: number; currency: Currency }

/** The file of the first period: one payment came back, all others arrived. Answers who was not reached. */
export async function makeClosedFile(parts: Parts, now: number): Promise<string[]> {
  const { db, head, admin, sources } = parts
  const at = now - 13 * DAY
  const file = await make(parts, at, head, { format: 'sepa', source: sources.eur, currency: 'EUR' }, [])
  if (file === null) return []
  await release(parts, at + 2 * HOUR, admin, file)
  const payments = await paymentsOf(db, file)
  for (const [place, { uuid, reference }] of payments.entries())
    await mark(db, at + DAY + place * 60_000, head, uuid, { becomes: 'settled', external_id: `EXB${reference.slice(2)}` })
  const back = payments.at(-1)
  if (back === undefined) return []
  await mark(db, at + 4 * DAY, head, back.uuid, { becomes: 'returned', fee: '1.50', reason: 'AC04: the account is closed' })
  return [back.affiliate.uuid]
}

/** What leaves now: a file that is on its way, and one that waits for a second person. */
export async function makeOpenFiles(parts: Parts, now: number, unreached: readonly string[]): Promise<void> {
  const { db, head, admin, sources } = parts
  const sent = await make(parts, now - 3 * HOUR, admin, { format: 'paypal', source: sources.paypal, currency: 'USD' }, [])
  if (sent !== null) {
    await release(parts, now - 2 * HOUR, head, sent)
    const [first, ...others] = await paymentsOf(db, sent)
    if (first !== undefined && others.length > 0)
      await mark(db, now - HOUR, head, first.uuid, { becomes: 'settled', external_id: '8RK41095UB447612T', fee: '0.35' })
  }
  const asked: Asked[] = [{ format: 'sepa', source: sources.eur, currency: 'EUR' }, ...BY_TABLE]
  for (const one of asked) if ((await make(parts, now - HOUR, head, one, unreached)) !== null) return
}

/** Where nothing is due by SEPA: a table of our own pays by whatever method. */
const BY_TABLE = (['EUR', 'USD', 'UAH'] as const).map((currency) => ({ format: 'own' as const, source: 1, currency }))

/** A file of all that is approved and can be paid so, but for some; null where that is nothing. */
async function make({ db, secretKey }: Parts, at: number, by: Actor, { source, ...asked }: Asked, but: readonly string[]) {
  const secret = { secretKey, now: at }
  const due = { ...asked, due_to: dayOf(at + 60 * DAY), systems: [], invoice_uuids: [], owing_uuids: [] }
  const planned = (await planPayouts(db, secret, { ...due, affiliateUuids: [] })).filter(({ left_out }) => left_out === null)
  const uuids = planned.map(({ rows: [{ uuid }] }) => uuid).filter((uuid) => !but.includes(uuid))
  if (uuids.length === 0) return null
  const call = {
    key: randomUUID(),
    ...due,
    source_id: source,
    execution_day: dayOf(asked.format === 'sepa' ? at + DAY : at),
    delimiter: ',' as const,
  }
  return makeFile(db, secret, by, { ...call, affiliate_uuids: uuids })
}

function release({ db, secretKey, password }: Parts, now: number, by: Actor, file: string): Promise<void> {
  return releaseFile(db, { secretKey, now }, by, file, { password, code: '' })
}

async function paymentsOf(db: Db, uuid: string): Promise<PayoutRow[]> {
  return (await showPayouts(db, payoutApi.payments.body.parse({ uuid, count: 100 }))).list
}

type Told = { becomes: 'settled' | 'returned'; external_id?: string; fee?: string; reason?: string }

function mark(db: Db, now: number, by: Actor, uuid: string, told: Told): Promise<void> {
  return markPayout(db, now, by, uuid, { external_id: '', fee: '0', reason: '', fee_sure: true, ...told })
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
