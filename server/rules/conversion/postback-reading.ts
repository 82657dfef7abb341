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
    'type action action_code action_name tariff_code e e_tkn event_token lead reg registration dep deposit ftd install purchase ' +
    'rebill upsell',
  status: 'status cnv_status conv_status conversion_status',
  'status?':
    'state stage cnv_status2 lead_status sale_status rejected_status reject_status trash_status rebill_status ignore_status ' +
    'approved_status pending_status hold_status order_status payment_status financial_status disposition dispositioncode ' +
    'approved approve confirmed pending hold declined rejected cancelled canceled cancelled_at trash refund refunded chargeback reversed ' +
    'fraud is_approved is_confirmed is_declined is_rejected is_refund is_fraud is_trash is_valid valid',
  amount: 'amount sum payout sale_amount revenue price order_amount order_sum order_total total_price total amt monetary event_revenue',
  'amount?':
    'profit income cost cash money payment payout_amount payout_usd sum2 commission fee p ap value event_value conv_value ' +
    'conversion_value order_value ordervalue revenue_usd revenue_in_usd revenue_float event_revenue_usd orig_monetary sale ect ecst ' +
    'subtotal subtotal_price amount_cents amount_usd',
  currency: 'currency currency_code currencycode cnv_currency conversion_currency sale_currency order_currency cur curr eccu',
  txn_id:
    'txn_id action_id tid txid order_id transaction_id transactionid txnid orderid adv_order_id rdtk_event_id external_id conversionref',
  reason: 'reason comment',
  rejection: 'rejection_reason rejected_reason reject_reason rejected_reason_value reason_value decline_reason blocked_reason blocked block_reason fraud_reason',
  token: 'token secure security_token verification_token access_token postback_key adv_sectkn api_key apikey secret password',
  signature: 'signature',
  timestamp: 'timestamp',
} // prettier-ignore

const KINDS = new Map(
  Object.entries(NAMES_OF).flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind as ParameterKind] as const)), // its own keys
)
/** A name not listed that ends in a word of ours, such as `lead_state` or `event3`, speaks of it all the same. */
const ENDINGS: readonly [RegExp, ParameterKind][] = [
  [/(^|_|[a-z])(status|state)\d*$/, 'status?'],
  [/(^|_)(event|goal|events|goals)(_?(name|id|code|type|value))?\d*$/, 'event?'],
  [/(^|_)(amount|payout|revenue|price|profit|sum)\d*$/, 'amount?'],
]

/** What a parameter of that name speaks of; undefined for one that is not read. */
export function kindOf(name: string): ParameterKind | undefined {
  const plain = plainName(name)
  return KINDS.get(plain) ?? ENDINGS.find(([ending]) => ending.test(plain))?.[1]
}

/** Whether a parameter holds what must never be kept. */
export function isSecretName(name: string): boolean {
  const kind = KINDS.get(plainName(name))
  return kind === 'token' || kind === 'signature'
}

/** What one parameter said of event, status or amount, under the name it came with; `number` = a number of JSON, whose point is a decimal one. */
export type Mention = {
  kind: 'goal' | 'event?' | 'status' | 'status?' | 'amount' | 'amount?' | 'rejection' | 'other'
  name: string
  value: string
  number?: boolean | undefined
}
export type ReadingProblem = { reason: 'placeholder' | 'ambiguous' | 'body_nested'; parameter: string }
export type Pair = { name: string; value: string; number?: boolean }
/** The fields that hold one value whatever the offer; '' = not given. */
export type PlainFields = Record<'click_id' | 'txn_id' | 'currency' | 'reason' | 'token' | 'signature' | 'timestamp', string>
export type Reading = {
  plain: PlainFields
  said: Mention[]
  /** The first thing that can be read by nobody, wherever it stands. */
  problem: ReadingProblem | null
}

const MOST_MENTIONS = 60
const LONGEST_MENTION = 200
const LONGEST_OTHER = 64

