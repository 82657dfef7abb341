import type { z } from 'zod'
import type { StatusChange } from '#contract/fields.ts'
import type { IntegrationSpec } from '#contract/leads/integration-spec.ts'
import { INTEGRATION_TYPES, type IntegrationType } from '#contract/leads/integration-type.ts'
import type { OpeningDays } from '#contract/leads/opening-hours.ts'
import {
  BREAKER,
  productFields,
  type productApi,
  type ProductCap,
  type ProductDetail,
  type ProductPrice,
  type ProductStatus,
} from '#contract/leads/product.ts'
import { amountText } from '#contract/money/amount.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Scope } from '#server/access/scope.ts'
import { counterKey, countBefore, productWindowsOf } from '#server/features/leads/api-offer/cap-window.queries.ts'
import { listPlaces } from '#server/features/leads/api-offer/lead-parts.queries.ts'
import { secretsOf } from '#server/features/leads/call/lead-values.ts'
import { readSpec } from '#server/features/leads/integration/integration.present.ts'
import { getIntegration } from '#server/features/leads/integration/integration.queries.ts'
import { requireCurrency } from '#server/features/money/currency/currency.service.ts'
import { findAdvertiserId } from '#server/features/people/advertiser/advertiser.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import { checkTarget, readTarget, type OutboundPolicy } from '#server/platform/outbound/target.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { pickFields } from '#server/platform/pg/fields.ts'
import { refuseStale } from '#server/platform/pg/version.ts'
import { addressesOf } from '#server/rules/lead/integration/addresses.ts'
import { goalsLeft, type OwnPrices } from '#server/rules/lead/member-price.ts'
import { readAccount, sealAccount, type Account } from './account.service.ts'
import { pushPath } from './push-token.ts'
import { presentProductDetail } from './product.present.ts'
import {
  currencyOf,
  getProduct,
  getPublished,
  insertProduct,
  lockProducts,
  searchIntegrations,
  titleIsTaken,
  updateProducts,
  type ProductRow,
} from './product.queries.ts'

type Body<Name extends 'create' | 'update'> = z.output<(typeof productApi)[Name]['body']>
export type ProductParts = { db: Db; secretKey: string | null; policy: OutboundPolicy }

/** One product in scope; of its secrets only whether there are any. Throws `not_found`. */
export async function showProduct(db: DbOrTrx, secretKey: string | null, scope: Scope, key: string): Promise<ProductDetail> {
  const row = await getProduct(db, scope, key)
  if (row === undefined) throw new AppError('not_found')
  const { spec } = await versionOf(db, row.integration_id, row.version_number)
  return presentProductDetail(row, spec, readAccount(secretKey, row.credentials), pushPath(secretKey, row.uuid))
}

/** Integrations a product can be made by, with what they ask of an account, and those it could be once they are published. */
export async function listChoices(db: Db, search: string): Promise<z.output<typeof productApi.integrations.response>['list']> {
  const rows = await searchIntegrations(db, search)
  return rows.map(({ spec, ...row }) => ({ ...row, credentials: row.version_number === null ? [] : readSpec(spec).credentials }))
}

/**
 * Makes a product by the active version of an integration. Throws `unknown_reference` where advertiser, integration or currency cannot
 * be chosen, `invalid_input` for an address that may not be called, a title twice, a price of a goal its leads never reach, or an
 * account that lacks something.
 */
