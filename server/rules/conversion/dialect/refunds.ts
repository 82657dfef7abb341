import { fromUnits, toUnits } from '#contract/money/amount.ts'

type Order = Record<string, unknown>
/** What a shop calls its total, what is left of it, its status, and when it last changed an order. */
const SHOPS: Readonly<Record<string, { total: string; left: string; status: string; changed: string }>> = {
  shopify: { total: 'total_price', left: 'current_total_price', status: 'financial_status', changed: 'updated_at' },
  woocommerce: { total: 'total', left: '', status: 'status', changed: 'date_modified_gmt' },
}
/** No amount: what went back of an order cannot be read, so that nobody knows what is left. */
const UNREAD = 'refunds unread'

/**
 * An order of a shop as it is now: its total without what went back, and refunded once nothing is left or it is cancelled. Shops leave the
 * total as it was and tell refunds beside it. Anything else is itself.
 */
export function afterRefunds(preset: string, json: unknown): unknown {
  const shop = SHOPS[preset]
  if (shop === undefined || !isOrder(json)) return json
  // a paid order stays paid when it is cancelled
  if (preset === 'shopify' && isFilled(json['cancelled_at'])) return { ...json, [shop.status]: 'refunded' }
  const total = unitsOf(json[shop.total])
  const left = shop.left === '' ? null : unitsOf(json[shop.left])
  const back = preset === 'shopify' ? backOfShopify(json) : backOfWoo(json)
  if (left === null && back === 0n) return json
  const rest = left ?? (total === null || back === null ? null : total - back)
  if (rest === null) return { ...json, [shop.total]: UNREAD }
  if (rest === total) return json
  return rest > 0n ? { ...json, [shop.total]: fromUnits(rest) } : { ...json, [shop.status]: 'refunded' }
}

/** Whether a preset is that of a shop, whose calls are orders as they are at the moment. */
export function isShop(preset: string): boolean {
  return Object.hasOwn(SHOPS, preset)
}

/** Whether a shop tells refunds by themselves too, so that one is known before any state of the order has it. */
export function tellsRefundsApart(preset: string): boolean {
  return preset === 'shopify'
}

/** When a shop last changed an order, as text that sorts by time; '' = it does not say. An older one may come after a newer one. */
export function changedAt(preset: string, json: unknown): string {
  const shop = SHOPS[preset]
  const said = shop !== undefined && isOrder(json) ? json[shop.changed] : undefined
  if (typeof said !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(said)) return ''
  const at = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(said) ? said : `${said}Z`)
  return Number.isNaN(at) ? '' : new Date(at).toISOString()
}

/** A refund that a shop tells of by itself; `amount` null = what went back cannot be read. `currency` '' = it names none that is one. */
export type RefundCall = { order: string; id: string; amount: string | null; currency: string; at: string }

/** Shopify's `refunds/create`: the refund alone, which names its order by number. Null = it is something else. */
export function refundCall(preset: string, json: unknown): RefundCall | null {
  if (preset !== 'shopify' || !isOrder(json) || json['total_price'] !== undefined || !Array.isArray(json['transactions'])) return null
  const [id, order] = [numberOf(json['id']), numberOf(json['order_id'])]
  if (id === '' || order === '') return null
  const paid = json['transactions'].filter(isOrder)
  const currencies = new Set(paid.flatMap(({ currency }) => (typeof currency === 'string' ? [currency.toUpperCase()] : [])))
  const [named = ''] = currencies
  const currency = /^[A-Z0-9]{2,10}$/.test(named) ? named : ''
  // of money in nobody knows what it is unknown how much went back
  const back =
    currencies.size > 1 || currency !== named
      ? null
      : backOfShopify({ refunds: [json], ...(currency !== '' && { currency: paid[0]?.['currency'] }) })
  return { order, id, amount: back === null ? null : fromUnits(back), currency, at: momentOf(json['processed_at'] ?? json['created_at']) }
}

