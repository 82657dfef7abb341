import { landingApi } from '#contract/offers/landing.ts'
import { may, type Actor } from '#server/access/actor.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { AppError } from '#server/platform/errors.ts'
import { namesOfAffiliates } from '../offer/goal.queries.ts'
import { checkLanding } from './landing-check.service.ts'
import { presentLanding, presentLandingDetail } from './landing.present.ts'
import { getLanding, listLandingOptions, listLandings, offersOfLanding, type LandingRow } from './landing.queries.ts'
import { changeLandingStatus, createLanding, decideLandings, proposeLanding, undoLandings, updateLanding } from './landing.service.ts'
import { listPartnerLandingOptions } from './offer-landing.queries.ts'

/** Landings as staff manage them, and as they are proposed within offers. */
export function routes(app: HttpApp, { db, policy }: RouteParts): void {
  const { clock } = app

  const find = async (actor: Actor, key: string): Promise<LandingRow> => {
    const row = await getLanding(db, actor.scope, key)
    if (row === undefined) throw new AppError('not_found')
    return row
  }
  const detail = async (actor: Actor, key: string) => {
    const row = await find(actor, key)
    const [affiliates, offers] = await Promise.all([namesOfAffiliates(db, actor.scope, row.affiliate_ids), offersOfLanding(db, row.id)])
    return presentLandingDetail(row, affiliates, offers)
  }

  implement(app, landingApi, {
    list: async ({ body, actor }) => {
      const { rows, list } = await listLandings(db, actor.scope, body)
      return { list: list.map(presentLanding), summary: { rows } }
    },

    get: ({ params, actor }) => detail(actor, params.uuid),

    create: async ({ body, actor }) => detail(actor, await createLanding(db, clock.now(), actor, body)),

    update: async ({ params, body, actor }) => {
      await updateLanding(db, clock.now(), actor, params.uuid, body)
      return detail(actor, params.uuid)
    },

    setStatus: async ({ body, actor }) => ({ changed: await changeLandingStatus(db, clock.now(), actor, body) }),

    undo: async ({ body, actor }) => ({ changed: await undoLandings(db, clock.now(), actor, body.uuids) }),

    decide: async ({ body, actor }) => ({
      changed: await decideLandings(db, clock.now(), actor, body.uuids, body.approve, body.reason),
    }),

    check: async ({ params, actor }) => {
      await checkLanding({ db, clock, policy }, await find(actor, params.uuid))
      return detail(actor, params.uuid)
    },

    options: async ({ body, actor }) => ({
      list: await (actor.scope.kind === 'affiliate'
        ? listPartnerLandingOptions(db, actor.scope.affiliateId, body)
        : listLandingOptions(db, actor.scope, body, may(actor, 'offer.write'))),
    }),

    propose: ({ params, body, actor }) => proposeLanding(db, clock.now(), actor, params.uuid, body),
  })
}
