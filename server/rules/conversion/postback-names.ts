import { plainWords, senseOf } from './status-vocabulary.ts'

/** What a parameter says: one of ours, or (with `?`) something of that kind in a word that others use for more than one thing. */
export type ParameterKind =
  | 'click_id'
  | 'goal'
  | 'event?'
  | 'status'
  | 'status?'
  | 'amount'
  | 'amount?'
  | 'currency'
  | 'txn_id'
  | 'txn_id?'
  | 'reason'
  /** Why something was turned down: says nothing of a conversion that is not. */
  | 'rejection'
  | 'token'
  | 'signature'
  | 'timestamp'

/**
 * Parameters of an incoming postback by every name that other systems use for them (reference: postback-dialects). Names
 * are compared in lower case, `-` as `_`. What stands under a name with `?` counts where its value has one meaning here,
 * and is refused where it has none: it is never passed over.
 */
const NAMES_OF: Readonly<Record<ParameterKind, string>> = {
  click_id: 'click_id clickid cid',
  goal:
    'goal event event_name eventname goal_id goalid goal_value goal_vlaue goal_alias goal_name goal_code event_id eventid adv_event_id ' +
    'event_type event_code et evtname mapped_iae conversion_type conv_type eventtypeid eventtypecode actiontrackerid activity_kind',
  'event?':
    'type ev evt action action_code action_name tariff_code e e_tkn event_token lead reg registration dep deposit ftd install purchase ' +
    'rebill upsell',
  status: 'status cnv_status conv_status conversion_status',
  'status?':
    'state stage cnv_status2 lead_status sale_status rejected_status reject_status trash_status rebill_status ignore_status ' +
    'approved_status pending_status hold_status order_status payment_status financial_status disposition dispositioncode ' +
    'approved approve confirmed pending hold declined rejected cancelled canceled cancelled_at trash refund refunded chargeback reversed ' +
    'accepted is_accepted success is_success successful paid is_paid fraud is_approved is_confirmed is_declined is_rejected is_refund is_fraud is_trash is_valid valid',
  amount: 'amount sum payout sale_amount revenue price order_amount order_sum order_total total_price total amt monetary event_revenue',
  'amount?':
    'profit income cost cash money payment payout_amount payout_usd sum2 commission fee p ap value event_value conv_value ' +
    'conversion_value order_value ordervalue revenue_usd revenue_in_usd revenue_float event_revenue_usd orig_monetary sale ect ecst ' +
    'subtotal subtotal_price purchase_value sale_value lead_value transaction_value cart_value basket_value grand_total',
  currency: 'currency currency_code currencycode cnv_currency conversion_currency sale_currency order_currency cur curr eccu',
  txn_id:
    'txn_id transaction_id transactionid txnid txid tid order_id orderid adv_order_id action_id actionid external_id rdtk_event_id conversionref',
  'txn_id?':
    'transaction txn trx order invoice receipt order_number order_no invoice_id invoice_number receipt_id sale_id purchase_id deposit_id payment_id conversion_id',
  reason: 'reason comment',
  rejection:
    'rejection_reason rejection_code reject_code decline_code cancel_reason cancellation_reason refund_reason trash_reason ' +
    'rejected_reason reject_reason rejected_reason_value reason_value decline_reason blocked_reason blocked block_reason fraud_reason',
  token: 'token secure security_token verification_token access_token postback_key adv_sectkn api_key apikey secret password',
  signature: 'signature',
  timestamp: 'timestamp',
} // prettier-ignore

const KINDS = new Map(
  Object.entries(NAMES_OF).flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind as ParameterKind] as const)), // its own keys
)

const NOUNS: readonly [ParameterKind, RegExp][] = [
  ['status?', /^(status|statuses|state|stage|status[a-z]+|[a-z]+(status|state))$/],
  ['event?', /^(events?|goals?|actions?|evt|event[a-z]+|[a-z]{3,}event)$/],
  [
    'amount?',
    /^(amounts?|payouts?|revenues?|price|profit|sum|income|commission|earnings|amount[a-z]+|payout[a-z]+|[a-z]+(amount|payout|revenue|price))$/,
  ],
]
/** Numbers of what there is one of for each sale, in other words than the listed ones. */
const TRANSACTIONS =
  /^((?!(?:.*_)?(?:parent|original|orig|previous|prev|old|first|last|next|initial|related|source|sub)_)(?:.+_)?(?:transaction|txn|trx|order|invoice)_?(?:id|uid|uuid|number|num|nr|no|ref|reference)|(?:receipt|booking)_?(?:id|uid|uuid|number|num|nr|no|ref|reference)|(?:sale|purchase|deposit|payment|conversion)_?(?:id|uid|uuid|ref|reference))$/
