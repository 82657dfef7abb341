import { offerApi } from '#contract/offers/offer.ts'
import { AppError } from '#server/platform/errors.ts'
import { figuresFor } from '#server/features/traffic/report/figures.service.ts'
import { whenGone } from '#server/platform/http/when-gone.ts'
import type { Actor } from '#server/access/actor.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { listAccess } from '../access/access.queries.ts'
import { addAffiliates, decideAccess, undoAccess } from '../access/access.service.ts'
import { buildAffiliateLink } from '../link/link.service.ts'
import { affiliateCaps } from '../partner-offer/affiliate-cap.service.ts'
import { showOffer } from './offer-detail.service.ts'
import { listOfferChanges, undoChange } from './offer-history.service.ts'
import { changeOfferStatus, removeDraft, renewOfferToken } from './offer-status.service.ts'
import { presentAccess, presentChange, presentOffer } from './offer.present.ts'
import { getOffer, listOfferOptions, listOffers } from './offer.queries.ts'
import { networkNames, targetingsIn } from './network-names.ts'
import { refuseUnknownPlaces } from './offer-check.ts'
import { changeCap, changeOffer, createOffer, duplicateOffer } from './offer.service.ts'
import { makeTestLink, simulateClick } from './simulation.service.ts'

/** Offers as staff manage them. */
export function routes(app: HttpApp, parts: RouteParts): void {
  const { db, geoChoices: choices, config } = parts
  const { clock } = app

  const detail = (actor: Actor, key: string) => showOffer(db, choices, clock.now(), actor.scope, key)

  implement(app, offerApi, {
    places: async ({ body: { kind, search, countries } }) => {
      if (kind !== undefined) return { list: await choices.find(kind, search, countries) }
      const regions = await choices.find('region', search, countries)
      return { list: [...regions.slice(0, 10), ...(await choices.find('city', search, countries))].slice(0, 20) }
    },

    networks: async ({ body }) => ({ list: await choices.find('network', body.search) }),

    list: async ({ body, actor, reply }) => {
      const book = await figuresFor(parts, { now: clock.now(), actor, signal: whenGone(reply) }, 'offer', body)
      const { rows, list, ids } = await listOffers(db, actor.scope, body, book?.rank)
      return {
        list: list.map((row) => ({ ...presentOffer(row), figures: book?.of(row.id) ?? null })),
        summary: { rows, totals: book?.totals(ids) },
      }
    },

    get: ({ params, actor }) => detail(actor, params.uuid),

    create: async ({ body, actor }) => {
      await refuseUnknownPlaces(choices, body.targeting)
      const { id } = await createOffer(db, clock.now(), actor, body)
      return detail(actor, String(id))
    },

    update: async ({ params, body, actor }) => {
      await refuseUnknownPlaces(choices, body.targeting)
      await changeOffer(db, clock.now(), actor, params.uuid, body)
      return detail(actor, params.uuid)
    },

    setStatus: ({ body, actor }) => changeOfferStatus(db, clock.now(), actor, body),

    setCap: async ({ params, body, actor }) => {
      await changeCap(db, clock.now(), actor, params.uuid, body)
      return { changed: 1 }
    },

    remove: async ({ params, actor }) => {
      await removeDraft(db, clock.now(), actor, params.uuid)
      return {}
    },

    duplicate: ({ params, actor }) => duplicateOffer(db, clock.now(), actor, params.uuid),

    options: async ({ body, actor }) => ({ list: await listOfferOptions(db, actor.scope, body.search, body.type) }),

    renewToken: async ({ params, body, actor }) => ({
      postback_token: await renewOfferToken(db, clock.now(), actor, params.uuid, body.own),
    }),

    accessList: async ({ body, actor }) => {
      const { rows, list } = await listAccess(db, actor.scope, body)
      return { list: list.map(presentAccess), summary: { rows } }
    },

    affiliateCaps: ({ body, actor }) => affiliateCaps(db, clock.now(), actor.scope, body),

    decideAccess: async ({ body: { entries, ...decision }, actor }) => {
      const now = clock.now()
      return { changed: await decideAccess(db, now, actor, entries, decision), decided_at: new Date(now).toISOString() }
    },

    undoAccess: async ({ body, actor }) => ({
      changed: await undoAccess(db, clock.now(), actor, body.entries, new Date(body.decided_at)),
    }),

    addAffiliates: async ({ params, body, actor }) => ({
      changed: await addAffiliates(db, clock.now(), actor, params.uuid, body.affiliate_uuids),
    }),

    simulate: ({ params, body, actor }) => simulateClick(db, clock.now(), actor, params.uuid, body),

    testLink: async ({ params, body, actor }) => {
      const { url, expiresAt } = await makeTestLink(db, clock.now(), actor, params.uuid, body, config)
      return { url, expires_at: new Date(expiresAt).toISOString() }
    },

    affiliateLink: ({ params, body, actor }) => buildAffiliateLink(db, clock.now(), actor, params.uuid, body, config),

    history: async ({ params, body, actor }) => {
      const offer = await getOffer(db, actor.scope, params.uuid)
      // it names affiliates and addresses of the advertiser
      if (!offer?.editable) throw new AppError('not_found')
      const { rows, list } = await listOfferChanges(db, clock.now(), actor.scope, offer.id, body)
      return {
        list: await Promise.all(list.map(async (change) => presentChange(change, await networkNames(choices, targetingsIn(change))))),
        summary: { rows },
      }
    },

    undo: async ({ params, body, actor }) => {
      await undoChange(db, clock.now(), actor, params.uuid, body.id)
      return detail(actor, params.uuid)
    },
  })
}
