import type { CallInput } from '#contract/endpoint.ts'
import { DATA_FIELDS } from '#contract/leads/recold-plan.ts'
import type { recoldApi, RecoldDetail } from '#contract/leads/recold.ts'
import { typedNumber, typedNumberOrNull } from '#web/kit/fields/typed-number.ts'
import { clockAt, momentAt } from '#web/zone-time.ts'

export type RecoldBody = CallInput<typeof recoldApi.create>['body']
type Texts<Of, Names extends keyof Of> = Omit<Of, Names> & Record<Names, string>

/** Settings that are numbers, or none: a new one stands here and among the values of a blank form. */
const PACING_NUMBERS = ['per_hour', 'per_day', 'total', 'attempts'] as const
const SKIP_NUMBERS = ['consent_days', 'same_advertiser_days', 'cool_down_days', 'most_sends', 'age_min_days', 'age_max_days'] as const

/** Hours at which it sends, on some days of the week. */
type WindowValues = { days: string[]; from: string; until: string }
type FieldValues = Record<(typeof DATA_FIELDS)[number], { use: 'captured' | 'omit' | 'declared'; value: string }>

/** A distribution as its form holds it: numbers are texts, moments a clock's of its zone. */
export type RecoldValues = Omit<RecoldBody, 'list_uuid' | 'offer_uuid' | 'payout_amount' | 'schedule' | 'pacing' | 'data' | 'skip'> & {
  list_uuid: string | null
  offer_uuid: string | null
  payout_amount: string
  schedule: Omit<RecoldBody['schedule'], 'hours'> & { always: boolean; hours: WindowValues[] }
  pacing: Omit<Texts<RecoldBody['pacing'], 'interval_min' | 'interval_max' | (typeof PACING_NUMBERS)[number]>, 'per_geo'> & {
    unit: string
    per_geo: { country: string | null; most: string }[]
  }
  data: Omit<RecoldBody['data'], 'fields'> & { fields: FieldValues }
  skip: Texts<RecoldBody['skip'], (typeof SKIP_NUMBERS)[number]>
}

/** How many seconds the units of the network's times have. */
export const UNIT_SECONDS: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
  month: 2_592_000,
}

/** What a new distribution begins with: the hours of an office by the clocks of the people asked. */
export function blankRecold(zone: string, list: string | null): RecoldValues {
  return {
    title: '',
    payout: 'none',
    payout_amount: '',
    list_uuid: list,
    offer_uuid: null,
    product_uuids: [],
    schedule: {
      starts_at: null,
      ends_at: null,
      windows_in: 'lead',
      time_zone: zone,
      always: false,
      hours: [{ days: ['0', '1', '2', '3', '4'], from: '09:00', until: '18:00' }],
    },
    pacing: {
      interval_min: '1',
      interval_max: '3',
      unit: 'minute',
      per_hour: '',
      per_day: '',
      total: '',
      per_geo: [],
      order: 'newest',
      attempts: '3',
    },
    data: { geos: [], languages: [], genders: [], os: [], devices: [], fields: fieldValues({}) },
    skip: {
      consent_days: '',
      call_statuses: ['do_not_call', 'under_age', 'invalid_data', 'spam_fraud'],
      same_advertiser_days: '',
      cool_down_days: '7',
      most_sends: '3',
      age_min_days: '',
      age_max_days: '',
    },
  }
}

/** What is stored, as the form holds it. */
export function valuesOfRecold(of: RecoldDetail): RecoldValues {
  const { schedule, pacing, data, skip } = of
  const { interval_min: least, interval_max: most } = pacing
  const unit = ['day', 'hour', 'minute'].find((name) => least % (UNIT_SECONDS[name] ?? 1) === 0 && most % (UNIT_SECONDS[name] ?? 1) === 0)
  const size = UNIT_SECONDS[unit ?? 'second'] ?? 1
  const clock = (moment: string | null) => (moment === null ? null : clockAt(moment, schedule.time_zone))
  return {
    title: of.title,
    payout: of.payout,
    payout_amount: of.payout_amount === null ? '' : of.payout_amount.replace(/\.?0+$/, ''),
    list_uuid: of.list.uuid,
    offer_uuid: of.offer.uuid,
    product_uuids: of.products.map(({ uuid }) => uuid),
    schedule: {
      ...schedule,
      starts_at: clock(schedule.starts_at),
      ends_at: clock(schedule.ends_at),
      always: schedule.hours === null,
      hours: windowsOf(schedule.hours ?? []),
    },
    pacing: {
      interval_min: String(least / size),
      interval_max: String(most / size),
      unit: unit ?? 'second',
      ...textsOf(pacing, PACING_NUMBERS),
      per_geo: Object.entries(pacing.per_geo).map(([country, limit]) => ({ country, most: String(limit) })),
      order: pacing.order,
    },
    data: { ...data, fields: fieldValues(data.fields) },
    skip: { call_statuses: skip.call_statuses, ...textsOf(skip, SKIP_NUMBERS) },
  }
}