/**
 * Reads the parameters of a postback in the order they came in. Empty ones count as not sent. Two different values for a
 * field that can hold one are a problem, and so is a value that nobody has filled in. Parameters nobody reads are kept
 * beside, because a status or an event may stand in one of them.
 */
export function readParameters(pairs: readonly Pair[]): Reading {
  const plain: PlainFields = { click_id: '', txn_id: '', currency: '', reason: '', token: '', signature: '', timestamp: '' }
  const said: Mention[] = []
  let problem: ReadingProblem | null = null
  const note = (reason: ReadingProblem['reason'], parameter: string) => (problem ??= { reason, parameter: parameter.slice(0, 64) })

  for (const pair of pairs) {
    const name = pair.name.trim()
    const kind = kindOf(name)
    const value = kind === 'txn_id' || kind === 'token' ? cleanPostbackValue(pair.value) : decodedAgain(cleanPostbackValue(pair.value))
    if (value === '') continue
    const field = name.toLowerCase().slice(0, 64)
    if (kind === undefined) {
      if (value.length <= LONGEST_OTHER && said.length < MOST_MENTIONS) said.push({ kind: 'other', name: field, value })
      continue
    }
    if (kind !== 'token' && kind !== 'signature' && isPlaceholder(value, field, kind)) note('placeholder', field)
    if (isPlain(kind)) {
      const given = kind === 'click_id' ? value.toLowerCase() : kind === 'currency' ? value.toUpperCase() : value
      if (plain[kind] !== '' && plain[kind] !== given && kind !== 'reason' && kind !== 'token') note('ambiguous', field)
      plain[kind] ||= given
    } else {
      if (kind === 'rejection') plain.reason ||= value
      // those that are read come before those that are not: no flood of others may push them out
      if (said.length >= MOST_MENTIONS) said.splice(said.findLastIndex((one) => one.kind === 'other') >>> 0, 1)
      if (said.length >= MOST_MENTIONS) note('ambiguous', field)
      else said.push({ kind, name: field, value: value.slice(0, LONGEST_MENTION), ...(pair.number && { number: true }) })
    }
  }
  return { plain, said, problem }
}

/** Pulls a query or form apart, after giving back to names what HTML has eaten of them. */
export function pairsOf(text: string): Pair[] {
  return [...new URLSearchParams(repairQuery(text))].map(([name, value]) => ({ name, value }))
}

/** What HTML makes of `&` and the beginning of a name: the sign, the letters it stands for. */
const EATEN: readonly [sign: string, latin1: string, letters: string][] = [
  ['¤', 'A4', 'curren'],
  ['¶', 'B6', 'para'],
  ['×', 'D7', 'times'],
  ['®', 'AE', 'reg'],
  ['©', 'A9', 'copy'],
  ['§', 'A7', 'sect'],
  ['¬', 'AC', 'not'],
  ['°', 'B0', 'deg'],
]
const REPAIRS = EATEN.map(([sign, code, letters]) => {
  const utf8 = code > 'C0' ? `%C3%97` : `%C2%${code}`
  const asBytes = sign === '×' ? 'Ã\u0097' : `Â${sign}`
  return [new RegExp(`(?:%C3%82)?(?:${utf8}|%${code})(?=[a-z0-9_]*=)|(?:${asBytes}|${sign})(?=[a-z0-9_]*=)`, 'gi'), `&${letters}`] as const
})

/**
 * A query as it was before it was pasted through HTML: `¤cy=` was `&currency=`, `×tamp=` was `&timestamp=`, `&amp;a=` was
 * `&a=`. Only where a name and `=` follow, which no value of a query can hold.
 */
export function repairQuery(text: string): string {
  const whole = text.replace(/(^|&)(?:amp(?:;|%3B))+/gi, '$1')
  return /[^\u0000-\u007f]|%[abcd][0-9a-f]/i.test(whole)
    ? REPAIRS.reduce((so, [eaten, letters]) => so.replace(eaten, letters), whole)
    : whole
}