/** Where several name a transaction, which one counts, whatever their order in the call. */
const TRANSACTION_ORDER = `${NAMES_OF.txn_id} ${NAMES_OF['txn_id?']}`.split(' ')
const CURRENCIES =
  /^(currency|currencies|currency[a-z]+|[a-z]*currency|ccy|ccys|valuta|valutes?|wahrung|waehrung|währung|waluta|moneda|moeda|divisa|devise|měna|валют\p{L}*)$/u
/** What is told of a currency without naming it. */
const ASIDE_OF_CURRENCIES = /_(rate|rates|format|position|decimals|exponent|precision|factor|amount|count|version|converter|conversion)$/
const VERDICTS = /^(approved|declined|rejected|cancelled|canceled|refund|refunds|refunded|chargebacks?|reversed|trash)$/
/** Where such a word stands at the end, a name speaks of something else: when, where, which of many. */
const ASIDE = /(^|_)(url|uri|ip|uuid|guid|hash)$/
const ASIDE_OF_NOUNS = /(^|_|event|status|goal|action)(time|timestamp|date|datetime|ts|at|tz|timezone|source|source_id|source_url)$/
const ASIDE_OF_AMOUNTS = /_(type|model|percent|rate)$|(^|_)(tax|vat|discount|shipping)(_|$)/
const HARMLESS = new Set('billing_state shipping_state geo_state fraud_score'.split(' '))

/**
 * What a parameter of that name speaks of; undefined for one that is not read. One that is not listed speaks of what the
 * last of its words does: `lead_state`, `payoutAmount`, `event3`.
 */
export function kindOf(name: string): ParameterKind | undefined {
  const plain = wordsOf(name).join('_')
  const listed = KINDS.get(plainName(name)) ?? KINDS.get(plain)
  if (listed === undefined && TRANSACTIONS.test(plain)) return 'txn_id?'
  if (listed === undefined && isDepositFlag(name)) return 'status?'
  if (listed !== undefined || HARMLESS.has(plain) || ASIDE.test(plain)) return listed
  const words = plain.split(/[_\d]+/)
  if (words.some((word) => CURRENCIES.test(word)) && !ASIDE_OF_CURRENCIES.test(plain)) return 'currency'
  if (isWhyNot(plain)) return 'rejection'
  const verdict = words.find((word) => VERDICTS.test(word))
  if (verdict !== undefined && !(verdict === 'approved' && ASIDE_OF_NOUNS.test(plain))) return 'status?'
  const speaking = words.findLast((word) => NOUNS.some(([, noun]) => noun.test(word)))
  const kind = NOUNS.find(([, noun]) => speaking !== undefined && noun.test(speaking))?.[0]
  if (kind === undefined || ASIDE_OF_NOUNS.test(plain)) return undefined
  if (kind !== 'amount?') return kind
  return ASIDE_OF_AMOUNTS.test(plain) ? undefined : kind
}

const DEPOSIT_FLAG =
  /^(?:(?:is|has|was|had|did|made)(?:an?)?(?:first)?(?:time)?(?:ftd|deposit|depositor|deposited)|first(?:time)?(?:ftd|deposit|depositor|deposited)|deposited|depositor)(?:flag)?$/
const DEPOSIT_DATE = /^(?:first)?(?:time)?(?:ftd|deposit|depositor|deposited)(?:date|time|datetime|timestamp|ts|at|on)$/

/** Whether a name asks if there was a deposit: `is_ftd`, `hasDeposit`, `first_deposit`. */
export function isDepositFlag(name: string): boolean {
  return DEPOSIT_FLAG.test(wordsOf(name).join(''))
}

/** Whether a name says when there was a deposit, so that nothing in it says that there was none. */
export function isDepositDate(name: string): boolean {
  return DEPOSIT_DATE.test(wordsOf(name).join(''))
}

/** Of what a currency is by its name: `deposit_currency` → deposit; '' for `currency` alone. */
export function currencyOf(name: string): string {
  return wordsOf(name)
    .map((word) => (CURRENCIES.test(word) ? (/^([a-z]+)currency/.exec(word)?.[1] ?? '') : word))
    .filter((word) => !/^(id|code|iso|cur|curr|)$/.test(word))
    .join('_')
}

/** Whether an amount is that of such a currency by its name: `deposit_amount` or `deposit` of deposit. */
export function isAmountOf(name: string, owner: string): boolean {
  const plain = wordsOf(name).join('_')
  return owner !== '' && (plain === owner || plain.replace(/_?(amount|sum|value|total|price)$/, '') === owner)
}

