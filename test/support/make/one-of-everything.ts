import { makeColdRule, makeRecold } from '#test/support/make/cold.ts'
import { makeApiOffer, makeProduct } from '#test/support/make/products.ts'
import { makeWaiting } from './invoices.ts'
import type { Role } from '#contract/access.ts'
import { blankNews, newsApi } from '#contract/network/news.ts'
import type { ScreenId } from '#contract/screens.ts'
import { createLink } from '#server/features/people/auth/link.service.ts'
import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'
import { receivePostback } from '#server/features/traffic/postback/incoming/receive.service.ts'
import { sessionCookies } from '#test/support/browser/session-cookies.ts'
import type { TestApi } from '#test/support/run/api.ts'
import { makeAdvertiser } from './factories.ts'
import { makeLanding } from './landings.ts'
import { handOver, makeClick, makeClickKeys, makeOffer, storeClicks } from './money.ts'

type Uuids = Partial<Record<ScreenId, string>>

/** A network that has one of everything in the scope of whoever opens it, and what of it stands at which screen; of a guest only a link to set a password. */
export async function oneOfEverything(api: TestApi, role: Role | undefined) {
  if (role === undefined) {
    const { accountId } = await api.as('manager')
    return { cookies: [], uuids: { setPassword: await createLink(api.db, api.clock.now(), 'set_password', accountId) } as Uuids }
  }
  const person = await api.as(role)
  const manager = await api.as('manager', { teamLeadId: role === 'team lead' ? person.managerId : null })
  const managerId = role === 'manager' ? person.managerId : manager.managerId
  const affiliate = role === 'affiliate' ? person : await api.as('affiliate', { managerId })
  const advertiser = await makeAdvertiser(api.db, { managerId })
  const staff = await api.as('admin')
  const landing = await makeLanding(staff)
  const texts = { en: { title: 'Holidays', text: '<p>We are away for a day.</p>' }, uk: { title: '', text: '' } }
  const news = await staff.call(newsApi.create, { body: { ...blankNews, texts } })
  const offer = await makeOffer(api.db, {
    advertiserId: advertiser.id,
    caps: [{ period: 'day', scope: 'affiliate', measure: 'conversions', limit: '10' }],
  })
  const click = makeClick(await makeClickKeys(api.db), {
    offerId: offer.id,
    affiliateId: affiliate.affiliateId ?? 0,
    at: api.clock.now() - 60_000,
  })
  await storeClicks(api.clickhouse, [click])
  const received_at = new Date(api.clock.now()).toISOString()
  const parts = { db: api.db, findClick: openClickFinder(api.clickhouse), clock: api.clock }
  await receivePostback(parts, handOver({ click_id: click.id, token: offer.token, transaction_id: click.id }, { received_at }))
  const conversion = await api.db.selectFrom('conversion').select('uuid').where('offer_id', '=', offer.id).executeTakeFirstOrThrow()
  const invoice = await makeWaiting(api.db, affiliate.affiliateId ?? 0, new Date(api.clock.now()))
  const product = await makeProduct(api.db, advertiser.id, api.clock.now())
  const apiOffer = await makeApiOffer(api.db, product.id)
  const leadList = await api.db
    .insertInto('lead_list')
    .values({ title: 'Unsold', manager_id: person.managerId, created_at: new Date(api.clock.now()), updated_at: new Date(api.clock.now()) })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
  const recold = await makeRecold(api.db, api.clock.now(), {
    list_id: leadList.id,
    offer_id: apiOffer.id,
    affiliate_id: affiliate.affiliateId ?? 0,
    manager_id: person.managerId,
  })
  await makeColdRule(api.db, api.clock.now(), { manager_id: person.managerId, list: leadList })
  const uuids: Uuids = {
    recold: recold.uuid,
    leadListAddSession: leadList.uuid,
    leadListAddConversion: leadList.uuid,
    leadListAdd: leadList.uuid,
    leadListSession: leadList.uuid,
    leadListConversion: leadList.uuid,
    leadListDetails: leadList.uuid,
    offerEditDirect: offer.uuid,
    offerDetailDirect: offer.uuid,
    offerEditApi: apiOffer.uuid,
    offerDetailApi: apiOffer.uuid,
    partnerOffer: offer.uuid,
    partnerOfferApi: apiOffer.uuid,
    landingEdit: landing.uuid,
    affiliateEdit: affiliate.uuid,
    advertiserEdit: advertiser.uuid,
    managerEdit: manager.uuid,
    statisticConversionDetail: conversion.uuid,
    statisticApiConversionDetail: conversion.uuid,
    newsEdit: news.data.uuid,
    invoiceEdit: invoice.uuid,
    invoiceDelete: invoice.uuid,
    invoiceDetail: invoice.uuid,
    integrationEdit: product.integration,
  }
  return { cookies: sessionCookies(api.url, { ...person, role }), uuids }
}
