import { randomUUID } from 'node:crypto'
import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'
import { receivePostback } from '#server/features/traffic/postback/receive.service.ts'
import { savedViewApi } from '#contract/traffic/view.ts'
import type { TestApi } from './api.ts'
import { makeAdvertiser } from './factories.ts'
import { handOver, makeClick, makeClickKeys, makeOffer, storeClicks } from './money.ts'

export type Stranger = Awaited<ReturnType<typeof makeStranger>>

/** A manager with one row of everything that belongs to somebody: nothing of it lies in the scope of any other manager, team lead or affiliate. */
export async function makeStranger(api: TestApi) {
  const { db } = api
  const lead = await api.as('team lead')
  const manager = await api.as('manager', { teamLeadId: lead.managerId })
  const affiliate = await api.as('affiliate', { managerId: manager.managerId })
  const affiliateId = affiliate.affiliateId ?? 0
  const advertiser = await makeAdvertiser(db, { managerId: manager.managerId })
  const offer = await makeOffer(db, { advertiserId: advertiser.id })
  await db.updateTable('offer').set({ privacy: 'private' }).where('id', '=', offer.id).execute()
  await db
    .insertInto('offer_access')
    .values({ offer_id: offer.id, affiliate_id: affiliateId, status: 'approved', requested_at: new Date(api.clock.now()) })
    .execute()
  const click = makeClick(await makeClickKeys(db), { offerId: offer.id, affiliateId, at: api.clock.now() - 60_000 })
  await storeClicks(api.clickhouse, [click])
  const query = { click_id: click.id, token: offer.token, status: 'pending', transaction_id: 'stranger' }
  const received_at = new Date(api.clock.now()).toISOString()
  await receivePostback({ db, findClick: openClickFinder(api.clickhouse), clock: api.clock }, handOver(query, { received_at }))
  const conversion = await db.selectFrom('conversion').select(['id', 'uuid']).where('offer_id', '=', offer.id).executeTakeFirstOrThrow()
  const incoming = await db.selectFrom('postback_in').select('id').where('offer_id', '=', offer.id).executeTakeFirstOrThrow()
  const postback = await db
    .insertInto('affiliate_postback')
    .values({ affiliate_id: affiliateId, url: 'https://partner.example/pb' })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
  const delivery = await db
    .insertInto('postback_delivery')
    .values({
      postback_id: postback.id,
      affiliate_id: affiliateId,
      conversion_id: conversion.id,
      history_seq: 1,
      method: 'GET',
      url: 'https://partner.example/pb',
      state: 'dead',
      created_at: new Date(api.clock.now()),
    })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
  const file = await db
    .insertInto('file')
    .values({
      uuid: randomUUID(),
      kind: 'landing',
      content_type: 'image/webp',
      size: 1,
      sha256: '',
      width: 1,
      height: 1,
      owner_id: null,
      unowned_since: new Date(api.clock.now()),
      created_by: manager.accountId,
      created_at: new Date(api.clock.now()),
    })
    .returning('uuid')
    .executeTakeFirstOrThrow()
  const session = await db.selectFrom('session').select('uuid').where('account_id', '=', manager.accountId).executeTakeFirstOrThrow()
  const view = await manager.call(savedViewApi.save, { body: { screen: 'affiliates', name: 'Mine', address: 'x=1' } })
  return { lead, manager, affiliate, advertiser, offer, conversion, incoming, postback, delivery, file, session, view: view.data }
}
