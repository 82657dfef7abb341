import { sql } from 'kysely'
import type { OfferInput } from '#contract/offers/offer-fields.ts'
import { blankAdvertiser } from '#contract/people/advertiser.ts'
import { blankAffiliate } from '#contract/people/affiliate.ts'
import { blankManager } from '#contract/people/manager.ts'
import { generalSetting } from '#contract/network/setting.ts'
import { createCurrency, setCurrencyActive } from '#server/features/money/currency/currency.service.ts'
import { changeAdvertiserStatus, createAdvertiser } from '#server/features/people/advertiser/advertiser.service.ts'
import { createAffiliate } from '#server/features/people/affiliate/affiliate.service.ts'
import { openSession, findActor } from '#server/features/people/auth/session.service.ts'
import { changeManagerStatus, createManager } from '#server/features/people/manager/manager.service.ts'
import { getGeneralSettings, storeSetting } from '#server/features/network/setting/setting.queries.ts'
import { firstStepsSetting } from '#contract/network/dashboard.ts'
import { saveSetting } from '#server/features/network/setting/setting.service.ts'
import type { Actor } from '#server/access/actor.ts'
import type { FileStore } from '#server/platform/files/store.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { hashPassword } from '#server/platform/secret.ts'
import { makeApplications, makeInvitations, makeReferrals, openRegistration } from './applications.ts'
import { makeOffers } from './catalogue.ts'
import { makeCompany, type Sources } from './money/company.ts'
import type { TicketPeople } from './tickets/make.ts'
import { ADMIN, ADVERTISERS, AFFILIATES, LISTED_ADDRESS, MANAGER_EMAILS, STAFF } from './people.ts'

export type DemoLogin = { role: string; email: string; password: string }

export type DemoNetwork = {
  logins: DemoLogin[]
  admin: Actor
  /** Who writes tickets. */
  people: TicketPeople
  /** Numeric ids of affiliates in the order of the demo's list. */
  affiliates: number[]
  /** Where payments leave from. */
  sources: Sources
  /** Numeric id of an offer → its place in the demo's list. */
  offers: Map<number, number>
}

/** What the demo network is called. */
export const DEMO_TITLE = 'Ohma Demo'

/** Everybody's password in the demo network: it is on this machine only, and printed at every start. */
export const PASSWORD = 'ohma-demo'

/** The contracts of advertisers that are gone ended so long ago, and the traffic of affiliates that are. */
export const ENDED_DAYS = 8

/** Makes people, offers and rates of the demo network as of `at`; the last decisions fall before `now`. `scale`: clicks against those caps are meant for. */
export async function makeNetwork(
  { db, store }: { db: Db; store: FileStore },
  { at, now, scale }: { at: number; now: number; scale: number },
): Promise<DemoNetwork> {
  const admin = await makeAdmin(db, at)
  await saveSetting(db, at, admin, generalSetting, {
    ...(await getGeneralSettings(db)),
    partner_title: DEMO_TITLE,
    time_zone: 'Europe/Kyiv',
    contact_email: 'hello@ohma.example',
  })
  // mail goes nowhere from a demo: that step would never be done
  await storeSetting(db, at, firstStepsSetting.key, { dismissed: true })
  await setCurrencyActive(db, at, admin, 'JPY', true)
  await createCurrency(db, at, admin, { code: 'USDT', name: 'Tether', sign: '₮', decimals: 2 })
  await makeRates(db, now)
  const sources = await makeCompany(db, at, admin)
  const staff = await makeStaff(db, at, admin)
  const owners = MANAGER_EMAILS.map((email) => staff.get(email) ?? '')
  const actors = await actorsOf(db, at, MANAGER_EMAILS)

  const advertisers = new Map<string, { uuid: string; id: number; currency: OfferInput['currency'] }>()
  const managers = new Map<string, Actor>()
  for (const [place, { name, email, currency, country, vat, auth = 'token', words = [] }] of ADVERTISERS.entries()) {
    const company = { name, vat_id: vat, registration_number: '', ...addressAt(place), country }
    const manager_uuid = owners[place % owners.length] ?? null
    const made = await createAdvertiser(db, at, admin, {
      ...blankAdvertiser,
      name,
      email,
      manager_uuid,
      company,
      currency,
      postback_auth: auth,
      allowed_ips: auth === 'token' ? [] : [LISTED_ADDRESS],
      postback_words: words,
    })
    advertisers.set(name, { ...made, currency })
    managers.set(name, actors[place % actors.length] ?? admin)
  }
  await openRegistration(db, at, admin)
  const affiliates: { uuid: string; id: number }[] = []
  const madeAt: number[] = []
  for (const [place, partner] of AFFILIATES.entries()) {
    const isNew = partner.status === 'moderation' || partner.status === 'unverified'
    const manager_uuid = isNew ? null : (owners[place % owners.length] ?? null)
    const made = isNew ? now - (1 + (place % 7)) * 7_200_000 : at + place * 86_400_000
    madeAt.push(made)
    affiliates.push(await createAffiliate(db, made, admin, { ...blankAffiliate, ...partner, manager_uuid }, null))
  }
  await makeReferrals(db, admin, affiliates, madeAt)
  await makeApplications(db, affiliates, madeAt)
  await makeInvitations(db, now, actors)
  const offers = await makeOffers({ db, store }, { at, now, scale, admin, managers, affiliates, advertisers })
  for (const status of ['inactive', 'deleted'] as const) {
    const uuids = ADVERTISERS.filter((one) => one.status === status).map(({ name }) => advertisers.get(name)?.uuid ?? '')
    await changeAdvertiserStatus(db, now - ENDED_DAYS * 86_400_000, admin, { uuids, status })
  }

  // one slow hash for all of them: everybody has the same password
  await db
    .updateTable('account')
    .set({ password_hash: await hashPassword(PASSWORD) })
    .execute()
  await db.deleteFrom('one_time_link').execute()
  const writers = AFFILIATES.flatMap(({ email, status }) => (status === 'active' ? [email] : []))
  const people: TicketPeople = {
    admin,
    head: only(await actorsOf(db, now, ['head@ohma.example'])),
    managers: actors,
    affiliates: await actorsOf(db, now, writers),
  }
  await signInAll(db, now)
  const login = (role: string, email: string) => ({ role, email, password: PASSWORD })
  return {
    admin,
    people,
    logins: [
      login('admin', ADMIN.email),
      login('head', 'head@ohma.example'),
      login('manager', 'manager@ohma.example'),
      login('team lead', 'lead@ohma.example'),
      login('affiliate', AFFILIATES[0]?.email ?? ''),
    ],
    affiliates: affiliates.map(({ id }) => id),
    sources,
    offers,
  }
}