export async function createProduct({ db, secretKey, policy }: ProductParts, now: number, actor: Actor, body: Body<'create'>) {
  await refuseHost(body.host, policy)
  return db.transaction().execute(async (trx) => {
    const advertiserId = await findAdvertiserId(trx, actor.scope, body.advertiser_uuid)
    if (advertiserId === undefined) throw new AppError('unknown_reference', { fields: { advertiser_uuid: 'Choose an advertiser' } })
    const integration = await getIntegration(trx, body.integration_uuid, true)
    if (integration === undefined || integration.status !== 'active' || integration.active === null)
      throw new AppError('unknown_reference', { fields: { integration_uuid: 'Choose an integration with a published version' } })
    const { id: versionId, spec } = await versionOf(trx, integration.id, integration.active)
    const account = accountOf(spec, body.credentials, {})
    await refuseTaken(trx, advertiserId, body.title, null)
    const blank = { hours: null, caps: [], prices: [], breaker_failures: BREAKER.failures, breaker_minutes: BREAKER.minutes }
    const fields = fieldsOf({ ...blank, currency: await currencyOf(trx, advertiserId), ...pickFields(body, productFields) })
    await requireCurrency(trx, fields.currency)
    refuseUnreached(integration.type, fields.prices, [])
    const made = await insertProduct(trx, {
      ...columnsFor(fields),
      advertiser_id: advertiserId,
      integration_id: integration.id,
      version_id: versionId,
      credentials: sealAccount(secretKey, account),
      created_at: new Date(now),
      updated_at: new Date(now),
    })
    const after = { ...fields, integration: integration.title, version_number: integration.active, credentials: Object.keys(account) }
    await recordAudit(trx, actor, now, { action: 'create', entity: 'product', entityId: made.id, after })
    return showProduct(trx, secretKey, actor.scope, made.uuid)
  })
}

/**
 * Changes a product. Another address or account makes an earlier test worth nothing. Throws `not_found`, `conflict`, `invalid_input`,
 * `unknown_reference` where the version is neither its own nor the newest, or the currency cannot be chosen.
 */
export async function updateProduct(
  { db, secretKey, policy }: ProductParts,
  now: number,
  actor: Actor,
  key: string,
  { version, version_number, ...body }: Body<'update'>,
): Promise<ProductDetail> {
  await refuseHost(body.host, policy)
  return db.transaction().execute(async (trx) => {
    const before = await getProduct(trx, actor.scope, key, true)
    if (before === undefined) throw new AppError('not_found')
    refuseStale(before, version)
    const { id: versionId, spec } = await takenVersion(trx, before, version_number)
    const was = readAccount(secretKey, before.credentials)
    const account = accountOf(spec, body.credentials, was)
    const { spec: own } = await versionOf(trx, before.integration_id, before.version_number)
    const known = addressesOf(own, before.host, was)
    if (!addressesOf(spec, body.host, account).isSubsetOf(known)) refuseKeptSecrets(spec, body.credentials, was)
    await refuseTaken(trx, before.advertiser_id, body.title, before.id)
    // who does not tell hours, limits, prices and breaker leaves them as they are
    const fields = fieldsOf({ ...pickFields(before, productFields), ...pickFields(body, productFields) })
    if (fields.currency !== before.currency || fields.prices.length > 0) await requireCurrency(trx, fields.currency)
    refuseUnreached(before.type, fields.prices, before.prices)
    await refuseMisplaced(trx, actor.scope, before.id, fields)
    const changed = Object.keys(account).filter((name) => account[name] !== was[name])
    const elsewhere = fields.host !== before.host || changed.length > 0
    await updateProducts(trx, [before.id], {
      ...columnsFor(fields),
      version_id: versionId,
      credentials: sealAccount(secretKey, account),
      updated_at: new Date(now),
      ...(elsewhere && { tested_version_id: null, tested_at: null }),
    })
    const limited = new Set(productWindowsOf(limitsOf(before.id, before), now).map(counterKey))
    const set = productWindowsOf(limitsOf(before.id, fields), now).filter((window) => !limited.has(counterKey(window)))
    await countBefore(
      trx,
      set.map((window) => ({ window, productId: before.id, offerId: null })),
    )
    await recordAudit(trx, actor, now, {
      action: 'update',
      entity: 'product',
      entityId: before.id,
      before: { ...pickFields(before, productFields), version_number: before.version_number },
      // of the account the log tells which parts are new, never what they hold
      after: { ...fields, version_number, ...(changed.length > 0 && { credentials: changed }) },
    })
    return showProduct(trx, secretKey, actor.scope, before.uuid)
  })
}