/** What the form holds, as it is sent. */
export function recoldBody({ schedule, pacing, data, skip, ...values }: RecoldValues): RecoldBody {
  const { always, hours, starts_at: starts, ends_at: ends, ...rest } = schedule
  const { unit, per_geo: geos, ...pace } = pacing
  const moment = (clock: string | null) => (clock === null ? null : momentAt(clock, schedule.time_zone))
  const seconds = (text: string) => (text.trim() === '' ? 0 : typedNumber(text) * (UNIT_SECONDS[unit] ?? 1))
  return {
    ...values,
    list_uuid: values.list_uuid ?? '',
    offer_uuid: values.offer_uuid ?? '',
    payout_amount: values.payout === 'fixed' && values.payout_amount.trim() !== '' ? values.payout_amount.trim() : null,
    schedule: { ...rest, starts_at: moment(starts), ends_at: moment(ends), hours: always ? null : hoursOf(hours) },
    pacing: {
      ...pace,
      interval_min: seconds(pace.interval_min),
      interval_max: seconds(pace.interval_max),
      ...numbersOf<RecoldBody['pacing'], (typeof PACING_NUMBERS)[number]>(pace, PACING_NUMBERS),
      per_geo: Object.fromEntries(geos.flatMap(({ country, most }) => (country === null ? [] : [[country, typedNumber(most)]]))),
    },
    data: {
      ...data,
      fields: Object.fromEntries(
        DATA_FIELDS.flatMap((field) => {
          const { use, value } = data.fields[field]
          if (use === 'captured') return []
          return [[field, use === 'declared' ? { use, value } : { use }]]
        }),
      ),
    },
    skip: { call_statuses: skip.call_statuses, ...numbersOf<RecoldBody['skip'], (typeof SKIP_NUMBERS)[number]>(skip, SKIP_NUMBERS) },
  }
}

function textsOf<Name extends string>(of: Readonly<Record<Name, number | null>>, names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, of[name] === null ? '' : String(of[name])])) as Record<Name, string> // of every name
}

/** An empty one is none: where one is needed the server says so at its field. */
function numbersOf<Of, Name extends keyof Of & string>(texts: Readonly<Record<Name, string>>, names: readonly Name[]): Pick<Of, Name> {
  return Object.fromEntries(names.map((name) => [name, typedNumberOrNull(texts[name])])) as Pick<Of, Name> // of every name
}

function fieldValues(fields: RecoldDetail['data']['fields']): FieldValues {
  return Object.fromEntries(
    DATA_FIELDS.map((field) => {
      const told = fields[field] ?? { use: 'captured' }
      return [field, { use: told.use, value: told.use === 'declared' ? told.value : '' }]
    }),
  ) as FieldValues // of every field
}

type Hours = NonNullable<RecoldDetail['schedule']['hours']>

/** Days with the same window stand together. */
function windowsOf(hours: Hours): WindowValues[] {
  const windows = new Map<string, WindowValues>()
  for (const [day, spans] of hours.entries())
    for (const { from, until } of spans) {
      const window = windows.get(`${from}-${until}`) ?? { days: [], from: clockText(from), until: clockText(until) }
      window.days.push(String(day))
      windows.set(`${from}-${until}`, window)
    }
  return [...windows.values()]
}

function hoursOf(windows: readonly WindowValues[]): Hours {
  return Array.from({ length: 7 }, (_, day) =>
    windows
      .filter(({ days }) => days.includes(String(day)))
      .map(({ from, until }) => ({ from: minutesOf(from), until: minutesOf(until) || 1440 })),
  )
}

function clockText(minutes: number): string {
  return `${String(Math.floor(minutes / 60) % 24).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

function minutesOf(clock: string): number {
  const [hours = '0', minutes = '0'] = clock.split(':')
  return Number(hours) * 60 + Number(minutes)
}
