import { apiOfferInput, OPEN_TERMS, type ApiOfferInput } from '#contract/leads/api-offer.ts'
import { INTEGRATION_TYPES, type IntegrationType } from '#contract/leads/integration-type.ts'
import type { Actor } from '#server/access/actor.ts'
import { formOfLeads } from '#server/features/leads/api-offer/api-offer.service.ts'
import { createIntegration, publishIntegration } from '#server/features/leads/integration/integration.service.ts'
import { getIntegration } from '#server/features/leads/integration/integration.queries.ts'
import { getPublished, insertProduct } from '#server/features/leads/product/product.queries.ts'
import { sealAccount } from '#server/features/leads/product/account.service.ts'
import { changeOfferStatus } from '#server/features/offers/offer/offer-status.service.ts'
import { createOffer } from '#server/features/offers/offer/offer.service.ts'
import type { Db } from '#server/platform/pg/database.ts'

import { goal, offer, offerForm, rate } from './catalogue/plan.ts'

const DAY = 86_400_000
/** From nine to six, Monday to Saturday. */
const OFFICE = [...Array.from({ length: 6 }, () => [{ from: 540, until: 1080 }]), []]

type Member = ApiOfferInput['groups'][number]['members'][number]
type Seller = { advertiser: string; title: string; host: string; zone: string; terms: Partial<Member>; untested?: true }
type Plan = {
  type: IntegrationType
  preset: string
  system: string
  title: string
  vertical: string
  geos: string
  wait: number
  groups: { strategy: ApiOfferInput['groups'][number]['strategy']; sellers: Seller[] }[]
}

const price = (goalCode: string, geos: string[], amount: string, payout: string | null = null) => ({
  goal: goalCode,
  geos,
  price: amount,
  payout,
})

const PLANS: readonly Plan[] = [
  {
    type: 'nutra_cod',
    preset: 'adcombo',
    system: 'Vitalis order desk',
    title: 'Artrolux Cream, cash on delivery',
    vertical: 'nutra',
    geos: 'IT 40 ES 30 PL 30',
    wait: 24,
    groups: [
      {
        strategy: 'priority',
        sellers: [
          {
            advertiser: 'Vitalis Pharma',
            title: 'Vitalis Europe',
            host: 'https://api.vitalis.example',
            zone: 'Europe/Rome',
            terms: {
              geos: ['IT', 'ES'],
              hours: OFFICE,
              caps: [{ period: 'day', limit: 120 }],
              prices: [price('sale', ['IT'], '27', '19'), price('sale', [], '24', '17')],
            },
          },
          {
            advertiser: 'Bellanova Labs',
            title: 'Bellanova Baltic',
            host: 'https://leads.bellanova.example',
            zone: 'Europe/Tallinn',
            terms: {
              caps: [
                { period: 'day', limit: 60 },
                { period: 'month', limit: 1200 },
              ],
              prices: [price('sale', [], '22', '16')],
            },
          },
        ],
      },
    ],
  },
  {
    type: 'finance_trading',
    preset: 'irev',
    system: 'Finova lead desk',
    title: 'Finova Invest, deposits',
    vertical: 'finance',
    geos: 'DE 45 AT 20 PL 35',
    wait: 12,
    groups: [
      {
        strategy: 'weight',
        sellers: [
          {
            advertiser: 'Finova Bank',
            title: 'Finova DACH desk',
            host: 'https://crm.finova.example',
            zone: 'Europe/Berlin',
            terms: {
              weight: 3,
              geos: ['DE', 'AT'],
              hours: OFFICE,
              caps: [{ period: 'day', limit: 40 }],
              prices: [price('ftd', [], '640', '470')],
            },
          },
          {
            advertiser: 'Kredyt24',
            title: 'Kredyt24 Invest',
            host: 'https://leads.kredyt24.example',
            zone: 'Europe/Warsaw',
            terms: { weight: 1, geos: ['PL'], prices: [price('ftd', [], '520', '390')] },
          },
        ],
      },
      {
        strategy: 'round_robin',
        sellers: [
          {
            advertiser: 'SafeDrive Insurance',
            title: 'SafeDrive overflow',
            host: 'https://in.safedrive.example',
            zone: 'Europe/Madrid',
            terms: { on_reject: 'stop', repeat_days: 90, prices: [price('ftd', [], '430', '330')] },
          },
        ],
      },
    ],
  },
]