const EARNED = /payout|commission|earning|reward|bounty|profit|income|випла|выпла|дохід|доход|винагород|вознагражд|комісі|комисси/
/** What was sold, in words that others use for what it brought. */
const SOLD = /(event|order|sales?|purchase|deposit|gross|total|cart|checkout|transaction|af)_?revenue/

/** Whether an amount may be what a sale brought somebody and not the sale, by its name: `payout`, `revenue_usd`, `commission`. */
export function isEarned(name: string): boolean {
  const plain = wordsOf(name).join('_')
  return EARNED.test(plain) || (plain.includes('revenue') && !SOLD.test(plain))
}

/** Whether an amount is that of a deposit by its name: `ftd_amount`, `depositSum`. */
export function isDepositAmount(name: string): boolean {
  return /^(first_?)?(time_?)?(ftd|fd|dep|depo|deposits?)_?(amount|sum|value|total|price|revenue)?(_[a-z]{3})?$/.test(
    wordsOf(name).join('_'),
  )
}

/** The name and currency of an amount that says both: `event_revenue_usd` → event_revenue, USD. */
export function amountInCurrency(name: string): { of: string; currency: string } | null {
  const [, of, currency] = /^(.+?)_(?:in_)?([a-z]{3})$/.exec(wordsOf(name).join('_')) ?? []
  return of === undefined || currency === undefined ? null : { of, currency: currency.toUpperCase() }
}

/** Whether two names are one but for how they are written. */
export function isSameName(one: string, other: string): boolean {
  return wordsOf(one).join('_') === wordsOf(other).join('_')
}

/** How near the name of a transaction comes to `txn_id`, the lower the nearer; two names are never the same. */
export function byTransaction(one: string, other: string): number {
  const [at, from] = [one, other].map((name) => {
    const rank = TRANSACTION_ORDER.indexOf(plainName(name))
    return rank === -1 ? TRANSACTION_ORDER.length : rank
  }) as [number, number]
  return at - from || (one < other ? -1 : 1)
}

/** Whether an event is named by a number of its own, as one of many, so that it is a transaction and no kind of event. */
export function isEventNumber(name: string, value: string): boolean {
  return /^event_?id$/.test(wordsOf(name).join('_')) && /^(\{?[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\}?|[\da-f]{32}|\d{7,})$/i.test(value)
}

/** `failure_reason`, `error_code`, `denialMessage`: nobody gives one for what went well. */
function isWhyNot(plain: string): boolean {
  const match = /^(.+?)_?(reasons?|codes?|messages?|msg|text|cause|details?|description|comments?|notes?|explanation)$/.exec(plain)
  const said = plainWords(match?.[1] ?? '').map(senseOf)
  return said.some((sense) => sense === 'bad' || sense === 'weak') && said.every((sense) => sense !== 'other')
}

/**
 * Whether a name has parts, as `data[status]`, `status[]`, `data.status` or the path of a value in JSON; then what it
 * speaks of: its parts and all of them together. Nobody reads such a value.
 */
export function kindOfPath(path: string): { kind: ParameterKind | undefined } | null {
  if (!/[.[\]]/.test(path)) return null
  const parts = partsOf(path)
  const leaf = kindOf(parts.at(-1) ?? '')
  // what explains or dates a conversion says nothing of it, wherever it stands
  const own = leaf === 'token' || leaf === 'reason' || leaf === 'timestamp' ? undefined : leaf
  const around = [...parts.slice(0, -1), parts.slice(-2).join('_')].map(kindOf)
  const joined = around.at(-1)
  return { kind: own ?? around.find((kind) => kind !== undefined && SPEAKING.has(kind)) ?? (joined === 'txn_id?' ? joined : undefined) }
}
const SPEAKING: ReadonlySet<ParameterKind> = new Set([
  'click_id', 'goal', 'event?', 'status', 'status?', 'amount', 'amount?', 'currency', 'txn_id', 'rejection',
] as const) // prettier-ignore

/** Whether a parameter holds what must never be kept. */
export function isSecretName(name: string): boolean {
  return [name, ...partsOf(name)].some((part) => {
    const kind = KINDS.get(plainName(part))
    return kind === 'token' || kind === 'signature'
  })
}

function partsOf(path: string): string[] {
  return path.split(/[.[\]]+/).filter((part) => part.trim() !== '')
}

function plainName(name: string): string {
  return name.trim().toLowerCase().replaceAll('-', '_')
}

/** `conversionEvent`, `conversion-event`, `Conversion Event` → conversion, event. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3_$2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '')
}
