import type { z } from 'zod'
import { MOST_METHODS, paymentSetting, type MethodChange, type paymentMethodApi, type PaymentSettings } from '#contract/money/payment.ts'
import { affiliateOf, type Actor } from '#server/access/actor.ts'
import { requireCurrency } from '#server/features/money/currency/currency.service.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { findProfile } from '#server/features/people/account/account.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { checkPassword } from '#server/features/people/auth/check-password.service.ts'
import { ownOnly } from '#server/features/people/auth/own-only.ts'
import { tellOwner, type Reader, type ToldFrom } from '#server/features/people/auth/tell-owner.service.ts'
import { afterProof } from '#server/features/people/second-factor/second-factor.service.ts'
import { systemsFor, termsOf } from '#server/features/money/terms/terms.service.ts'
import { AppError, type FieldErrors } from '#server/platform/errors.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { openSealer } from '#server/platform/seal.ts'
import { maskedOf, readMethod } from './check.service.ts'
import { confirmChange, confirmedBy, mailCode } from './confirm.service.ts'
import { openMarker } from './mark.ts'
import { hadMethods, insertMethod, listMethods, lockMethods, updateMethod } from './payment.queries.ts'

/** Who stole a session gets nothing out of another account within this time, and the owner is told meanwhile. */
const LOCK_MS = 48 * 3_600_000

type Parts = { db: Db; secretKey: string | null; now: number; from: ToldFrom }
type Proof = { password: string; code: string }
type Method = Awaited<ReturnType<typeof listMethods>>[number]

/** Refuses payment systems whose codes are not their own, and currencies nobody may choose. Throws `invalid_input`, `unknown_reference`. */
export async function checkPayments(trx: Trx, { systems }: PaymentSettings): Promise<void> {
  const fields: FieldErrors = {}
  for (const [place, { code, kind, fields: own, currencies, minimums }] of systems.entries()) {
    for (const currency of Object.keys(minimums))
      if (!currencies.includes(currency)) fields[`systems.${place}.minimums.${currency}`] = 'It does not pay this currency'
    if (systems.findIndex((other) => other.code === code) !== place) fields[`systems.${place}.code`] = 'Another system has this code'
    if (new Set(own.map(({ name }) => name)).size < own.length) fields[`systems.${place}.fields`] = 'Each only once'
    if (kind === 'own' && own.length === 0) fields[`systems.${place}.fields`] = 'Ask for at least one thing'
  }
  if (Object.keys(fields).length > 0) throw new AppError('invalid_input', { fields })
  for (const code of new Set(systems.flatMap(({ currencies }) => currencies))) await requireCurrency(trx, code, 'systems')
}

/** Where the affiliate is paid, and by what it could be. */
export async function readMethods(db: Db, now: number, actor: Actor): Promise<z.input<typeof paymentMethodApi.list.response>> {
  const [rows, settings, confirmed_by] = await Promise.all([
    listMethods(db, affiliateOf(actor)),
    getSetting(db, paymentSetting),
    confirmedBy(db, actor),
  ])
  const [{ schedule, net }, systems, { currency }] = await Promise.all([
    termsOf(db, affiliateOf(actor)),
    systemsFor(db, affiliateOf(actor)),
    findProfile(db, actor.accountId),
  ])
  const named = new Map(settings.systems.map((system) => [system.code, system]))
  return {
    list: rows.map(({ uuid, system, masked, locked_until, created_at }) => ({
      uuid,
      system,
      masked,
      system_name: named.get(system)?.name ?? system,
      offered: named.get(system)?.active === true,
      locked_until: locked_until !== null && locked_until.getTime() > now ? locked_until.toISOString() : null,
      created_at: created_at.toISOString(),
    })),
    systems,
    currency: currency ?? 'USD',
    schedule,
    net,
    confirmed_by,
  }
}

