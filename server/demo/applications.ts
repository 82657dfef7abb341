import { LEGAL_KINDS } from '#contract/network/legal.ts'
import { affiliateSetting } from '#contract/people/affiliate-setting.ts'
import { referralSetting } from '#contract/people/referral.ts'
import { registrationSetting, type Question } from '#contract/people/registration.ts'
import type { Actor } from '#server/access/actor.ts'
import { listCurrentTexts } from '#server/features/network/legal/legal.queries.ts'
import { acceptTexts, publishText } from '#server/features/network/legal/legal.service.ts'
import { saveSetting } from '#server/features/network/setting/setting.service.ts'
import { insertApplication } from '#server/features/people/application/application.queries.ts'
import { insertInvitation } from '#server/features/people/application/invitation.queries.ts'
import { storeCode } from '#server/features/people/referral/referral.queries.ts'
import { addVisit } from '#server/features/people/referral/visit.queries.ts'
import { attachReferrer } from '#server/features/people/referral/referral.service.ts'
import { hashToken, newToken } from '#server/platform/secret.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { ENGLISH } from './legal/english.ts'
import { UKRAINIAN } from './legal/ukrainian.ts'
import { AFFILIATES } from './people.ts'

const said = (en: string, uk: string) => ({ en, uk })

const QUESTIONS: Question[] = [
  {
    id: 'volume',
    kind: 'choice',
    required: true,
    text: said('How many clicks do you send a day?', 'Скільки кліків на день ви приводите?'),
    options: [said('Up to 1,000', 'До 1000'), said('1,000 to 10,000', 'Від 1000 до 10 000'), said('More than 10,000', 'Понад 10 000')],
  },
  {
    id: 'networks',
    kind: 'line',
    required: false,
    text: said('Which networks do you work with?', 'З якими мережами ви працюєте?'),
    options: [],
  },
  {
    id: 'plan',
    kind: 'paragraph',
    required: true,
    text: said('What would you like to promote, and how?', 'Що і як ви хочете просувати?'),
    options: [],
  },
]

/** What applicants wrote, in turn: how much they send, whom they know, what they plan. */
const ANSWERS: readonly (readonly [volume: number, networks: string, plan: string])[] = [
  [
    1,
    'Two smaller CPA networks, by agreement not named',
    'Beauty and pharmacy offers by short videos. Own creatives, about 40 a month, tested on 200 USD each before I scale.',
  ],
  [
    0,
    '',
    'A comparison site for bank cards, 60,000 readers a month, all from search. I look for one loan and one insurance offer per country.',
  ],
  [
    2,
    'PropellerAds and two in-house programs',
    'Push and native on tier 2 and tier 3 geos. I need postbacks with sub5 and daily caps of at least 300.',
  ],
  [1, 'Admitad', 'Dating in Turkey. In-app and push, own tracker. Happy to start with a cap of 50 leads a day.'],
  [0, 'None so far', 'I write a blog about games and have a channel with 18,000 subscribers. I would place one offer a week.'],
  [2, 'Several, list on request', 'Mailing to own base of 400,000 double opt-in addresses, finance and sweepstakes.'],
]

const DAY = 86_400_000

/** Whom managers invited, so many days ago; those older than two weeks came to nothing. */
const INVITED: readonly (readonly [email: string, days: number, revoked?: true])[] = [
  ['hello@kyivbloggers.example', 1],
  ['media@adriatic.example', 2],
  ['team@pushkings.example', 3, true],
  ['oksana@reviewhub.example', 5],
  ['traffic@hanse.example', 6],
  ['partners@lowcost.example', 8, true],
  ['joao@ofertas.example', 11],
  ['info@bonuspage.example', 19],
  ['ads@nordpanel.example', 23],
  ['office@leadfarm.example', 27],
]

/** Invitations of the managers who look after affiliates. Nobody holds their links. */
export async function makeInvitations(db: Db, now: number, managers: readonly Actor[]): Promise<void> {
  for (const [place, [email, days, revoked]] of INVITED.entries()) {
    const by = managers[place % managers.length]
    const at = now - days * DAY
    await insertInvitation(db, {
      token_hash: hashToken(newToken()),
      email,
      language: place % 3 === 0 ? 'uk' : 'en',
      manager_id: by?.managerId ?? null,
      invited_by: by?.accountId ?? null,
      mailed: false,
      created_at: new Date(at),
      expires_at: new Date(at + 14 * DAY),
      revoked_at: revoked ? new Date(at + DAY / 2) : null,
    })
  }
}

