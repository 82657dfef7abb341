import { isValidBIC, isValidIBAN } from 'ibantools'
import type { z } from 'zod'
import type { Currency } from '#contract/money/amount.ts'
import type { PaymentSource, PayoutFormat, paymentSourceApi } from '#contract/money/payout.ts'
import type { Actor } from '#server/access/actor.ts'
import { requireCurrency } from '#server/features/money/currency/currency.service.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError, type FieldErrors } from '#server/platform/errors.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { refuseStale } from '#server/platform/pg/version.ts'
import { countSources, holdSource, insertSource, listPaymentSources, lockSource, updateSource, type SourceRow } from './source.queries.ts'

type Input = z.output<typeof paymentSourceApi.create.body>

/** Formats that say what arrives and leave it to whoever pays in what it leaves. */
const EXCHANGING: ReadonlySet<PayoutFormat> = new Set(['wise', 'own'])

/** More bank accounts and wallets nobody looks through. */
const MOST_SOURCES = 100

/** Where payments leave from. */
export async function readSources(db: Db): Promise<{ list: PaymentSource[] }> {
  return { list: await listPaymentSources(db) }
}

/** Adds a bank account or wallet. Throws `limit_reached`, `invalid_input`, `unknown_reference`. */
export async function createSource(db: Db, now: number, actor: Actor, input: Input): Promise<PaymentSource> {
  return db.transaction().execute(async (trx) => {
    if ((await countSources(trx)) >= MOST_SOURCES) throw new AppError('limit_reached')
    const made = await insertSource(trx, await checked(trx, input))
    await recordAudit(trx, actor, now, { action: 'create', entity: 'payment_source', entityId: made.id, after: logged(made) })
    return made
  })
}

/** Changes one. Throws `not_found`, `conflict`, `invalid_input`, `unknown_reference`. */
export async function changeSource(
  db: Db,
  now: number,
  actor: Actor,
  uuid: string,
  { version, ...input }: Input & { version: number },
): Promise<PaymentSource> {
  return db.transaction().execute(async (trx) => {
    const before = await lockSource(trx, uuid)
    if (before === undefined) throw new AppError('not_found')
    refuseStale(before, version)
    const after = await updateSource(trx, before.id, await checked(trx, input))
    await recordAudit(trx, actor, now, {
      action: 'update',
      entity: 'payment_source',
      entityId: before.id,
      before: logged(before),
      after: logged(after),
    })
    return after
  })
}

/** A source a file can leave from. Throws `invalid_input` where it pays another currency, or lacks what the format names. */
export async function usableSource(trx: Trx, asked: { source_id: number; format: PayoutFormat; currency: Currency }): Promise<SourceRow> {
  const source = await holdSource(trx, asked.source_id)
  const refuse = (text: string) => new AppError('invalid_input', { fields: { source_id: text } })
  if (source === undefined || !source.active) throw refuse('Choose where it was paid from')
  if (source.currency !== null && source.currency !== asked.currency && !EXCHANGING.has(asked.format))
    throw refuse('It pays another currency')
  if (asked.format === 'sepa' && (source.iban === '' || source.holder === ''))
    throw refuse('It needs a holder and an IBAN: add them in the settings')
  return source
}

async function checked(trx: Trx, input: Input): Promise<Input> {
  const fields: FieldErrors = {}
  const iban = input.iban.replace(/[\s-]/g, '').toUpperCase()
  const bic = input.bic.replace(/\s/g, '').toUpperCase()
  if (iban !== '' && !isValidIBAN(iban)) fields['iban'] = 'This is no IBAN: a letter or digit is wrong or missing'
  if (bic !== '' && !isValidBIC(bic)) fields['bic'] = 'This is no BIC: 8 or 11 letters and digits'
  if (Object.keys(fields).length > 0) throw new AppError('invalid_input', { fields })
  if (input.currency !== null) await requireCurrency(trx, input.currency)
  return { ...input, iban, bic }
}

/** The log knows an account by its end. */
function logged({ name, kind, holder, iban, currency, decimal_sign, active }: SourceRow) {
  return { name, kind, holder, iban: iban === '' ? '' : `••• ${iban.slice(-4)}`, currency, decimal_sign, active }
}
