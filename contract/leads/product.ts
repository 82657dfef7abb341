import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import {
  bounded,
  byUuid,
  countryCode,
  line,
  moment,
  paragraph,
  reference,
  requiredLine,
  someOf,
  statusChange,
  timeZone,
  uuid,
  version,
} from '#contract/fields.ts'
import { currency, positiveAmount } from '#contract/money/amount.ts'
import { CAP_PERIODS } from '#contract/offers/offer-cap.ts'
import { goalCode } from '#contract/offers/offer-fields.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'
import { credentialField, EXTRACTED, outcome } from './integration-spec.ts'
import { integrationType } from './integration.ts'
import { NEVER_OPEN, neverOpens, openingHours } from './opening-hours.ts'

/** paused: takes no leads for now; archived: stays with what was sent by it. */
export const productStatus = z.enum(['active', 'paused', 'archived'])
export type ProductStatus = z.output<typeof productStatus>

/**
 * Why a product is offered no leads: paused in its place or itself, its advertiser not active or without credit, never tested, its
 * account refused, at rest after errors, outside of its hours, at its limits, or with too many rejections.
 */
export const HINDRANCES = [
  'paused',
  'product_paused',
  'advertiser',
  'credit_blocked',
  'untested',
  'blocked',
  'resting',
  'closed',
  'full',
  'rejections',
] as const

/** What a limit of a product counts, as those of its places in offers do: goals and revenue belong to an offer. */
export const PRODUCT_MEASURES = ['accepted', 'sends'] as const
export const productCap = z.object({
  period: z.enum(CAP_PERIODS),
  measure: z.enum(PRODUCT_MEASURES),
  limit: z.int().min(1).max(999_999_999),
})
export type ProductCap = z.output<typeof productCap>

/** What the advertiser pays for a goal; the row that names the country counts, else the one without countries. */
export const productPrice = z.object({
  goal: goalCode,
  /** None = all other countries. */
  geos: z.array(countryCode).max(250),
  price: positiveAmount,
})
export type ProductPrice = z.output<typeof productPrice>

/** Of which rows of prices another one above is for the same goal and country. */
export function twicePriced(prices: readonly Pick<ProductPrice, 'goal' | 'geos'>[]): number[] {
  return prices.flatMap(({ goal, geos }, at) => {
    const above = prices.slice(0, at).filter((other) => other.goal === goal)
    const twice =
      geos.length === 0
        ? above.some((other) => other.geos.length === 0)
        : above.some((other) => other.geos.some((geo) => geos.includes(geo)))
    return twice ? [at] : []
  })
}
export const TWICE_PRICED = 'Another price of this goal is for the same country'

/**
 * The prices of a product that hold beside those of its place in an offer: of goals and countries that place says nothing of. A row of the
 * place without countries is for all of a goal.
 */
export function pricesLeft(place: readonly Pick<ProductPrice, 'goal' | 'geos'>[], own: readonly ProductPrice[]): ProductPrice[] {
  return own.flatMap((row) => {
    const said = place.filter(({ goal }) => goal === row.goal)
    if (said.some(({ geos }) => geos.length === 0)) return []
    const geos = row.geos.filter((geo) => !said.some((one) => one.geos.includes(geo)))
    return row.geos.length > 0 && geos.length === 0 ? [] : [{ ...row, geos }]
  })
}

/** Errors in a row after which a product rests, and the minutes of its first rest, where nobody says otherwise. */
export const BREAKER = { failures: 10, minutes: 5 }