/** Registration as the demo network has it: moderated, with questions, and the three texts in both languages. */
export async function openRegistration(db: Db, at: number, admin: Actor): Promise<void> {
  const { defaults } = registrationSetting
  const fields = { ...defaults.fields, phone: 'required', telegram: 'optional', currency: 'optional' } as const
  await saveSetting(db, at, admin, registrationSetting, { ...defaults, fields, questions: QUESTIONS, version: 0 })
  await saveSetting(db, at, admin, affiliateSetting, { ...affiliateSetting.defaults, manager: 'in_turn', version: 0 })
  const [first, later] = [at, at + 20 * DAY]
  for (const [language, texts] of [
    ['en', ENGLISH],
    ['uk', UKRAINIAN],
  ] as const) {
    for (const kind of LEGAL_KINDS)
      await publishText(db, first, admin, { kind, language, version: 0, html: texts[kind], note: 'First version' })
    const changed = texts.terms.replace(/(\d+) (днів|days)/, '45 $2')
    await publishText(db, later, admin, {
      kind: 'terms',
      language,
      version: 1,
      html: changed,
      note: 'Differences can be reported for 45 days instead of 30',
    })
  }
}

/** Who of the list brings others, by which code, and whom besides those who sign up lately; the second was brought by the first. */
const REFERRER = { place: 0, code: 'mediaplus', brought: [7, 12, 15, 21, 26, 29] } as const
const SECOND_REFERRER = { place: 7, code: 'bazarleads', brought: [10, 14, 18] } as const

/** A referral programme, and who came by it: most of them by the affiliate whose login is printed. */
export async function makeReferrals(db: Db, admin: Actor, affiliates: readonly { id: number }[], times: readonly number[]): Promise<void> {
  await saveSetting(db, times[0] ?? 0, admin, referralSetting, {
    on: true,
    percent: '5',
    percent2: '2',
    percent3: '0',
    months: 12,
    tags: [],
    version: 0,
  })
  await db.transaction().execute(async (trx) => {
    for (const { place: by, code, brought } of [REFERRER, SECOND_REFERRER]) {
      const referrer = affiliates[by]
      if (referrer !== undefined) {
        await storeCode(trx, referrer.id, code)
        await makeVisits(trx, referrer.id, Math.max(...times))
      }
      for (const place of brought) {
        const [affiliate, at] = [affiliates[place], times[place]]
        if (affiliate !== undefined && at !== undefined) await attachReferrer(trx, at, affiliate.id, code)
      }
    }
  })
}

/** Who opened the link of an affiliate in the last weeks. */
async function makeVisits(trx: Trx, referrerId: number, now: number): Promise<void> {
  for (let back = 0; back < 30; back++)
    for (let visit = 0; visit < (back * back * 3 + back * 5) % 7; visit++)
      await addVisit(trx, referrerId, new Date(now - back * 86_400_000).toISOString().slice(0, 10))
}

/** What those who signed up by themselves said, in the order of the demo's list: who waits, was refused, or never opened the link. */
export async function makeApplications(db: Db, affiliates: readonly { id: number }[], times: readonly number[]): Promise<void> {
  for (const [place, { status, country, name, traffic_sources }] of AFFILIATES.entries()) {
    const affiliate = affiliates[place]
    const at = times[place]
    if (affiliate === undefined || at === undefined) continue
    if (status !== 'moderation' && status !== 'unverified' && status !== 'rejected') continue
    const [volume, networks, plan] = ANSWERS[place % ANSWERS.length] ?? [0, '', '']
    const texts = [QUESTIONS[0]?.options[volume], networks === '' ? undefined : said(networks, networks), said(plan, plan)]
    const language = country === 'UA' ? 'uk' : 'en'
    const address = `198.51.100.${place + 10}`
    await insertApplication(db, {
      affiliate_id: affiliate.id,
      answers: JSON.stringify(
        QUESTIONS.flatMap(({ text }, index) => {
          const answer = texts[index]
          return answer === undefined ? [] : [{ question: text, values: [answer] }]
        }),
      ),
      source: JSON.stringify(
        place % 3 === 0
          ? { ref: REFERRER.code, referrer: '', landing: `/signup?ref=${REFERRER.code}` }
          : {
              referrer: `https://${name.toLowerCase().replace(/[^a-z]+/g, '') || 'blog'}.example/`,
              landing: `/signup?utm_source=${traffic_sources[0] ?? 'other'}&utm_medium=cpc`,
              utm_source: traffic_sources[0] ?? 'other',
              utm_medium: 'cpc',
            },
      ),
      address,
      device: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Safari/537.36',
      created_at: new Date(at),
      confirmed_at: status === 'unverified' ? null : new Date(at + 240_000),
      decided_at: status === 'rejected' ? new Date(at + DAY) : null,
      reason: status === 'rejected' ? 'We take no traffic of this kind at the moment.' : '',
    })
    if (place % 3 === 0) await db.transaction().execute((trx) => attachReferrer(trx, at, affiliate.id, REFERRER.code))
    const current = await listCurrentTexts(db, language)
    await acceptTexts(
      db,
      at,
      { affiliateId: affiliate.id, address },
      language,
      current.map(({ uuid }) => uuid),
    )
  }
}