/** Adds a method or replaces what one holds. Throws `invalid_input` at what cannot be, `not_found`, `limit_reached`, `wrong_password`, `wrong_code`. */
export async function saveMethod(
  parts: Parts,
  actor: Actor,
  { uuid, system: code, values, ...proof }: z.output<typeof paymentMethodApi.save.body>,
): Promise<{ uuid: string }> {
  const { system, kept } = await readTyped(parts.db, code, values)
  const masked = maskedOf(system, kept)
  const sealed = openSealer(parts.secretKey, 'payment method').seal(JSON.stringify(kept))
  return changing(parts, actor, { ...proof, change: { kind: 'save', uuid, system: code, values } }, async (trx, methods) => {
    const found = methods.find((one) => one.uuid === uuid)
    if (uuid !== null && found === undefined) throw new AppError('not_found')
    if (found === undefined && methods.length >= MOST_METHODS) throw new AppError('limit_reached')
    // what was removed a moment ago counts: otherwise removing all would be the way around
    const locked_until = (await hadMethods(trx, affiliateOf(actor))) ? new Date(parts.now + LOCK_MS) : null
    const holds = { system: code, sealed, masked, locked_until, mark: openMarker(parts.secretKey)(system, kept) }
    const place = (methods.at(-1)?.place ?? 0) + 1
    const row = { ...holds, affiliate_id: affiliateOf(actor), place, created_at: new Date(parts.now) }
    const made = found === undefined ? (await insertMethod(trx, row)).uuid : found.uuid
    if (found !== undefined) await updateMethod(trx, found.id, holds)
    const shown = `${system.name} ${masked}`
    const before = found ? { method: `${found.system} ${found.masked}` } : null
    return { answer: { uuid: made }, method: shown, before, locked: locked_until }
  })
}

/** Says in which order the methods are used. Throws `conflict` where they are not the ones there are. */
export async function orderMethods(
  parts: Parts,
  actor: Actor,
  { uuids, ...proof }: z.output<typeof paymentMethodApi.order.body>,
): Promise<void> {
  await changing(parts, actor, { ...proof, change: { kind: 'order', uuids } }, async (trx, methods) => {
    const ordered = uuids.flatMap((uuid) => methods.find((one) => one.uuid === uuid) ?? [])
    if (ordered.length !== methods.length || new Set(uuids).size !== methods.length) throw new AppError('conflict')
    for (const [place, { id }] of ordered.entries()) await updateMethod(trx, id, { place: place + 1 })
    const locked = await lockNewFirst(trx, parts.now, methods, ordered)
    return { answer: undefined, locked, method: ordered.map(named).join(', '), before: { method: methods.map(named).join(', ') } }
  })
}

/** Removes a method. Throws `not_found`. */
export async function removeMethod(parts: Parts, actor: Actor, uuid: string, proof: Proof): Promise<void> {
  await changing(parts, actor, { ...proof, change: { kind: 'remove', uuid } }, async (trx, methods) => {
    const found = methods.find((one) => one.uuid === uuid)
    if (found === undefined) throw new AppError('not_found')
    await updateMethod(trx, found.id, { removed_at: new Date(parts.now) })
    const left = methods.filter((one) => one !== found)
    const locked = await lockNewFirst(trx, parts.now, methods, left)
    return { answer: undefined, locked, method: left.map(named).join(', ') || '–', before: { method: methods.map(named).join(', ') } }
  })
}

/** `locked`: until when nothing is paid there; null where it is paid at once, undefined where that is no question. */
type Changed<Answer> = { answer: Answer; method: string; before: { method: string } | null; locked: Date | null | undefined }

/**
 * Mails the owner a code for one change (see `mailCode`), which has to be one that can be made. Throws `wrong_password`, `invalid_input`,
 * `unknown_reference`, `not_found` as the change itself would.
 */