/** What staff say of a product, beside its integration and its account. */
export const productFields = {
  title: requiredLine(100),
  /** Where the advertiser's system answers: `{{product.host}}` of its calls. https, without a slash at its end. */
  host: requiredLine(500)
    .regex(/^https?:\/\/[^\s/?#\\@]+(\/[^\s?#]*)?$/i, 'An address that starts with https://, without ? and #')
    .overwrite((text) => text.replace(/\/+$/, '')),
  /** Countries it takes leads from; none = any. */
  geos: z.array(countryCode).max(250),
  /** Of its days, hours and limits. */
  time_zone: timeZone,
  /** null = open at any time. */
  hours: openingHours.nullable().refine((hours) => !neverOpens(hours), NEVER_OPEN),
  /** How much it takes of each period, over all offers and distributions together. */
  caps: z
    .array(productCap)
    .max(10)
    .superRefine((caps, context) =>
      caps.forEach(({ period, measure }, at) => {
        if (caps.findIndex((one) => one.period === period && one.measure === measure) !== at)
          context.addIssue({ code: 'custom', path: [at, 'period'], message: 'There is such a cap already' })
      }),
    ),
  notes: paragraph(2000),
  /** Of its prices. */
  currency,
  /** What it pays wherever its place in an offer says nothing of its own; such offers are in its currency. */
  prices: z
    .array(productPrice)
    .max(300)
    .superRefine((prices, context) =>
      twicePriced(prices).forEach((at) => context.addIssue({ code: 'custom', path: [at, 'geos'], message: TWICE_PRICED })),
    ),
  /** After so many errors in a row it rests. */
  breaker_failures: z.int().min(1).max(100),
  /** So long the first time, then twice as long each time, an hour at most. */
  breaker_minutes: z.int().min(1).max(60),
}

/**
 * As a request tells them; absent = as they are, of a new product at any time, without limits and prices, in the currency of its
 * advertiser, and with the usual breaker.
 */
const productInput = {
  ...productFields,
  hours: productFields.hours.optional(),
  caps: productFields.caps.optional(),
  currency: productFields.currency.optional(),
  prices: productFields.prices.optional(),
  breaker_failures: productFields.breaker_failures.optional(),
  breaker_minutes: productFields.breaker_minutes.optional(),
}

/** The account at the advertiser by the keys of the integration. Of a secret: null = as it was. */
const credentialsTold = bounded(z.string().max(40), line(4000).nullable(), 30)

/** `value` is '' of a secret: only whether there is one is told. */
const credentialShown = credentialField.extend({ set: z.boolean(), value: z.string() })

/** A product as lists show it. */
export const product = z.object({
  uuid,
  id: z.int(),
  ...productFields,
  advertiser: reference,
  integration: reference,
  type: integrationType,
  /** The version leads are sent by, and the one new products take: `newest` above it = there is something to take over. */
  version_number: z.int(),
  newest: z.int().nullable(),
  status: productStatus,
  /** Whether the advertiser's system accepted a test by the version leads are sent by: before that no offer takes it. */
  ready: z.boolean(),
  tested_at: moment.nullable(),
  version,
  created_at: moment,
  updated_at: moment,
})
export type Product = z.output<typeof product>

export const productDetail = product.extend({
  credentials: z.array(credentialShown),
  /** Where the advertiser may tell by itself what became of leads, below the panel's address; as secret as a password. */
  push_path: z.string(),
})
export type ProductDetail = z.output<typeof productDetail>

/** A call of a test as it went out, with dots in place of secrets, and what came back. */
export const madeCall = z.object({
  /** '' = the lead itself, `pull` = asking what became of leads, else the name of a step. */
  step: z.string(),
  method: z.string(),
  url: z.string(),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  body: z.string().nullable(),
  /** Required values that are missing: with any of them nothing was sent. */
  missing: z.array(z.string()),
  /** null = nobody was asked. */
  answer: z
    .object({
      status: z.int().nullable(),
      /** Why there is no answer; '' = there is one. */
      error: z.string(),
      headers: z.array(z.object({ name: z.string(), value: z.string() })),
      body: z.string(),
      duration_ms: z.int(),
    })
    .nullable(),
  /** Of each rule of its answer, whether it fits; the first that does decides. */
  fits: z.array(z.boolean()),
  rule: z.int().nullable(),
})
export type MadeCall = z.output<typeof madeCall>

/** A lead nobody is, sent to see whether a product takes leads. */
export const productTest = z.object({
  uuid,
  at: moment,
  by: z.string().nullable(),
  version_number: z.int(),
  outcome,
  reason: z.string(),
  extracted: z.partialRecord(z.enum(EXTRACTED), z.string()),
  calls: z.array(madeCall),
})
export type ProductTest = z.output<typeof productTest>

/** Products: an advertiser's accounts in the systems that take leads. */
export const productApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/product/v1/list',
    access: 'product.read',
    reads: true,
    summary: 'Products of the advertisers in the own scope.',
    body: z.object({
      ...paging,
      ...sorting(['id', 'title', 'advertiser', 'integration', 'status', 'tested_at', 'created_at', 'updated_at']),
      search: line(100).default(''),
      /** None = all but archived ones. */
      status: someOf(productStatus),
      advertiser_uuid: z.array(uuid).max(100).default([]),
      integration_uuid: z.array(uuid).max(100).default([]),
    }),
    response: listOf(product),
  }),
  integrations: endpoint({
    method: 'POST',
    path: '/api/product/v1/integrations',
    access: 'product.write',
    reads: true,
    summary:
      'Integrations a new product can be made by, with what they ask of an account, and those that have to be published first; at most 50.',
    body: z.object({ search: line(100).default('') }),
    response: z.object({
      list: z.array(
        reference.extend({
          type: integrationType,
          /** null = no version is published yet: no product can be made by it. */
          version_number: z.int().nullable(),
          credentials: z.array(credentialField),
        }),
      ),
    }),
  }),
  options: endpoint({
    method: 'POST',
    path: '/api/product/v1/options',
    // who is shown by which product a lead was sold may ask for those of one
    access: 'report.money',
    reads: true,
    summary:
      'Products of advertisers in the own scope to choose from, by a part of their title or advertiser’s name, archived ones last; at most 50.',
    body: z.object({ search: line(100).default('') }),
    response: z.object({ list: z.array(reference) }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/product/v1/get/:uuid',
    access: 'product.read',
    summary: 'One product; of its secrets only whether there are any.',
    params: byUuid,
    response: productDetail,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/product/v1/create',
    access: 'product.write',
    summary: 'Makes a product by the active version of an integration.',
    body: z.object({ ...productInput, advertiser_uuid: uuid, integration_uuid: uuid, credentials: credentialsTold }),
    response: productDetail,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/product/v1/update/:uuid',
    access: 'product.write',
    summary:
      'Changes a product. With `version_number` it takes over the newest version of its integration; a test by it comes first or after, but before that no offer takes it.',
    params: byUuid,
    body: z.object({ ...productInput, credentials: credentialsTold, version_number: z.int(), version }),
    response: productDetail,
  }),
  setStatus: endpoint({
    method: 'POST',
    path: '/api/product/v1/set-status',
    access: 'product.write',
    summary: 'Pauses, archives or takes back up to 1,000 products.',
    body: statusChange(productStatus),
    response: z.object({ changed: z.int() }),
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/product/v1/test/:uuid',
    access: 'product.write',
    summary: 'Sends a test lead to the advertiser’s system, once, and says what it came to, rule by rule.',
    params: byUuid,
    body: z.object({
      /** By the product's version, or the newest of its integration. */
      version_number: z.int(),
      /** Of the person, by the macros of leads; what is not told is made up for the country. */
      values: bounded(z.string().regex(/^lead\.[a-z0-9_.]{1,60}$/), z.string().max(2000), 60),
      country: countryCode,
    }),
    response: productTest,
  }),
  testPull: endpoint({
    method: 'POST',
    path: '/api/product/v1/test-pull/:uuid',
    access: 'product.write',
    summary: 'Asks the advertiser’s system what became of leads of the last days, and changes nothing.',
    params: byUuid,
    body: z.object({ version_number: z.int(), days: z.int().min(1).max(31), ids: z.array(line(200)).max(50).default([]) }),
    response: z.object({
      calls: z.array(madeCall),
      /** Why the answer could not be read; '' = it could. */
      problem: z.string(),
      rows: z.array(
        z.object({
          id: z.string(),
          status: z.string(),
          /** Ours; null = a person has to say what theirs means. */
          meaning: z.string().nullable(),
          sale: z.boolean(),
          amount: z.string(),
          /** What they call the payment, and whether it is one of several of its lead that nothing tells apart. */
          transaction: z.string(),
          nameless: z.boolean(),
          at: z.string(),
        }),
      ),
    }),
  }),
  tests: endpoint({
    method: 'POST',
    path: '/api/product/v1/tests/:uuid',
    access: 'product.read',
    reads: true,
    summary: 'Test leads of a product, the newest first.',
    params: byUuid,
    body: z.object({ ...paging }),
    response: listOf(productTest),
  }),
}