/** The JSON of a postback as parameters. What lies deeper than its first level is read by nobody: where it would say something, it is a problem. */
export function pairsOfJson(members: object): { pairs: Pair[]; nested: string | null } {
  const pairs: Pair[] = []
  let nested: string | null = null
  const walk = (value: unknown, name: string, path: string, depth: number) => {
    if (typeof value === 'object' && value !== null) {
      if (depth < 6)
        for (const [inner, member] of Object.entries(value)) walk(member, inner, path === '' ? inner : `${path}.${inner}`, depth + 1)
      return
    }
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return
    if (depth > 1) {
      const kind = kindOf(name)
      if (kind !== undefined && kind !== 'token' && kind !== 'reason' && kind !== 'timestamp' && value !== '') nested ??= path
    } else pairs.push({ name, value: String(value), number: typeof value === 'number' })
  }
  walk(members, '', '', 0)
  return { pairs, nested }
}

const MACROS = [
  /\{[^{}]*\}/, // {x} {{x}} ${x} #{x} {$x}
  /##.*##|^#[\w ]+#$/,
  /^\[+[^[\]]*\]+$/,
  /^%+[a-z][\w.-]*%+$/i,
  /^<[^<>]+>$/,
  /^\([a-z][\w-]*\)$/i,
  /^__\w+__$/,
  /^!!!.+!!!$/,
  /^@@.+@@$/,
  /^xx[a-z]\d?xx$/i,
]
const GUID = /^\{[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\}$/i
const NEVER_VALUES = new Set(
  'replace replace_me optional your_id click_id clickid subid transaction_id undefined null nan (null) macro value placeholder'.split(' '),
)

/** Whether a value is what somebody forgot to replace: a macro in any of the usual brackets, a word of a manual, a menu of statuses. */
function isPlaceholder(value: string, name: string, kind: ParameterKind): boolean {
  const plain = value.toLowerCase()
  if (GUID.test(value)) return false
  if ([value, decodedAgain(value)].some((one) => MACROS.some((macro) => macro.test(one)))) return true
  if (NEVER_VALUES.has(plain) || plain.endsWith('_placeholder')) return true
  // a goal may well be called "event"
  if (
    kind !== 'goal' &&
    kind !== 'event?' &&
    kind !== 'status?' &&
    kind !== 'reason' &&
    kind !== 'rejection' &&
    (plain === name || plain === kind)
  )
    return true
  return (kind === 'status' || kind === 'currency') && /[,|]/.test(plain)
}

function isPlain(kind: ParameterKind): kind is keyof PlainFields {
  return ['click_id', 'txn_id', 'currency', 'reason', 'token', 'signature', 'timestamp'].includes(kind)
}

function plainName(name: string): string {
  return name.trim().toLowerCase().replaceAll('-', '_')
}

/** Undoes a second percent-encoding; none of the values it is asked for can hold a percent sign and two digits. */
function decodedAgain(value: string): string {
  if (!/%[0-9a-f]{2}/i.test(value)) return value
  try {
    return storable(decodeURIComponent(value)).trim()
  } catch {
    return value
  }
}

const LONGEST_VALUE = 1_000

/** A parameter's value as it is compared and stored. */
function cleanPostbackValue(value: string): string {
  return storable(value).trim().slice(0, LONGEST_VALUE)
}

/** Without what PostgreSQL cannot store and no value needs. */
export function storable(text: string): string {
  return text.toWellFormed().replace(/[\u0000-\u001f\u007f]/g, ' ')
}

/**
 * Parses the JSON of a postback. A number that JavaScript would round, such as a transaction id of 20 digits, stays text:
 * rounded, two of them could be one. Throws as `JSON.parse` does.
 */
export function parsePostbackJson(text: string): unknown {
  return JSON.parse(text, keepDigits)
}

function keepDigits(_name: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source ?? ''
  if (typeof value !== 'number' || source.length > LONGEST_VALUE || !/^-?\d+(\.\d+)?$/.test(source)) return value
  const digits = source.includes('.') ? source.replace(/\.?0+$/, '') : source
  return String(value) === digits ? value : digits
}
