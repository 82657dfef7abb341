import type { ReceivedPostback } from '#server/rules/conversion/postback-hand-over.ts'

/*
 * Shapes of calls as four hundred networks send them, made of what the reference counts (postback-dialects 1.1–1.3 and 2–5):
 * names by how often they occur, words by what they mean at most of them, numbers, bodies and paths. Nobody chose the
 * combinations.
 */

/** What one call truly says. */
export type Truth = { status: string | null; goal: string | null; amount: string | null; currency: string | null; txn: string | null }
export type Shape = {
  title: string
  goals: string[]
  make(clickId: string, token: string): { call: Partial<ReceivedPostback>; truth: Truth }
}

type Weighted = readonly (readonly [text: string, weight: number])[]
const CLICK: Weighted = [
  ['sub1', 74], ['aff_click_id', 34], ['subid', 24], ['sub_id1', 15], ['subid1', 14], ['aff_sub', 11], ['utm_term', 11], ['s2', 6], ['external_id', 5], ['clickref', 3], ['ml_sub1', 2],
] // prettier-ignore
const STATUS: Weighted = [
  ['status', 133],
  ['type', 14],
  ['goal', 12],
  ['conv_status', 11],
  ['event', 9],
  ['stage', 8],
  ['action', 5],
  ['state', 4],
]
const AMOUNT: Weighted = [
  ['payout', 107], ['sum', 62], ['amount', 17], ['revenue', 16], ['payment', 13], ['profit', 13], ['cash', 9], ['cost', 7], ['payout_amount', 6], ['money', 6], ['income', 5],
] // prettier-ignore
const TXN: Weighted = [
  ['', 40],
  ['transaction_id', 23],
  ['transactionid', 12],
  ['id', 8],
  ['lead_id', 6],
  ['conversion_id', 4],
  ['order_id', 6],
  ['action_id', 4],
]
const CURRENCY: Weighted = [
  ['', 20],
  ['currency', 75],
  ['cur', 4],
  ['currency_code', 3],
]
/** Sets of words that stand together at one network: pending, approved, declined. */
const WORDS: readonly (readonly [string, string, string, number])[] = [
  ['lead', 'sale', 'rejected', 19],
  ['pending', 'approved', 'rejected', 32],
  ['new', 'confirmed', 'cancelled', 16],
  ['wait', 'approve', 'cancel', 10],
  ['hold', 'approve', 'trash', 8],
  ['expect', 'confirm', 'fail', 4],
  ['pending', 'paid', 'declined', 6],
  ['2', '1', '3', 21],
  ['waiting', 'accepted', 'refused', 3],
  ['processing', 'completed', 'refunded', 4],
  ['created', 'buyout', 'duplicate', 3],
]
const EVENTS: readonly (readonly [words: [string, string], goals: [string, string], weight: number])[] = [
  [['reg', 'dep'], ['registration', 'deposit'], 20],
  [['registration', 'ftd'], ['reg', 'ftd'], 9],
  [['lead', 'sale'], ['lead', 'sale'], 8],
  [['install', 'purchase'], ['install', 'purchase'], 6],
  [['trial', 'rebill'], ['trial', 'rebill'], 4],
]
/** What stands beside, as a constant or told of the visitor. */
const BESIDE: readonly [name: string, value: () => string][] = [
  ['from', () => 'partner.example'],
  ['offer_id', () => String(100 + pickInt(900))],
  ['geo', () => ['DE', 'PL', 'UA', 'BR'][pickInt(4)]!],
  ['country', () => ['de', 'pl', 'ua'][pickInt(3)]!],
  ['ip', () => `203.0.113.${1 + pickInt(200)}`],
  ['sub2', () => `s${pickInt(99)}`],
  ['campaign', () => 'autumn'],
  ['time', () => String(1_760_000_000 + pickInt(9_000_000))],
  ['lead_status', () => '2,5'],
  ['offer_name', () => 'Best Offer'],
]
const PATHS: Weighted = [
  ['/postback', 70],
  ['/pb', 8],
  ['/api/v1/conversion', 6],
  ['/callback/KEY', 6],
  ['/s2s/leads', 4],
  ['/postback/CLICK', 6],
]

let next: () => number = Math.random
const pickInt = (below: number) => Math.floor(next() * below)

