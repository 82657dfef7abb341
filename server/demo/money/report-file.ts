/** A conversion as we have it. */
export type Known = {
  transaction_id: string | null
  click_id: string
  created_at: Date
  status: string
  reason: string
  revenue: string
  currency: string
  title: string
  goal: string
}
type Click = { clickId: string; at: number }
type How = {
  /** The days that are asked for. */
  period: { from: string; to: string }
  /** How far the clock of the advertiser is from ours. */
  hours: number
  /** Clicks we have no conversion of, and those of tests. */
  unknown: readonly Click[]
  tests: readonly Click[]
}
type Line = {
  id: string
  click: string
  at: number
  offer: string
  goal: string
  state: string
  cents: number
  currency: string
  note: string
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
const HEADER = 'Order ID;Click ID;Date;Offer;Event;Status;Amount;Currency;Reason'

/** What the advertiser's system says of the same conversions: mostly the same, and of each kind of difference a few. */
export function reportOf(known: readonly Known[], { period, hours, unknown, tests }: How): string {
  const [from, to] = [Date.parse(period.from), Date.parse(period.to) + DAY]
  const shift = hours * HOUR
  const lines: Line[] = []
  let place = 0
  let lates = 0
  let approved = 0
  for (const one of known) {
    const line = lineOf(one)
    const theirs = line.at + shift
    if (theirs >= to && lates < 2 && theirs < to + DAY) {
      // they count the order, and told us of it a day later
      if (++lates > 0) lines.push({ ...line, at: to - shift - lates * 3 * HOUR })
      continue
    }
    if (theirs < from || theirs >= to) continue
    place++
    const isLost = one.status === 'declined' || one.status === 'trash'
    if (one.reason === 'cap_reached') lines.push({ ...line, state: 'approved', note: '' })
    else if (isLost || place % 11 !== 3) lines.push(changed(line, place, line.state === 'approved' ? ++approved : 0))
    if (place === 9) lines.push(line)
  }
  const [first] = lines
  if (first !== undefined) {
    for (const [index, { clickId, at }] of unknown.slice(-2).entries()) lines.push(strange(first, `N-${7_310 + index}`, clickId, at))
    for (const { clickId, at } of tests.slice(0, 1)) lines.push(strange(first, 'TEST-1', clickId, at))
    for (const index of [0, 1]) lines.push(strange(first, `N-${7_400 + index}`, `b7d3f1${index}9c04e25a8`, first.at + index * 5 * HOUR))
  }
  return [HEADER, ...lines.map((line) => written(line, shift))].join('\n')
}

function lineOf({ transaction_id, click_id, created_at, status, reason, revenue, currency, title, goal }: Known): Line {
  const state = status === 'pending' ? 'pending' : status === 'declined' || status === 'trash' ? 'declined' : 'approved'
  const cents = Math.round(Number(revenue) * 100)
  return { id: transaction_id ?? '', click: click_id, at: created_at.getTime(), offer: title, goal, state, cents, currency, note: reason }
}

/** Every so often they decide otherwise, or count another amount. */
function changed(line: Line, place: number, approved: number): Line {
  if (place % 7 === 5 && line.state === 'pending') return { ...line, state: 'approved' }
  if (approved % 13 === 4) return { ...line, state: 'declined', note: 'Second account' }
  if (approved % 10 === 2) return { ...line, cents: Math.round(line.cents * 0.8) }
  if (approved === 9) return { ...line, currency: line.currency === 'EUR' ? 'USD' : 'EUR' }
  return line
}

function strange(like: Line, id: string, click: string, at: number): Line {
  return { ...like, id, click, at, state: 'approved', note: '' }
}

/** As a spreadsheet in much of Europe writes it. */
function written({ id, click, at, offer, goal, state, cents, currency, note }: Line, shift: number): string {
  const time = new Date(at + shift).toISOString()
  const date = `${time.slice(8, 10)}.${time.slice(5, 7)}.${time.slice(0, 4)} ${time.slice(11, 19)}`
  const amount = `${Math.floor(cents / 100)},${String(cents % 100).padStart(2, '0')}`
  return [id, click, date, offer, goal, state, amount, currency, note].map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';')
}
