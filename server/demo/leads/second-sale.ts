import { recoldPacing, recoldSchedule, recoldSkip } from '#contract/leads/recold-plan.ts'
import { planSlots } from '#server/rules/lead/cold/pacing.ts'
import { uuidOf, type Random } from '../random.ts'
import { callsOf } from './call-centre.ts'
import type { DrawnPerson, DrawnSession, SecondSale, SecondSalePlan, SoldAgain } from './drawn.ts'

const DAY = 86_400_000

/** From nine to six by the clocks of the people asked, Monday to Friday. */
const OFFICE = [...Array.from({ length: 5 }, () => [{ from: 540, until: 1080 }]), [], []]
export const SCHEDULE = recoldSchedule.parse({
  starts_at: null,
  ends_at: null,
  windows_in: 'lead',
  time_zone: 'Europe/Berlin',
  hours: OFFICE,
})
export const SKIP = recoldSkip.parse({
  consent_days: 365,
  call_statuses: ['do_not_call', 'under_age', 'invalid_data', 'spam_fraud', 'unreachable'],
  same_advertiser_days: null,
  cool_down_days: 3,
  most_sends: 3,
  age_min_days: null,
  age_max_days: 180,
})

/** Two second sales of deposits nobody made: one over long ago, one that runs. `interval` in minutes. */
const PLANS: readonly SecondSalePlan[] = [
  { title: 'Second try, spring desk', list: 'No deposit, first half', ago: 18, interval: [8, 20], payout: 'none', status: 'done' },
  { title: 'Evening desk, quiet leads', list: 'No deposit, second half', ago: 4, interval: [40, 80], payout: 'original', status: 'active' },
]

/** The pace of a sale with so many minutes between two people. */
export function pacingOf([least, most]: SecondSalePlan['interval']) {
  const limits = { per_hour: null, per_day: null, total: null, per_geo: {} }
  return recoldPacing.parse({ interval_min: least * 60, interval_max: most * 60, ...limits, order: 'oldest', attempts: 3 })
}

/** Whether the form of a lead named who may have it: six of ten do. */
export function namesRecipients({ bits }: Pick<DrawnSession, 'bits'>): boolean {
  return bits % 10 < 6
}

/** Starts the second sales when their day has come and answers their leads in the order of time. */
export function openSecondSales(random: Random, now: number) {
  const sales: SecondSale[] = []
  const waiting = PLANS.map((plan) => ({ plan, at: now - plan.ago * DAY }))
  const coming: DrawnSession[] = []
  return {
    sales,
    /** The leads that are sold again before a moment. */
    *due(until: number, sessions: readonly DrawnSession[]): Generator<DrawnSession> {
      for (;;) {
        const next = waiting[0]
        if (next !== undefined && next.at < until) {
          waiting.shift()
          const sale = startSale(next.plan, next.at, sessions, sales)
          sales.push(sale)
          coming.push(...leadsOf(random, sale, now))
          coming.sort((one, other) => one.receivedAt - other.receivedAt)
          continue
        }
        if (coming[0] === undefined || coming[0].receivedAt >= until) return
        yield coming.shift()!
      }
    },
  }
}

function startSale(plan: SecondSalePlan, at: number, sessions: readonly DrawnSession[], before: readonly SecondSale[]): SecondSale {
  const taken = new Set<DrawnPerson>(before.flatMap(({ people }) => people.map(({ source }) => source.person)))
  const people: SoldAgain[] = []
  for (const source of sessions) {
    const { offer, person, cold, receivedAt } = source
    if (cold || offer.plan.type !== 'finance_trading' || receivedAt > at - 4 * DAY || person.test || taken.has(person)) continue
    const known = source.sends.flatMap((send) => callsOf(send, at)).filter(({ status }) => status !== null)
    const became = known.findLast(({ becomes }) => becomes !== null)?.becomes ?? source.status
    if (became !== 'unsold' && became !== 'closed') continue
    taken.add(person)
    const last = Math.max(0, ...source.sends.map(({ askedAt }) => askedAt))
    const skip = !namesRecipients(source)
      ? 'no_consent'
      : SKIP.call_statuses.some((status) => status === known.at(-1)?.status)
        ? 'call_status'
        : last > at - SKIP.cool_down_days * DAY
          ? 'cool_down'
          : ''
    people.push({ source, skip, session: null })
  }
  const sent = people.filter(({ skip }) => skip === '')
  const rules = { schedule: SCHEDULE, pacing: pacingOf(plan.interval), seed: '1', advertiserZone: SCHEDULE.time_zone }
  const standing = { now: at, last: null, hour: 0, day: 0, total: 0, byGeo: new Map<string, number>() }
  const sale: SecondSale = { plan, startedAt: at, people, slots: [] }
  const items = sent.map((one) => ({ one, place: one.source.receivedAt, country: one.source.person.person.country }))
  for (const next of planSlots(rules, standing, items)) {
    if (next.kind !== 'slot') continue
    sale.slots.push(next.at)
    next.item.one.session = soldAgain(next.item.one.source, sale, next.at)
  }
  return sale
}

function* leadsOf(random: Random, sale: SecondSale, now: number): Generator<DrawnSession> {
  for (const one of sale.people) {
    if (one.session === null) continue
    // those that are still to come wait
    if (one.session.receivedAt > now - 120_000) one.session = null
    else yield Object.assign(one.session, { uuid: uuidOf(random), draw: random.next(), bits: random.bits() })
  }
}

function soldAgain(source: DrawnSession, sale: SecondSale, at: number): DrawnSession {
  return {
    ...source,
    cold: sale,
    affiliateId: sale.plan.payout === 'original' ? source.affiliateId : 0,
    externalId: null,
    origin: 'cold',
    status: 'received',
    reason: '',
    told: { ...source.told, registered_at: new Date(source.receivedAt).toISOString() },
    trace: [],
    attempts: 0,
    nextTryAt: null,
    receivedAt: at,
    decidedAt: null,
    changedAt: at,
    sends: [],
  }
}