/** Shapes made from a seed: the same seed, the same shapes. */
export function makeShapes(count: number, seed: number): Shape[] {
  let state = seed >>> 0
  next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return Array.from({ length: count }, makeShape)
}

function weighted<Item extends readonly unknown[]>(items: readonly Item[]): Item {
  const weight = (item: Item) => Number(item.at(-1))
  let at = next() * items.reduce((sum, item) => sum + weight(item), 0)
  return items.find((item) => (at -= weight(item)) < 0) ?? items[0]!
}

function makeShape(): Shape {
  const click = weighted(CLICK)[0]
  const [txn] = weighted(TXN)
  const [currencyName] = weighted(CURRENCY)
  const [amount] = weighted(AMOUNT)
  const hasEvents = next() < 0.3
  const hasStatus = !hasEvents || next() < 0.3
  const statusName = hasStatus ? (hasEvents ? 'status' : weighted(STATUS)[0]) : ''
  const eventName = hasEvents ? ['event', 'goal', 'type', 'action', 'event_name'].filter((name) => name !== statusName)[pickInt(4)]! : ''
  const [pending, approved, declined] = weighted(WORDS)
  const [events, goals] = hasEvents
    ? weighted(EVENTS)
    : ([
        ['', ''],
        ['sale', 'lead2'],
      ] as const)
  const comma = next() < 0.12
  const currency = ['usd', 'USD', 'eur', 'EUR'][pickInt(4)]!
  const [path] = weighted(PATHS)
  const inPath = path.includes('CLICK')
  const body = next()
  const nested = body > 0.85
  const key = `k${pickInt(1_000_000)}x`
  const beside = BESIDE.filter(() => next() < 0.2)
  const title = [path, inPath ? 'click in the path' : click, statusName, eventName, amount, txn, currencyName, `${pending}/${approved}/${declined}`, comma ? 'comma' : '', body < 0.75 ? 'query' : body < 0.85 ? 'form' : 'json'].join(' ') // prettier-ignore
  let number = 0
  return {
    title,
    goals: [...goals],
    make(clickId, token) {
      const turn = number++
      const status = hasStatus ? (['pending', 'approved', 'declined'] as const)[turn % 3]! : null
      const goal = hasEvents ? turn % 2 : null
      const value = 5 + pickInt(90) + (turn % 4 === 1 ? 0.5 : turn % 4 === 2 ? 0.25 : 0)
      const text = value.toFixed(2)
      const id = `${['A', 'tx', ''][turn % 3]}${100_000 + turn * 37 + pickInt(30)}`
      const said: [string, string][] = [
        ...(inPath ? [] : [[click, clickId] as [string, string]]),
        ...(statusName === '' ? [] : [[statusName, { pending, approved, declined }[status ?? 'approved']] as [string, string]]),
        ...(eventName === '' ? [] : [[eventName, events[goal ?? 0]!] as [string, string]]),
        [amount, comma ? text.replace('.', ',') : text],
        ...(currencyName === '' ? [] : [[currencyName, currency] as [string, string]]),
        ...(txn === '' ? [] : [[txn, id] as [string, string]]),
        ...beside.map(([name, of]) => [name, of()] as [string, string]),
        ['token', token],
      ]
      const query = new URLSearchParams(said).toString()
      const at = path.replace('KEY', key).replace('CLICK', clickId)
      const json = JSON.stringify({ token, data: Object.fromEntries(said.filter(([name]) => name !== 'token')) })
      const call: Partial<ReceivedPostback> = nested
        ? { method: 'POST', path: at, query: '', body: json, content_type: 'application/json' }
        : body < 0.75
          ? { method: 'GET', path: at, query }
          : { method: 'POST', path: at, query: '', body: query, content_type: 'application/x-www-form-urlencoded' }
      return {
        call,
        truth: {
          status: ownStatus(status, { pending, declined }),
          goal: hasEvents ? goals[goal ?? 0]! : null,
          amount: String(value),
          currency: currencyName === '' ? null : currency.toUpperCase(),
          txn: txn === '' ? null : id,
        },
      }
    },
  }
}

/** `hold` and `trash` are statuses of ours, whatever a network means by them. */
function ownStatus(status: Truth['status'], words: { pending: string; declined: string }): Truth['status'] {
  if (status === 'pending' && words.pending === 'hold') return 'hold'
  return status === 'declined' && words.declined === 'trash' ? 'trash' : status
}