/** A product by itself, of whose limits no place in an offer matters. */
function limitsOf(id: number, { caps, time_zone }: { caps: readonly ProductCap[]; time_zone: string }) {
  return { id: 0, offer_id: 0, product_id: id, product_caps: caps, product_zone: time_zone }
}

/** Pauses, archives or takes back products in scope; answers how many changed. Throws `invalid_input` where a title is taken meanwhile. */
export function setProductStatus(db: Db, now: number, actor: Actor, { uuids, status, expected }: StatusChange<ProductStatus>) {
  return db.transaction().execute(async (trx) => {
    const locked = await lockProducts(trx, actor.scope, uuids)
    const moving = locked.filter((row) => row.status !== status && (expected === undefined || row.status === expected))
    if (status !== 'archived') for (const { id, title, advertiser_id } of moving) await refuseTaken(trx, advertiser_id, title, id)
    const ids = moving.map(({ id }) => id)
    await updateProducts(trx, ids, { status, updated_at: new Date(now) })
    const logged = moving.map(({ id, status: was }) => ({ entityId: id, before: { status: was }, after: { status } }))
    await recordAudit(
      trx,
      actor,
      now,
      logged.map((one) => ({ ...one, action: 'set_status', entity: 'product' as const })),
    )
    return moving.length
  })
}

/** The version a product is sent or tested by: its own, or the newest of its integration. Throws `unknown_reference`. */
export async function takenVersion(
  db: DbOrTrx,
  row: ProductRow,
  number: number,
): Promise<{ id: number; number: number; spec: IntegrationSpec }> {
  if (number !== row.version_number && number !== row.newest)
    throw new AppError('unknown_reference', { fields: { version_number: 'Choose the version it has, or the newest' } })
  return versionOf(db, row.integration_id, number)
}

/** The version a product is tried by. Throws `unknown_reference`, `invalid_input` where it takes the account to other addresses than its own does. */
export async function triedVersion(db: DbOrTrx, row: ProductRow, number: number, account: Account) {
  const version = await takenVersion(db, row, number)
  const own = number === row.version_number ? version : await versionOf(db, row.integration_id, row.version_number)
  const secrets = [...new Set([...secretsOf(own.spec), ...secretsOf(version.spec)])]
  const isKnown = addressesOf(version.spec, row.host, account).isSubsetOf(addressesOf(own.spec, row.host, account))
  if (!isKnown && secrets.some((macro) => (account[macro.slice('cred.'.length)] ?? '') !== ''))
    throw new AppError('invalid_input', {
      fields: { version_number: 'It calls other addresses: take it for the product first, with its secrets entered anew' },
    })
  return { ...version, secrets }
}

async function versionOf(db: DbOrTrx, integrationId: number, number: number) {
  const found = await getPublished(db, integrationId, number)
  if (found === undefined) throw new AppError('unknown_reference', { fields: { version_number: 'There is no such version' } })
  return { id: found.id, number: found.number, spec: readSpec(found.spec) }
}

/** What is stored of what was told: one amount has one text, so that histories show no change where there is none. */
function fieldsOf<Fields extends { prices: readonly ProductPrice[] }>(told: Fields) {
  return { ...told, prices: told.prices.map((row) => ({ ...row, price: amountText(row.price) })) }
}

type Lists = { hours: OpeningDays | null; caps: readonly ProductCap[]; prices: readonly ProductPrice[] }

/** Lists as they are written to jsonb. */
function columnsFor<Fields extends Lists>({ hours, caps, prices, ...fields }: Fields) {
  const lists = { caps: JSON.stringify(caps), prices: JSON.stringify(prices) }
  return { ...fields, ...lists, hours: hours === null ? null : JSON.stringify(hours) }
}