/** Two API offers, with the systems their products are sent by. Nobody answers there: their tests are taken as accepted. */
export async function makeLeads(db: Db, secretKey: string, now: number, admin: Actor): Promise<void> {
  const at = now - 40 * DAY
  for (const [place, plan] of PLANS.entries()) {
    const { type, preset, system } = plan
    const draft = await createIntegration(db, at, admin, { title: system, type, notes: '', preset, copy_of: null })
    await publishIntegration(db, at, admin, draft.uuid, draft.version)
    const integration = await getIntegration(db, draft.uuid)
    const version = integration === undefined ? undefined : await getPublished(db, integration.id, 1)
    if (integration === undefined || version === undefined) throw new Error(`the demo has no integration ${system}`)
    const groups: ApiOfferInput['groups'] = []
    for (const { strategy, sellers } of plan.groups) {
      const members: Member[] = []
      for (const seller of sellers)
        members.push(await makeMember(db, seller, { at, secretKey, integrationId: integration.id, versionId: version.id }))
      groups.push({ strategy, least_sample: 50, explore: 10, members })
    }
    const goals = INTEGRATION_TYPES[type].goals
    const main = goals.find(({ isPaid }) => isPaid) ?? goals[0]
    const { landings: _landings, ...shared } = offerForm(
      {
        ...offer(
          {
            title: plan.title,
            advertiser: '',
            vertical: plan.vertical,
            geos: plan.geos,
            rate: 0,
            weight: 0,
            sources: '',
            goals: goals.map((one) => goal(one.code, one.title, 'CPA', [rate(one === main ? '15' : '0', '0')])),
          },
          { privacy: 'public' },
        ),
        title: plan.title,
      },
      { place, now, scale: 1, currency: type === 'nutra_cod' ? 'USD' : 'EUR', advertiser: '', affiliates: [], landings: [] },
    )
    const form = { ...shared, tracking_url: '', preview_url: '', integration_type: type, wait_hours: plan.wait, repeat_days: null, groups }
    const made = await createOffer(db, at, admin, formOfLeads(apiOfferInput.parse(withoutAdvertiser(form, main?.code))))
    await changeOfferStatus(db, at + DAY, admin, { uuids: [made.uuid], status: 'active', confirm: [] })
  }
}

function withoutAdvertiser<Form extends { goals: { code: string }[] }>(form: Form, main: string | undefined) {
  const { advertiser_uuid: _advertiser, ...rest } = form as Form & { advertiser_uuid?: string }
  return { ...rest, goals: form.goals.map((one) => ({ ...one, is_default: one.code === main })) }
}

async function makeMember(
  db: Db,
  { advertiser, title, host, zone, terms }: Seller,
  of: { at: number; secretKey: string; integrationId: number; versionId: number },
): Promise<Member> {
  const when = new Date(of.at)
  const { uuid } = await db.transaction().execute(async (trx) => {
    const { id } = await trx.selectFrom('advertiser').select('id').where('name', '=', advertiser).executeTakeFirstOrThrow()
    return insertProduct(trx, {
      advertiser_id: id,
      title,
      integration_id: of.integrationId,
      version_id: of.versionId,
      host,
      time_zone: zone,
      credentials: sealAccount(of.secretKey, {}),
      tested_version_id: of.versionId,
      tested_at: when,
      created_at: when,
      updated_at: when,
    })
  })
  const { affiliates: _ids, ...open } = OPEN_TERMS
  const blank = { weight: 1, paused: false, ...open, affiliates: { mode: 'all' as const, affiliate_uuids: [] } }
  return { ...blank, product_uuid: uuid, time_zone: zone, ...terms }
}