/** What is left of an order, what was charged for it, and the refunds it lists by their numbers; null where it lists none and was not edited, lists more than are told apart, or what is left cannot be read. */
export type RefundedOrder = { left: string; total?: string; refunds: { id: string; amount: string }[] }

export function refundedOrder(preset: string, json: unknown): RefundedOrder | null {
  const shop = SHOPS[preset]
  if (shop === undefined || !isOrder(json)) return null
  const listed = listOf(json['refunds'])
  if (listed.length > MOST_REFUNDS) return null
  const total = unitsOf(json[shop.total])
  const back = preset === 'shopify' ? backOfShopify(json) : backOfWoo(json)
  const left = (shop.left === '' ? null : unitsOf(json[shop.left])) ?? (total === null || back === null ? null : total - back)
  if (left === null || (listed.length === 0 && left === total)) return null
  const refunds = listed.flatMap((one) => {
    if (!isOrder(one)) return []
    const amount = preset === 'shopify' ? backOfShopify({ refunds: [one], currency: json['currency'] }) : backOfWoo({ refunds: [one] })
    const id = numberOf(one['id'])
    // one whose money has not gone back yet is told again once it has
    if (preset === 'shopify' && isUnderWay(one)) return []
    // the shop has taken it off what is left, whatever it was: told again by itself it is none
    return id === '' ? [] : [{ id, amount: fromUnits(amount ?? 0n) }]
  })
  // what an edit took off was charged all the same, and comes back as a refund that takes nothing off what is left
  return { left: fromUnits(left > 0n ? left : 0n), ...(total !== null && back !== null && { total: fromUnits(total) }), refunds }
}

/** The number of an order a shop tells of; '' = it is none. */
export function orderNumber(preset: string, json: unknown): string {
  const shop = SHOPS[preset]
  return shop !== undefined && isOrder(json) && json[shop.total] !== undefined ? numberOf(json['id']) : ''
}

/** More of one order are not told apart. */
const MOST_REFUNDS = 1000

function numberOf(value: unknown): string {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : ''
  return /^[\w:/.-]{1,80}$/.test(text) ? text : ''
}

function momentOf(said: unknown): string {
  const at = typeof said === 'string' && /^\d{4}-/.test(said) ? Date.parse(said) : Number.NaN
  return Number.isNaN(at) ? '' : new Date(at).toISOString()
}

/** What was paid back by the transactions of refunds; null = not all of it can be read. */
function backOfShopify({ refunds, currency }: Order): bigint | null {
  const paid = listOf(refunds).flatMap((one) => (isOrder(one) ? listOf(one['transactions']) : []))
  return sumOf(
    paid.flatMap((one) => {
      if (!isOrder(one)) return [null]
      const { kind = 'refund', status = 'success', amount, currency: other = currency } = one
      if (kind !== 'refund' || status !== 'success') return []
      return [other === currency ? unitsOf(amount) : null]
    }),
  )
}

/** Woo writes each refund as a negative total; some plugins tell the sum beside. */
function backOfWoo({ refunds, total_refund, total_refunded }: Order): bigint | null {
  const each = listOf(refunds).map((one) => (isOrder(one) ? unitsOf(one['total']) : null))
  const sum = [total_refund, total_refunded].find((one) => one !== undefined && one !== null && one !== '')
  return each.length === 0 && sum !== undefined ? sumOf([unitsOf(sum)]) : sumOf(each)
}

/** All it was to pay back by is under way still, or came to nothing. */
function isUnderWay({ transactions }: Order): boolean {
  const paid = listOf(transactions)
  return paid.length > 0 && paid.every((one) => isOrder(one) && one['status'] !== undefined && one['status'] !== 'success')
}

function sumOf(units: readonly (bigint | null)[]): bigint | null {
  let sum = 0n
  for (const one of units) {
    if (one === null) return null
    sum += one < 0n ? -one : one
  }
  return sum
}

function unitsOf(value: unknown): bigint | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  return /^-?\d{1,12}(\.\d{1,8})?$/.test(text) ? toUnits(text) : null
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}

function isOrder(value: unknown): value is Order {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