/** Refuses a price of a goal its leads never reach, but for what it `had`: its integration may be of another kind by now. Throws `invalid_input`. */
function refuseUnreached(type: IntegrationType, prices: readonly ProductPrice[], had: readonly ProductPrice[]): void {
  // one that takes any leads stands in offers of every kind
  const kinds = type === 'generic' ? Object.values(INTEGRATION_TYPES) : [INTEGRATION_TYPES[type]]
  const reached = [...new Set(kinds.flatMap(({ goals }) => goals.map(({ code }) => code)))]
  const fields = prices.flatMap(({ goal }, at) =>
    reached.includes(goal) || had.some((row) => row.goal === goal)
      ? []
      : [[`prices.${at}.goal`, `Its leads are booked under ${reached.join(', ')}, and under no other goal`]],
  )
  if (fields.length > 0) throw new AppError('invalid_input', { fields: Object.fromEntries(fields) })
}

/** Refuses prices that an offer a locked product stands in would book in another currency. Throws `invalid_input`. */
async function refuseMisplaced(trx: Trx, scope: Scope, id: number, fields: OwnPrices): Promise<void> {
  if (fields.prices.length === 0) return
  const places = await listPlaces(trx, scope, id)
  const wrong = places.find(
    ({ currency, terms, goals }) => currency !== fields.currency && goalsLeft(terms.prices, fields, goals).length > 0,
  )
  if (wrong === undefined) return
  const which = wrong.own ? `The offer ${wrong.title}` : 'An offer'
  throw new AppError('invalid_input', {
    fields: { currency: `${which} that gives it leads is in ${wrong.currency}, and takes no prices in ${fields.currency}` },
  })
}

/** What is told of an account beside what was known; null keeps a secret. A key the integration does not ask for is refused by name. */
function accountOf(spec: IntegrationSpec, told: Readonly<Record<string, string | null>>, known: Account): Account {
  const stranger = Object.keys(told).find((key) => !spec.credentials.some((field) => field.key === key))
  if (stranger !== undefined)
    throw new AppError('invalid_input', { fields: { [`credentials.${stranger}`]: 'The integration does not ask for this' } })
  const account = Object.fromEntries(spec.credentials.map(({ key }) => [key, told[key] ?? known[key] ?? '']))
  const lacking = spec.credentials.filter(({ key, required }) => required && account[key] === '')
  if (lacking.length > 0)
    throw new AppError('invalid_input', { fields: Object.fromEntries(lacking.map(({ key }) => [`credentials.${key}`, 'Required'])) })
  return account
}

/**
 * A secret nobody may read goes to no other address than it was entered for, or whoever may change that reads it there: neither by the
 * product’s own address, nor by a version that calls somebody else.
 */
function refuseKeptSecrets(spec: IntegrationSpec, told: Readonly<Record<string, string | null>>, known: Account): void {
  const kept = spec.credentials.filter(({ key, secret }) => secret && (told[key] ?? null) === null && (known[key] ?? '') !== '')
  if (kept.length > 0)
    throw new AppError('invalid_input', {
      fields: Object.fromEntries(kept.map(({ key }) => [`credentials.${key}`, 'Enter it anew: the address is another'])),
    })
}

async function refuseHost(host: string, policy: OutboundPolicy): Promise<void> {
  const target = readTarget(host, policy)
  const mistake =
    typeof target !== 'string' && target.url.protocol !== 'https:' && !target.allowed
      ? 'Only https:// is called: people’s data go there'
      : await checkTarget(host, policy)
  if (mistake !== null) throw new AppError('invalid_input', { fields: { host: mistake } })
}

async function refuseTaken(trx: Trx, advertiserId: number, title: string, ownId: number | null): Promise<void> {
  if (await titleIsTaken(trx, advertiserId, title, ownId))
    throw new AppError('invalid_input', { fields: { title: 'Another product of this advertiser is called so' } })
}