export async function askCode(parts: Parts, actor: Actor, asked: { password: string; change: MethodChange }): Promise<void> {
  const { change } = asked
  const affiliateId = affiliateOf(ownOnly(actor))
  await checkPassword(parts.db, parts.now, actor, asked.password, 'password')
  const methods = await listMethods(parts.db, affiliateId)
  const own = (uuid: string) => {
    const found = methods.find((one) => one.uuid === uuid)
    if (found === undefined) throw new AppError('not_found')
    return named(found)
  }
  const method = change.kind === 'order' ? change.uuids.map(own).join(', ') : change.kind === 'remove' ? own(change.uuid) : await typed()
  await mailCode(parts, actor, change, ({ language }) => `${ASKED[change.kind][language]}: ${method}`)

  async function typed(): Promise<string> {
    if (change.kind !== 'save') return ''
    if (change.uuid !== null) own(change.uuid)
    const { system, kept } = await readTyped(parts.db, change.system, change.values)
    return `${system.name} ${maskedOf(system, kept)}`
  }
}

/** What is to change, in words. */
const ASKED: Readonly<Record<MethodChange['kind'], Record<Reader['language'], string>>> = {
  save: { en: 'you are paid to', uk: 'вам платять на' },
  order: { en: 'in this order', uk: 'у такому порядку' },
  remove: { en: 'removed is', uk: 'вилучено' },
}

/** What somebody typed for a system that is offered, as it is kept. Throws `unknown_reference`, `invalid_input`. */
async function readTyped(db: Db, code: string, values: Readonly<Record<string, string>>) {
  const { systems } = await getSetting(db, paymentSetting)
  const system = systems.find((one) => one.code === code && one.active)
  if (system === undefined) throw new AppError('unknown_reference', { fields: { system: 'Choose a payment system that is offered' } })
  const { kept, errors } = readMethod(system, values)
  if (Object.keys(errors).length > 0) throw new AppError('invalid_input', { fields: errors })
  return { system, kept }
}

/** Whatever changes where somebody is paid: by its owner alone, proven, confirmed, one after another, logged, and told. */
async function changing<Answer>(
  { db, secretKey, now, from }: Parts,
  actor: Actor,
  proof: Proof & { change: MethodChange },
  change: (trx: Trx, methods: Method[]) => Promise<Changed<Answer>>,
): Promise<Answer> {
  const affiliateId = affiliateOf(ownOnly(actor))
  const confirm = await confirmChange({ db, now }, actor, proof)
  return afterProof(db, secretKey, now, actor, proof, async (trx) => {
    await lockMethods(trx, affiliateId)
    await confirm(trx)
    const { answer, method, before, locked } = await change(trx, await listMethods(trx, affiliateId))
    await recordAudit(trx, actor, now, { action: 'payment_method', entity: 'affiliate', entityId: affiliateId, before, after: { method } })
    const values = (reader: Reader) => ({ method, paid: locked === undefined ? '' : paidFrom(locked, reader) })
    await tellOwner(trx, now, actor.accountId, from, { event: 'payment_method_changed', values })
    return answer
  })
}

/** Whichever becomes the first by a change is locked: it is where money goes from now on. Answers until when, where there is another. */
async function lockNewFirst(trx: Trx, now: number, before: readonly Method[], after: readonly Method[]): Promise<Date | undefined> {
  const [first] = after
  if (first === undefined || first.id === before[0]?.id) return undefined
  const locked_until = new Date(now + LOCK_MS)
  await updateMethod(trx, first.id, { locked_until })
  return locked_until
}

/** From when on money goes to a method, in words. */
function paidFrom(locked: Date | null, { language, time_zone }: Reader): string {
  const uk = language === 'uk'
  if (locked === null) return uk ? 'Відтепер виплати йдуть туди.' : 'Payouts go there from now on.'
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'long', timeZone: time_zone }).format(locked)
  return uk ? `До ${time} туди нічого не виплачується.` : `Nothing is paid there before ${time}.`
}

function named({ system, masked }: Method): string {
  return `${system} ${masked}`
}
