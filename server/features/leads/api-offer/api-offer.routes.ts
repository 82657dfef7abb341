import { apiOfferApi } from '#contract/leads/api-offer.ts'
import { affiliateOf, type Actor } from '#server/access/actor.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { refuseUnknownPlaces } from '#server/features/offers/offer/offer-check.ts'
import { changeOffer, createOffer } from '#server/features/offers/offer/offer.service.ts'
import { routeSendParts } from '../send/send-parts.ts'
import { presentChoice } from './api-offer.present.ts'
import { formOfLeads, showApiOffer, showPartnerLeads, simulateLead } from './api-offer.service.ts'
import { searchProducts } from './lead-parts.queries.ts'
import { readNeeds } from './version.queries.ts'
import { showTest, testOffer } from './lead-test.service.ts'

/** Offers of leads: what direct links have not. */
export function routes(app: HttpApp, routeParts: RouteParts): void {
  const { db, geoChoices: choices } = routeParts
  const { clock } = app
  const parts = routeSendParts(app, routeParts)
  const detail = (actor: Actor, key: string) => showApiOffer(db, choices, clock.now(), actor.scope, key)

  implement(app, apiOfferApi, {
    get: ({ params, actor }) => detail(actor, params.uuid),
    create: async ({ body, actor }) => {
      await refuseUnknownPlaces(choices, body.targeting)
      const { id } = await createOffer(db, clock.now(), actor, formOfLeads(body))
      return detail(actor, String(id))
    },
    update: async ({ params, body: { version, confirm, ...body }, actor }) => {
      await refuseUnknownPlaces(choices, body.targeting)
      await changeOffer(db, clock.now(), actor, params.uuid, { ...formOfLeads(body), version, confirm })
      return detail(actor, params.uuid)
    },
    products: async ({ body, actor }) => {
      const found = await searchProducts(db, actor.scope, body.search, body.integration_type)
      const needs = await readNeeds(db, found)
      return { list: found.map((row) => presentChoice(row, needs(row))) }
    },
    simulate: ({ params, body, actor }) => simulateLead(db, clock.now(), actor, params.uuid, body),
    test: ({ params, body, actor }) => testOffer(parts, actor, params.uuid, body),
    testGet: ({ params, actor }) => showTest(parts, actor, params.uuid),
    partner: ({ params, actor }) => showPartnerLeads(db, clock.now(), affiliateOf(actor), params.uuid),
  })
}