async function makeAdmin(db: Db, at: number): Promise<Actor> {
  const account = await db
    .insertInto('account')
    .values({ role: 'admin', email: ADMIN.email, name: ADMIN.name, time_zone: 'Europe/Kyiv', created_at: new Date(at) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('manager').values({ account_id: account.id, type: 'head' }).execute()
  return actorOf(db, at, account.id)
}

async function actorOf(db: Db, at: number, accountId: number): Promise<Actor> {
  const { token } = await openSession(db, at, { accountId, device: 'demo generator', address: '' })
  const actor = await findActor(db, token, at, '')
  if (actor === undefined) throw new Error('nobody of the demo network can sign in')
  await db.deleteFrom('session').execute()
  return actor
}

async function actorsOf(db: Db, at: number, emails: readonly string[]): Promise<Actor[]> {
  const accounts = await db.selectFrom('account').select(['id', 'email']).where('email', 'in', emails).execute()
  const ids = emails.flatMap((email) => accounts.filter((one) => one.email === email).map(({ id }) => id))
  const actors: Actor[] = []
  for (const id of ids) actors.push(await actorOf(db, at, id))
  return actors
}

function only(actors: readonly Actor[]): Actor {
  const [actor] = actors
  if (actor === undefined) throw new Error('somebody of the demo network is missing')
  return actor
}

/** Answers uuids by e-mail. Team leads come before their teams in the list. */
async function makeStaff(db: Db, at: number, admin: Actor): Promise<Map<string, string>> {
  const made = new Map<string, string>()
  for (const { name, email, role, type, lead } of STAFF) {
    const team_lead_uuid = lead === undefined ? null : (made.get(lead) ?? null)
    const contacts = { skype: '', telegram: `ohma_${email.split('@')[0]}`, linkedin: '' }
    const { uuid } = await createManager(
      db,
      at,
      admin,
      { ...blankManager, name, email, role, type, team_lead_uuid, contacts, time_zone: 'Europe/Kyiv' },
      null,
    )
    made.set(email, uuid)
  }
  for (const status of ['blocked', 'deleted'] as const) {
    const uuids = STAFF.filter((one) => one.status === status).map(({ email }) => made.get(email) ?? '')
    await changeManagerStatus(db, at + 20 * 86_400_000, admin, { uuids, status, hand_over: {} })
  }
  return made
}

/** What one unit is worth in US dollars, and how far it drifts over the months. */
const RATES: Readonly<Record<string, readonly [number, number]>> = {
  EUR: [1.09, 0.02],
  UAH: [0.0242, 0.0004],
  GBP: [1.27, 0.02],
  PLN: [0.251, 0.004],
  JPY: [0.0066, 0.0001],
  USDT: [1, 0.0006],
}

/** A rate a day for the last hundred days, drawn as a slow wave so that it is the same every time. */
async function makeRates(db: Db, now: number): Promise<void> {
  const rows = Object.entries(RATES).flatMap(([code, [middle, swing]]) =>
    Array.from({ length: 100 }, (_none, age) => ({
      base: 'USD' as const,
      currency: code,
      day: new Date(now - age * 86_400_000).toISOString().slice(0, 10),
      rate: (middle + swing * Math.sin(age / 9 + middle)).toFixed(8),
    })),
  )
  await db.insertInto('currency_rate').values(rows).execute()
}

/** When everybody was here last: who works within the last two days, whose traffic ended before it did; who was never let in never. */
async function signInAll(db: Db, now: number): Promise<void> {
  await sql`
    update account a set last_login_at = ${new Date(now)}::timestamptz - case
             when f.status is null or f.status = 'active' then interval '17 minutes' * (1 + a.id * 37 % 170)
             else interval '1 day' * (${ENDED_DAYS} + a.id % 3) end
      from account b left join affiliate f on f.account_id = b.id
     where b.id = a.id and (f.status is null or f.status in ('active', 'inactive', 'banned'))`.execute(db)
}

/** Where the company of an advertiser is: invoices need it. */
function addressAt(place: number): { address: string; city: string; postal_code: string } {
  const [street, city, postal_code] = ADDRESSES[place % ADDRESSES.length] ?? ['', '', '']
  return { address: `${street} ${7 + place * 4}`, city, postal_code }
}

const ADDRESSES: readonly (readonly [string, string, string])[] = [
  ['Market Street', 'Northbridge', '10243'],
  ['Harbour Road', 'Port Ellen', '3036'],
  ['Station Road', 'Alder Hill', '40111'],
  ['Mill Lane', 'Westbrook', '1010'],
]
