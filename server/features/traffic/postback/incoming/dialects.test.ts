import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PostbackWord } from '#server/rules/conversion/postback-meaning.ts'
import type { ClickIdKeys } from '#server/rules/click/click-id.ts'
import { handOver, makeAffiliateId, makeClick, makeClickKeys, makeOffer, storeClicks, type MadeClick } from '#test/support/make/money.ts'
import { createClickhouseDatabase, type TestClickhouse } from '#test/support/run/clickhouse.ts'
import { cloneDatabase, type TestDatabase } from '#test/support/run/database.ts'
import { openClickFinder } from '../../click/click.queries.ts'
import { receivePostback } from './receive.service.ts'
import { replayIncoming } from './replay.service.ts'

/*
 * What other systems send, through the door that takes it: booked as it was meant, or refused with what to mend; never
 * booked as something else.
 */
const NOW = Date.parse('2026-11-21T10:00:00Z')
const WORDS: PostbackWord[] = [
  { word: 'dep', status: null, goal: 'ftd' },
  { word: 'Queued', status: 'pending', goal: null },
  { word: '3', status: 'declined', goal: null },
]

let database: TestDatabase
let events: TestClickhouse
let keys: ClickIdKeys
let affiliateId: number
let offer: Awaited<ReturnType<typeof makeOffer>>
/** Its advertiser has mapped nothing. */
let plain: Awaited<ReturnType<typeof makeOffer>>

beforeAll(async () => {
  ;[database, events] = await Promise.all([cloneDatabase(), createClickhouseDatabase()])
  keys = await makeClickKeys(database.db)
  affiliateId = await makeAffiliateId(database.db)
  ;[offer, plain] = await Promise.all([makeMany(), makeMany()])
  await database.db
    .updateTable('advertiser')
    .set({ postback_words: JSON.stringify(WORDS) })
    .where('id', '=', offer.advertiserId)
    .execute()
  await database.db
    .insertInto('currency_rate')
    .values({ base: 'USD', currency: 'EUR', day: new Date(NOW).toISOString().slice(0, 10), rate: '2' })
    .execute()
})
afterAll(async () => {
  await database.drop()
  await events.drop()
})

/** An offer with the goals sale (default), ftd, reg, rebill (repeatable) and rev (half of the amount). */
async function makeMany() {
  const made = await makeOffer(database.db)
  const goals = await database.db
    .insertInto('goal')
    .values(
      (['ftd', 'reg', 'rebill', 'rev'] as const).map((code, index) => ({
        offer_id: made.id,
        code,
        title: code,
        type: code === 'rev' ? ('RevShare' as const) : ('CPA' as const),
        repeatable: code === 'rebill',
        position: index + 1,
      })),
    )
    .returning(['id', 'code'])
    .execute()
  await database.db
    .insertInto('payout_rule')
    .values(
      goals.map(({ id, code }) => ({
        offer_id: made.id,
        goal_id: id,
        payout_percent: code === 'rev' ? '50' : '0',
        payout_fixed: code === 'rev' ? '0' : '20',
      })),
    )
    .execute()
  return made
}

const stored = new Map<number, MadeClick[]>()

/** Clicks nobody has used yet; they are stored many at once, because each time takes a while. */
async function freshClicks(count: number, of: { id: number } = offer): Promise<MadeClick[]> {
  const left = stored.get(of.id) ?? []
  if (left.length < count) {
    const more = Array.from({ length: 500 }, () => makeClick(keys, { offerId: of.id, affiliateId, at: NOW - 3_600_000 }))
    await storeClicks(events.clickhouse, more)
    left.push(...more)
  }
  stored.set(of.id, left)
  return left.splice(0, count)
}

const send = (query: string, changes: Parameters<typeof handOver>[1] = {}) =>
  receivePostback(
    { db: database.db, findClick: openClickFinder(events.clickhouse), clock: { now: () => NOW } },
    handOver({}, { query, ...changes }),
  )

/** What is booked of a click, by goal and transaction. */
async function booked(clickId: string) {
  const rows = await database.db
    .selectFrom('conversion as c')
    .innerJoin('goal as g', 'g.id', 'c.goal_id')
    .select(['g.code', 'c.status', 'c.amount', 'c.transaction_id'])
    .where('c.click_id', '=', clickId)
    .orderBy('c.id')
    .execute()
  return rows.map((row) => ({ ...row, amount: row.amount === null ? null : String(Number(row.amount)) }))
}

type Booking = { code: string; status?: string; amount?: string | null; transaction_id?: string | null }
const refusal = (reason: string, parameter?: string) => ({ reason, ...(parameter !== undefined && { parameter }) })

/** `CLICK` and `TOKEN` are filled in; the offer has the goals sale (default), ftd, reg, rebill and rev. */
const TEMPLATES: [who: string, query: string, result: Booking | { reason: string; parameter?: string }][] = [
  ['Voluum', 'cid=CLICK&payout=5&txid=v1&currency=USD&et=ftd', { code: 'ftd', amount: '5', transaction_id: 'v1' }],
  ['Voluum with a label nobody knows', 'cid=CLICK&payout=5&et=upsell', refusal('goal_unknown', 'et')],
  ['RedTrack', 'clickid=CLICK&sum=20&type=ftd&status=approved&rdtk_event_id=o-1', { code: 'ftd', amount: '20', transaction_id: 'o-1' }],
  ['RedTrack, a type nobody knows', 'clickid=CLICK&sum=20&type=Upsell', refusal('goal_unknown', 'type')],
  ['AppsFlyer install, which has no event', 'click_id=CLICK&event_name=', { code: 'sale' }],
  ['AppsFlyer registration', 'click_id=CLICK&event_name=af_complete_registration', refusal('goal_unknown', 'event_name')],
  ['AppsFlyer purchase', 'click_id=CLICK&event_name=af_purchase&event_revenue=49.99&currency=USD', refusal('goal_unknown', 'event_name')],
  ['AppsFlyer, blocked', 'click_id=CLICK&blocked_reason=bots', refusal('status_missing', 'blocked_reason')],
  ['Branch', 'click_id=CLICK&event_name=reg', { code: 'reg' }],
  ['Singular', 'click_id=CLICK&event=FTD&amount=7', { code: 'ftd', amount: '7' }],
  ['Affise, goal by number', 'clickid=CLICK&goal=2&sum=3&action_id=a1', { code: 'ftd', amount: '3', transaction_id: 'a1' }],
  ['Affise, a number there is none of', 'clickid=CLICK&goal=9', refusal('goal_unknown', 'goal')],
  ['Affise, status by number', 'clickid=CLICK&status=1', refusal('status_unknown', 'status')],
  ['Affise, hold by number', 'clickid=CLICK&status=5&goal=reg', refusal('status_unknown', 'status')],
  ['Trackier', 'click_id=CLICK&goal_vlaue=reg&security_token=TOKEN&txn_id=x', { code: 'reg', transaction_id: 'x' }],
  ['Trackier, goal by its own id', 'click_id=CLICK&goal_id=1673', refusal('goal_unknown', 'goal_id')],
  ['Scaleo', 'click_id=CLICK&goal_alias=reg&conv_status=pending', { code: 'reg', status: 'pending' }],
  ['Scaleo with a mapping in the URL', 'click_id=CLICK&conv_status=approved&trash_status=trash', refusal('ambiguous', 'trash_status')],
  ['Swaarm', 'click_id=CLICK&event_id=Purchase&sale_amount=5', refusal('goal_unknown', 'event_id')],
  ['Swaarm, rejected', 'click_id=CLICK&status=rejected&rejection_reason=fraud', { code: 'sale', status: 'declined' }],
  ['Adjust, rejected install', 'click_id=CLICK&activity_kind=rejected_install', refusal('goal_unknown', 'activity_kind')],
  [
    'Adjust, an event',
    'click_id=CLICK&activity_kind=event&event_token=f0ob4r&revenue=4.99&currency=USD',
    refusal('goal_unknown', 'activity_kind'),
  ],
  ['Adjust, only its token', 'click_id=CLICK&event_token=f0ob4r&revenue=4.99', refusal('goal_unknown', 'event_token')],
  [
    'Affise as it says it all',
    'clickid=CLICK&action_id=a7&goal=reg&sum=3&status=pending&secure=TOKEN&comment=ok&custom_field1=x',
    { code: 'reg', status: 'pending', amount: '3', transaction_id: 'a7' },
  ],
  ['Impact', 'click_id=CLICK&State=APPROVED&Amount=12.5', { code: 'sale', status: 'approved', amount: '12.5' }],
  ['Impact, reversed', 'click_id=CLICK&State=REVERSED', refusal('status_unknown', 'state')],
  ['Keitaro', 'subid=CLICK&status=sale', refusal('click_id_elsewhere', 'subid')],
  ['Keitaro with our name', 'click_id=CLICK&status=sale&payout=1', refusal('status_unknown', 'status')],
  [
    'Keitaro with the mapping of its network',
    'click_id=CLICK&status=approved&lead_status=2%252C5&sale_status=1',
    refusal('status_unknown', 'lead_status'),
  ],
  ['Binom', 'cnv_id=CLICK&cnv_status=Hold', refusal('click_id_elsewhere', 'cnv_id')],
  ['Binom with our name', 'click_id=CLICK&cnv_status=Hold&event1=1', refusal('goal_unknown', 'event1')],
  ['CAKE', 'click_id=CLICK&e=123&p=61.00', refusal('goal_unknown', 'e')],
  ['CAKE without an event', 'click_id=CLICK&p=61.00', refusal('amount_unknown', 'p')],
  ['Offer18', 'click_id=CLICK&event=reg&sale=10', refusal('amount_unknown', 'sale')],
  [
    'Everflow',
    'click_id=CLICK&event_name=ftd&verification_token=TOKEN&order_id=o9&amount=4',
    { code: 'ftd', amount: '4', transaction_id: 'o9' },
  ],
  ['Everflow, where the click stands as transaction', 'transaction_id=CLICK&event_id=2', refusal('click_id_elsewhere', 'txn_id')],
  ['TUNE', 'transaction_id=CLICK&amount=5&security_token=TOKEN', refusal('click_id_elsewhere', 'txn_id')],
  ['CAKE, request id', 'a=1&t=123456&r=CLICK&f=pb&e=123', refusal('click_id_elsewhere', 'r')],
  ['Impact, sub id', 'SubId1=CLICK&State=APPROVED&Amount=5', refusal('click_id_elsewhere', 'subid1')],
  ['a coupon without a click', 'coupon=SPRING&amount=5', refusal('click_id_missing')],
  ['Shopify', 'click_id=CLICK&financial_status=refunded&total_price=59.99', refusal('status_unknown', 'financial_status')],
  ...'refunded chargeback reversed paid success ok valid completed processing deposit upsell lead accepted new reg rebill 0 2'
    .split(' ')
    .map((word): (typeof TEMPLATES)[number] => [
      `status ${word}, which nobody mapped`,
      `click_id=CLICK&status=${word}`,
      refusal('status_unknown', 'status'),
    ]),
  ['a status mapped to a goal', 'click_id=CLICK&status=DEP&amount=9', { code: 'ftd', amount: '9' }],
  ['a status mapped to a status', 'click_id=CLICK&status=queued', { code: 'sale', status: 'pending' }],
  ['a number mapped to a status', 'click_id=CLICK&goal=reg&status=3', { code: 'reg', status: 'declined' }],
  ['a mapped number is no goal', 'click_id=CLICK&goal=3', { code: 'reg', status: 'approved' }],
  ['upper case', 'Click_Id=CLICK&GOAL=Reg&STATUS=Pending', { code: 'reg', status: 'pending' }],
  ['10,50', 'click_id=CLICK&amount=10,50', { code: 'sale', amount: '10.5' }],
  ['$10.50', 'click_id=CLICK&amount=$10.50', { code: 'sale', amount: '10.5' }],
  ['1,000.00', 'click_id=CLICK&amount=1,000.00', { code: 'sale', amount: '1000' }],
  ['five decimals', 'click_id=CLICK&amount=1.12345', { code: 'sale', amount: '1.12345' }],
  ['1,000', 'click_id=CLICK&amount=1,000', refusal('amount_ambiguous', 'amount')],
  ['a sign of another currency', 'click_id=CLICK&amount=€10', refusal('ambiguous', 'amount')],
  ['two amounts in one', 'click_id=CLICK&payout=12.50,0', refusal('ambiguous', 'payout')],
  ['a negative amount of a fixed goal', 'click_id=CLICK&amount=-5', refusal('amount_invalid', 'amount')],
  ['a share without an amount', 'click_id=CLICK&goal=rev', refusal('amount_unknown')],
  ['a share of an amount', 'click_id=CLICK&goal=rev&sale_amount=8', { code: 'rev', amount: '8' }],
  ['a share beside what it brought', 'click_id=CLICK&goal=rev&sale_amount=80&revenue=8&payout=5', { code: 'rev', amount: '80' }],
  ['a share of what may be the sale', 'click_id=CLICK&goal=rev&revenue=8', refusal('amount_ambiguous', 'revenue')],
  ['a rebill without a transaction', 'click_id=CLICK&goal=rebill', refusal('transaction_id_missing')],
  ['two goals', 'click_id=CLICK&goal=reg&event=ftd', refusal('ambiguous', 'event')],
  ['the same goal twice', 'click_id=CLICK&goal=reg&event_name=REG', { code: 'reg' }],
  ['two statuses', 'click_id=CLICK&status=approved&status=rejected', refusal('ambiguous', 'status')],
  ['two amounts', 'click_id=CLICK&amount=5&sum=6', refusal('ambiguous', 'sum')],
  ['the same amount twice', 'click_id=CLICK&amount=5&payout=5.00&profit=5', { code: 'sale', amount: '5' }],
  ['two transactions', 'click_id=CLICK&order_number=2&txn_id=1', { code: 'sale', transaction_id: '1' }],
  ['a status where nobody reads', 'click_id=CLICK&sub3=rejected', refusal('status_unknown', 'sub3')],
  ['the same status where nobody reads', 'click_id=CLICK&status=rejected&sub3=rejected', { code: 'sale', status: 'declined' }],
  ['an event where nobody reads', 'click_id=CLICK&kind=ftd', refusal('goal_unknown', 'kind')],
  ['other things where nobody reads', 'click_id=CLICK&country=UA&gaid=1-2&sub1=lead&n=3&utm_medium=paid', { code: 'sale' }],
  ['names HTML has eaten', 'click_id=CLICK&amount=10¤cy=EUR', { code: 'sale', amount: '20' }],
  ['the same, encoded', 'click_id=CLICK&amp;amount=10%C2%A4cy=EUR&amp;status=pending', { code: 'sale', status: 'pending', amount: '20' }],
  ['doubled encoding', 'click_id=CLICK&status=%2561pproved&amount=10%252C50', { code: 'sale', amount: '10.5' }],
  ...'{status} %7Bstatus%7D {{x}} ${x} #s2# ##S## [x] %25x%25 (status) __S__ !!!s!!! @@S@@ <s> REPLACE OPTIONAL status reg,dep,lead null'
    .split(' ')
    .map((word): (typeof TEMPLATES)[number] => [
      `status ${word}`,
      `click_id=CLICK&status=${encodeURIComponent(word).replaceAll('%25', '%')}`,
      refusal('placeholder', 'status'),
    ]),
  ['an unfilled amount', 'click_id=CLICK&amount={amount}', refusal('placeholder', 'amount')],
  ['two unfilled amounts', 'click_id=CLICK&payout=%23%23CPA%23%23,%23%23RS%23%23', refusal('placeholder', 'payout')],
  ['an unfilled transaction', 'click_id=CLICK&txn_id={order_id}', refusal('placeholder', 'txn_id')],
  ['an unfilled event', 'click_id=CLICK&event_name=(event-name)', refusal('placeholder', 'event_name')],
  ['an unfilled click', 'click_id={subid}', refusal('placeholder', 'click_id')],
  ...[
    'status[]=3', 'data[status]=2', 'data.status=0', 'goal[]=kyc', 'data[event]=kyc', 'event[name]=kyc', 'payload={"status":"declined","event":"kyc"}',
    'payload=["a",{"b":{"goal":"kyc"}}]', 'x={"y":"{\\"event\\":\\"kyc\\"}"}', 'order[id]=5', 'order.status=paid', 'a={"b":1,"b":2}',
  ].map((query): (typeof TEMPLATES)[number] => [query, `click_id=CLICK&${query}`, refusal('body_nested')]), // prettier-ignore
  ...[
    'status_id=3x', 'status_name=x', 'statusCode=9', 'lead_status_id=4', 'state_code=4', 'accepted=0', 'success=0', 'is_paid=false', 'leadstatus=0',
    'result=REJECTED_DUPLICATE', 'result=LeadRejected', 'result=not%20approved', 'result=відхилено', 'message=Заявку%20відхилено', 'outcome=lead+was+declined', 'refunded_at=2026-11-01',
    'a[b]=rejected', `${Array.from({ length: 61 }, (_, index) => `u${index}=abc`).join('&')}&x=declined`,
  ].map((query): (typeof TEMPLATES)[number] => [`${query.slice(-30)} is a status`, `click_id=CLICK&${query}`, refusal('status_unknown')]), // prettier-ignore
  ['comment=declined', 'click_id=CLICK&comment=declined', refusal('status_missing')],
  ['declineReason=age', 'click_id=CLICK&declineReason=age', refusal('status_missing')],
  ...[
    'goal=ftd&test=1', 'is_test=true', 'isTest=yes', 'livemode=false', 'data.livemode=false', 'environment=sandbox', 'env=staging', 'sandbox=1', 'testmode=1',
    'test_order=true', 'ctransaction=TEST_SALE', 'status=approved&test=true', 'status=declined&test=1',
  ].map((query): (typeof TEMPLATES)[number] => [`${query} is a test`, `click_id=CLICK&${query}`, refusal('test_call')]), // prettier-ignore
  ...[
    'x=Return%20of%20the%20Jedi', 'product=Double%20Trouble', 'product_name=Epic%20Fail%20Poster', 'item=New%20Error%20Shirt', 'x=New%20York', 'city=Bad%20Ems',
    'x=no-refund@shop.example', 'x=https%3A%2F%2Fa.example%2Frefund', 'utm_campaign=refund_july', 'utm_content=new', 'sub4=created', 'aff_sub=double', 'customer_type=new',
    'x=Shop%20the%20best%20bags%20and%20ask%20for%20a%20refund%20within%20thirty%20days', 'company=Void%20Ltd', 'success=1', 'valid=true', 'paid=1',
    'refunded=0', 'is_refunded=false', 'refund_amount=0.00', 'test=0', 'is_test=false', 'livemode=true', 'environment=production', 'sandbox=0', 'duplicate=0',
    'result=success', 'result=1', 'message=Lead%20accepted', 'message=Thank%20you%2C%20received', 'mode=web', 'test=A7', 'x=3', 'error=0', 'coupon=FAIL10', 'x=LEAD-10023', 'x=REG1234', 'x=constructor',
    'errors=0', 'deleted=false', 'decline_reason=none', 'error_code=0', 'reason=purchase', 'x=no%20errors', 'x=not%20a%20duplicate', 'x=Trash%20Bags%2050L', 'first_name=Storno', 'city=Invalid',
    'status=approved&x=new', 'status=approved&result=paid', 'status=approved&order=created',
  ].map((query): (typeof TEMPLATES)[number] => [`money in spite of ${query}`, `click_id=CLICK&${query}`, { code: 'sale', status: 'approved' }]), // prettier-ignore
  ...['x=duplicate', 'x=chargeback', 'success=0', 'message=not%20approved', 'refunded=1', 'paid=0', 'comment=no%20sale', 'error_code=14', 'reason=trash', 'reason=Duplicate%2C%20the%20first%20one%20was%20approved'].map((query): (typeof TEMPLATES)[number] => [
    `a decline with ${query}`, `click_id=CLICK&status=rejected&${query}`, { code: 'sale', status: 'declined' },
  ]), // prettier-ignore
  ['on hold for a reason', 'click_id=CLICK&status=pending&reason=on%20hold', { code: 'sale', status: 'pending' }],
  ['nothing paid yet', 'click_id=CLICK&status=pending&is_paid=0', { code: 'sale', status: 'pending' }],
  ['currency=currency', 'click_id=CLICK&amount=1&currency=currency', refusal('placeholder', 'currency')],
]

describe('what other systems send', () => {
  test.each(TEMPLATES)('%s', async (_who, template, result) => {
    const [click] = await freshClicks(1)
    if (click === undefined) throw new Error('no click')
    const token = /TOKEN/.test(template) ? '' : `&token=${offer.token}`
    const query = template.replace('CLICK', click.id).replace('TOKEN', offer.token) + token
    const { httpStatus, body } = await send(query)
    if ('reason' in result) {
      expect({ httpStatus, body }).toMatchObject({
        httpStatus: result.reason === 'click_id_missing' ? 400 : 422,
        body: { outcome: 'refused', ...result },
      })
      expect(await booked(click.id)).toEqual([])
    } else {
      expect({ httpStatus, body }).toMatchObject({ httpStatus: 200, body: { outcome: 'created' } })
      expect(await booked(click.id)).toEqual([expect.objectContaining(result)])
    }
    const row = await database.db.selectFrom('postback_in').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(offer.token)
  })

  test('the events of one click are each its own goal or refused, and of a sale that is one there is no second', async () => {
    const [click, app] = await freshClicks(2)
    const report = async (id: string | undefined, query: string) => {
      const { httpStatus, body } = await send(`click_id=${id}&token=${offer.token}&${query}`)
      return `${httpStatus} ${String(body['reason'] ?? body['outcome'])}`
    }
    const told = []
    for (const event of [
      'goal=reg',
      'goal=ftd&amount=50&txn_id=D1',
      'goal=rebill&txn_id=R1',
      'goal=rebill&txn_id=R2',
      'goal=ftd&amount=70&txn_id=D2',
    ])
      told.push(await report(click?.id, event))
    expect(told).toEqual(['200 created', '200 created', '200 created', '200 created', '409 already_converted'])
    for (const status of ['pending', 'approved', 'cancelled', 'approved'])
      expect(await report(click?.id, `goal=sale&status=${status}`)).toMatch(/^200/)
    expect((await booked(click?.id ?? '')).map(({ code, status, transaction_id }) => [code, status, transaction_id])).toEqual([
      ['reg', 'approved', null],
      ['ftd', 'approved', 'D1'],
      ['rebill', 'approved', 'R1'],
      ['rebill', 'approved', 'R2'],
      ['sale', 'approved', null],
    ])
    // AppsFlyer: install, registration and purchase
    const seen = []
    for (const event of ['event_name=', 'event_name=af_complete_registration', 'event_name=af_purchase&event_revenue=49.99&currency=USD'])
      seen.push(await report(app?.id, event))
    expect(seen).toEqual(['200 created', '422 goal_unknown', '422 goal_unknown'])
    expect(await booked(app?.id ?? '')).toEqual([expect.objectContaining({ code: 'sale', amount: null })])
  })

  test('without a goal, what names a transaction is about the one conversion of the click that has it', async () => {
    const [{ id } = { id: '' }, other] = await freshClicks(2)
    const call = async (query: string, of = id) => (await send(`click_id=${of}&token=${offer.token}&${query}`)).body
    for (const query of ['goal=ftd&txn_id=ownF&amount=50', 'goal=rebill&txn_id=ownR&status=pending', 'goal=rev&txn_id=ownV&amount=5'])
      await call(query)
    expect(await call('txn_id=ownF&status=declined')).toMatchObject({ outcome: 'changed', conversion_status: 'declined' })
    expect(await call('txn_id=ownR&status=approved')).toMatchObject({ outcome: 'changed', conversion_status: 'approved' })
    // below zero is for this goal alone
    expect(await call('txn_id=ownV&amount=-2')).toMatchObject({ reason: 'amount_ambiguous' })
    expect(await call('txn_id=ownF&status=declined', other?.id)).toMatchObject({ outcome: 'created' })
    const nothing = { reason: 'goal_unknown', text: expect.stringContaining('ftd, rebill, rev') }
    for (const status of ['declined', 'trash', 'rejected']) expect(await call(`status=${status}`)).toMatchObject(nothing)
    await call('goal=reg&txn_id=ownF')
    const several = { reason: 'ambiguous', parameter: 'txn_id', text: expect.stringContaining('ftd, reg') }
    expect(await call('txn_id=ownF&status=approved')).toMatchObject(several)
    const all = (await booked(id)).map(({ code, status }) => `${code} ${status}`)
    expect(all).toEqual(['ftd declined', 'rebill approved', 'rev approved', 'reg approved'])
  })

  test('a body of JSON says it in its first level and nowhere else', async () => {
    const [first, second, third] = await freshClicks(3)
    const post = (body: unknown) =>
      send('', {
        method: 'POST',
        body: JSON.stringify(body),
        content_type: 'application/json',
        headers: { authorization: `Bearer ${offer.token}` },
      })
    expect(await post({ click_id: first?.id, data: { status: 'rejected', amount: 5 } })).toMatchObject({
      httpStatus: 422,
      body: { reason: 'body_nested', parameter: 'data.status' },
    })
    expect(await post([{ click_id: first?.id }])).toMatchObject({ httpStatus: 422, body: { reason: 'body_list' } })
    expect(await post({ click_id: first?.id, rejected: true })).toMatchObject({ httpStatus: 422, body: { parameter: 'rejected' } })
    expect(await post({ click_id: second?.id, event: 'reg', amount: 12.345, device: { os: 'iOS' } })).toMatchObject({ httpStatus: 200 })
    expect(await booked(second?.id ?? '')).toEqual([expect.objectContaining({ code: 'reg', amount: '12.345' })])
    // the query against the body
    const contradiction = { method: 'POST', body: JSON.stringify({ status: 'declined' }), content_type: 'application/json' }
    expect(await send(`click_id=${third?.id}&status=approved&token=${offer.token}`, contradiction)).toMatchObject({
      body: { reason: 'ambiguous' },
    })
  })

  test.each([
    [
      'a form of parts',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="status"\r\n\r\ndeclined\r\n--b--\r\n',
      'body_unread',
    ],
    ['XML', 'application/xml', '<status>declined</status>', 'body_unread'],
    ['XML by another name', '', '<?xml version="1.0"?><a status="declined"/>', 'body_unread'],
    ['lines', 'text/plain', 'status: declined', 'body_unread'],
    ['lines of pairs', 'text/plain', 'a=1\r\nstatus=declined', 'body_unread'],
    [
      'JSON in a form',
      'application/x-www-form-urlencoded',
      'payload=%7B%22status%22%3A%22declined%22%2C%22event%22%3A%22deposit%22%7D',
      'body_nested',
    ],
    ['a list', 'application/json', '{"status":["declined"]}', 'body_nested'],
    ['a status with a name', 'application/json', '{"status":{"name":"declined"}}', 'body_nested'],
    ['a status with a number', 'application/json', '{"status":{"id":3}}', 'body_nested'],
    ['a goal with a code', 'application/json', '{"goal":{"code":"kyc"}}', 'body_nested'],
    ['an event with a name', 'application/json', '{"event":{"name":"kyc"}}', 'body_nested'],
    ['a list of events', 'application/json', '{"events":["kyc"]}', 'body_nested'],
    ['a result', 'application/json', '{"data":{"result":"rejected"}}', 'status_unknown'],
    ['seven levels', 'application/json', '{"a":{"b":{"c":{"d":{"e":{"f":{"status":1}}}}}}}', 'body_nested'],
    ['seventy levels', 'application/json', `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`, 'body_nested'],
    ['twenty thousand levels', 'application/json', `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, undefined],
    ['a status twice', 'application/json', '{"status":"declined","status":"approved"}', 'ambiguous'],
    ['a status twice, once in disguise', 'application/json', '{"st\\u0061tus":"declined","status":"approved"}', 'ambiguous'],
    ['JSON in JSON', 'application/json', '{"raw":"{\\"status\\":\\"declined\\"}"}', 'body_nested'],
  ])('of %s nothing is booked, by whatever method', async (_what, content_type, body, reason) => {
    const [click] = await freshClicks(1)
    for (const method of ['POST', 'GET']) {
      const { httpStatus, body: answer } = await send(`click_id=${click?.id}&token=${offer.token}&goal=sale&amount=100`, {
        method,
        body,
        content_type,
      })
      expect({ httpStatus, answer }).toMatchObject({ answer: { outcome: 'refused', ...(reason !== undefined && { reason }) } })
      expect(httpStatus).toBeGreaterThanOrEqual(400)
    }
    expect(await booked(click?.id ?? '')).toEqual([])
    const rows = await database.db
      .selectFrom('postback_in')
      .selectAll()
      .where('click_id', '=', click?.id ?? '')
      .execute()
    expect(rows).toHaveLength(2)
    expect(
      await replayIncoming(
        { db: database.db, clickhouse: events.clickhouse },
        NOW,
        rows.map(({ id }) => id),
        true,
      ),
    ).toMatchObject({ replayed: 0 })
  })

  test('a body nobody reads shows no token, and other methods book nothing', async () => {
    const [click] = await freshClicks(1)
    const parts = `--b\r\nContent-Disposition: form-data; name="token"\r\n\r\nwrong-secret\r\n--b\r\nContent-Disposition: form-data; name="click_id"\r\n\r\n${click?.id}\r\n--b--`
    expect(await send('', { method: 'POST', body: parts, content_type: 'multipart/form-data; boundary=b' })).toMatchObject({
      body: { reason: 'body_unread' },
    })
    const kept = await database.db
      .selectFrom('postback_in')
      .selectAll()
      .where('click_id', '=', click?.id ?? '')
      .executeTakeFirstOrThrow()
    expect(kept.body).toContain('***')
    expect(JSON.stringify(kept)).not.toContain('wrong-secret')
    for (const method of ['HEAD', 'PATCH', 'DELETE', 'OPTIONS'])
      expect(await send(`click_id=${click?.id}&token=${offer.token}`, { method })).toMatchObject({
        httpStatus: 405,
        body: { reason: 'method_unread' },
      })
    expect(await booked(click?.id ?? '')).toEqual([])
  })

  test('what names no status is pending where the advertiser wants it so', async () => {
    await database.db.updateTable('advertiser').set({ no_status_approved: false }).where('id', '=', plain.advertiserId).execute()
    const [click] = await freshClicks(1, plain)
    await send(`click_id=${click?.id}&token=${plain.token}`)
    expect(await booked(click?.id ?? '')).toEqual([expect.objectContaining({ code: 'sale', status: 'pending' })])
  })

  test('a word that is mapped later is applied by a replay as what it means then', async () => {
    const [click] = await freshClicks(1, plain)
    expect(await send(`click_id=${click?.id}&token=${plain.token}&event=deposit&status=1`)).toMatchObject({
      body: { reason: 'goal_unknown', parameter: 'event' },
    })
    const { id } = await database.db.selectFrom('postback_in').select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
    const words: PostbackWord[] = [
      { word: 'deposit', status: null, goal: 'ftd' },
      { word: '1', status: 'approved', goal: null },
    ]
    await database.db
      .updateTable('advertiser')
      .set({ postback_words: JSON.stringify(words) })
      .where('id', '=', plain.advertiserId)
      .execute()
    expect(await replayIncoming({ db: database.db, clickhouse: events.clickhouse }, NOW, [id])).toMatchObject({ replayed: 1 })
    expect(await booked(click?.id ?? '')).toEqual([expect.objectContaining({ code: 'ftd', status: 'approved' })])
  })

  test('two shares of a click with the transaction left out are two refusals, also once there is a conversion', async () => {
    const [click] = await freshClicks(1)
    const rebill = `click_id=${click?.id}&token=${offer.token}&goal=rebill`
    expect(await send(`${rebill}&txn_id=r1-${click?.id}`)).toMatchObject({ body: { outcome: 'created' } })
    expect(await send(rebill)).toMatchObject({ httpStatus: 422, body: { reason: 'transaction_id_missing' } })
  })
})

/*
 * What stands where nobody reads it, by what it says (reference: postback-dialects 1.3, and words seen elsewhere); told
 * here by hand, so that the list of the code is not its own proof.
 */
const NO_MONEY = [
  'no sale', 'not approved yet', 'double lead', 'order:returned', 'Nicht bestätigt', 'commande refusée', 'заявка отклонена', 'лід не підтверджено', 'iptal edildi',
  ...'trashed deleted removed disapproval invalidation unbillable abgelehnt storniert rechazado anulada cancelado recusado refusé rifiutato odrzucona reddedildi отменён скасована'.split(' '),
  ...(
  'reject cancel cancelled canceled declined denied fail failure failed duplicate double spam invalid fake refund refunded chargeback ' +
  'reversed returned blocked storno error unsuccessful refused disqualified RFND CGBK not_redeemed notApproved DUPLICATE_LEAD lead-rejected REJECTED_TWICE'
  ).split(' '),
] // prettier-ignore
const UNSURE = (
  'lead reg new registration created processing install expect pre_approved added accept accepted paid payed buyout boughtout ' +
  'billed redeem qualification revshare autosell subscribe deposit'
).split(' ')
const SILENT = [
  'x',
  '3',
  'Kyiv',
  'iPhone 15',
  'Return of the Jedi',
  'a1b2c3',
  'LEAD-10023',
  'true',
  'New York',
  'en-GB',
  'summer-sale-2026',
  'no errors',
  'not a duplicate',
  'Trash Bags 50L',
  'Stornoway',
  'Не указано',
]
const YES_OR_NO: Record<string, 'bad' | 'good' | 'test'> = {
  is_refunded: 'bad', duplicate: 'bad', fraud: 'bad', chargeback: 'bad', errors: 'bad', is_deleted: 'bad', not_paid: 'bad', storniert: 'bad',
  success: 'good', converted: 'good', is_paid: 'good', valid: 'good', paid_out: 'good', lead_counted: 'good', оплачено: 'good',
  test: 'test', is_test: 'test', sandbox: 'test',
} // prettier-ignore
const STRAYS = ['foo', 'data.foo', 'orderInfo', 'comment', 'Reason']

/** The first of them that is sent counts. */
const TRANSACTIONS = ['txn_id', 'order_id', 'order_number', 'payment_id']

/** One parameter of a random postback. */
const parameter = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(
      fc.constantFrom('goal', 'event', 'Event-Name', 'goal_id', 'et'),
      fc.constantFrom('sale', 'ftd', 'REG', 'rebill', 'rev', 'dep', 'queued', 'approved', 'nope', '1', '4', '{event}', ''),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constantFrom('type', 'action', 'conversionEvent', 'goal_title'),
      fc.constantFrom('sale', 'ftd', 'approved', 'rejected', 'queued', 'dep', '1', 'install', ''),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(
      fc.constantFrom('status', 'conv_status', 'STATUS'),
      fc.constantFrom('approved', 'pending', 'Rejected', 'trash', 'hold', '1', '3', 'dep', 'queued', 'sale', 'REPLACE', 'reg,dep', ''),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constantFrom('state', 'sale_status', 'statusCode', 'lead_status_id'),
      fc.constantFrom('approved', 'REJECTED', '3', 'CA', ''),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(
      fc.constantFrom('amount', 'sum', 'payout', 'revenue'),
      fc.constantFrom('10', '10.00', '10,00', '$10', '1,000', '1,000.00', '-5', 'x', '5,,6', '{amount}', ''),
    ),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('profit', 'p', 'totalAmount'), fc.constantFrom('10', '7', '')) },
  {
    weight: 2,
    arbitrary: fc.tuple(
      fc.constantFrom('currency', 'currency', 'deposit_currency'),
      fc.constantFrom('USD', 'usd', 'EUR', 'XYZ', 'currency', ''),
    ),
  },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...TRANSACTIONS), fc.constantFrom('one', 'two', '{order_id}', '')) },
  {
    weight: 2,
    arbitrary: fc.tuple(
      fc.constantFrom(...STRAYS),
      fc.oneof(
        fc.constantFrom('approved', 'Rejected', 'pending', 'ftd', 'queued'),
        fc.constantFrom(...NO_MONEY),
        fc.constantFrom(...UNSURE),
        { weight: 2, arbitrary: fc.constantFrom(...SILENT) },
      ),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constant('sub1'), fc.constantFrom('x', 'rejected', 'chargeback', 'new', 'double', 'cancel-anytime')),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(...Object.keys(YES_OR_NO)), fc.constantFrom('0', 'false', 'no', '1', 'TRUE')),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom('data[status]', 'status[]', 'goal.code', 'device[os]'), fc.constantFrom('approved', '3', 'x', '')),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constantFrom('rejection_reason', 'error_message', 'denialCode'),
      fc.constantFrom('fraud', 'too young', 'none', '0', ''),
    ),
  },
)
const postbacks = fc.array(fc.array(parameter, { maxLength: 5 }), { minLength: 1, maxLength: 5 })

/** Without a status, `status` is what a new conversion takes: a known one keeps its own. */
type Meaning = { goal: string; status: string; named: boolean; amount: string | null; txn: string | null }
const GOALS = ['sale', 'ftd', 'reg', 'rebill', 'rev']
const KNOWN: Record<string, string> = {
  approved: 'approved',
  pending: 'pending',
  rejected: 'declined',
  trash: 'trash',
  hold: 'hold',
  queued: 'pending',
  '3': 'declined',
}
const AMOUNTS: Record<string, number> = { '10': 10, '10.00': 10, '10,00': 10, $10: 10, '1,000.00': 1000, '-5': -5, '7': 7 }

/** Whether what nobody reads speaks against a status. */
function isAgainst(name: string, text: string, named: 'named' | 'default', status: string): boolean {
  const lost = status === 'declined' || status === 'trash'
  const flag = YES_OR_NO[name]
  if (flag !== undefined) {
    const isYes = text === '1' || text === 'TRUE'
    if (flag === 'test') return isYes
    if (flag === 'bad') return isYes && !lost
    return !isYes && !lost && !(named === 'named' && (status === 'pending' || status === 'hold'))
  }
  if (text === '3' || !['sub1', 'device[os]', ...STRAYS].includes(name)) return false
  if (name === 'sub1') return text === 'chargeback' ? !lost : text === 'rejected' && status !== 'declined'
  const isDecline = /^(reject|cancel|cancelled|canceled|declined|denied|lead-rejected|REJECTED_TWICE)$/.test(text)
  const known = KNOWN[text.toLowerCase()] ?? (isDecline ? 'declined' : undefined)
  // a reason may say in other words why it was declined, or that it waits
  const waiting = ['pending', 'hold']
  if ((name === 'comment' || name === 'Reason') && (lost || (waiting.includes(status) && waiting.includes(known ?? '')))) return false
  if (known !== undefined) return known !== status
  if (NO_MONEY.includes(text)) return !lost
  return UNSURE.includes(text) && named === 'default' && !GOALS.includes(text)
}

/** What a postback means, told a second time and as plainly as can be; null = nobody can say. */
function meaningOf(pairs: readonly (readonly [string, string])[], before: Awaited<ReturnType<typeof booked>>): Meaning | null {
  const goals = new Set<string>()
  const statuses = new Set<string>()
  const amounts = new Set<number>()
  const currencies = new Set<string>()
  const transactions = new Map<string, string>()
  const unsure: number[] = []
  let dollars = false
  for (const [name, text] of pairs) {
    if (text === '') continue
    const word = text.toLowerCase()
    if (/REPLACE|[{]/.test(text) || word === 'reg,dep' || (name.endsWith('currency') && word === 'currency')) return null
    if (['data[status]', 'status[]', 'goal.code'].includes(name)) return null
    const status = KNOWN[word]
    const goal = word === 'dep' ? 'ftd' : GOALS.find((code) => code === word)
    if (['goal', 'event', 'Event-Name', 'goal_id', 'et'].includes(name)) {
      if (goal !== undefined) goals.add(goal)
      else if (word === 'queued') statuses.add('pending')
      else if (name === 'goal' && /^\d$/.test(word)) goals.add(GOALS[Number(word) - 1] ?? '')
      else return null
    } else if (['type', 'action', 'conversionEvent', 'goal_title'].includes(name)) {
      if (goal !== undefined) goals.add(goal)
      else if (status !== undefined) statuses.add(status)
      else return null
    } else if (['status', 'conv_status', 'STATUS', 'state', 'sale_status', 'statusCode', 'lead_status_id'].includes(name)) {
      // a place
      if (name === 'state' && word === 'ca') continue
      if (word === 'dep') goals.add('ftd')
      else if (status !== undefined) statuses.add(status)
      else return null
    } else if (['amount', 'sum', 'payout', 'revenue', 'profit', 'p', 'totalAmount'].includes(name)) {
      const amount = AMOUNTS[word]
      if (amount === undefined) return null
      dollars ||= word.startsWith('$')
      if (['profit', 'p', 'totalAmount'].includes(name)) unsure.push(amount)
      else amounts.add(amount)
    } else if (name.endsWith('currency')) currencies.add(text.toUpperCase())
    else if (TRANSACTIONS.includes(name)) {
      if ((transactions.get(name) ?? text) !== text) return null
      transactions.set(name, text)
    }
  }
  if ([goals, statuses, amounts, currencies].some((values) => values.size > 1)) return null
  const [amount = null, said, status = 'approved', currency = 'USD'] = [amounts, goals, statuses, currencies].map(
    (values) => [...values][0],
  ) as [number?, string?, string?, string?]
  const txn = TRANSACTIONS.map((name) => transactions.get(name)).find((one) => one !== undefined) ?? null
  if (currency === 'XYZ' || (dollars && currency !== 'USD') || unsure.some((one) => one !== amount)) return null
  const lost = status === 'declined' || status === 'trash'
  // nothing named: whatever has this transaction, and the sale where nothing has
  const namesakes = txn === null ? [] : before.filter((row) => row.transaction_id === txn)
  if (said === undefined && namesakes.length > 1) return null
  const goal = said ?? namesakes[0]?.code ?? 'sale'
  if (said === undefined && namesakes.length === 0 && lost && before.length > 0 && before.every((row) => row.code !== 'sale')) return null
  for (const [name, text] of pairs) {
    if (['rejection_reason', 'error_message', 'denialCode'].includes(name) && !['', 'none', '0'].includes(text) && !lost) return null
    if (isAgainst(name, text, statuses.size > 0 ? 'named' : 'default', status)) return null
    if (STRAYS.includes(name) && goals.size === 0 && GOALS.includes(text) && text !== goal) return null
  }
  if (goal === 'rebill' && txn === null) return null
  if (goal === 'rev' && amount === null && !lost && before.every((row) => row.code !== 'rev')) return null
  if (amount !== null && amount < 0 && goal !== 'rev') return null
  return {
    goal,
    status: status === 'hold' ? 'pending' : status,
    named: statuses.size > 0,
    amount: amount === null ? null : String(amount * (currency === 'EUR' ? 2 : 1)),
    txn,
  }
}

test('of random postbacks nothing is booked that a plain reading does not say', async () => {
  const total = process.env['TORTURE'] ? 10_000 : 100
  const clicksARun = 8
  const same = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other)
  const numRuns = Math.ceil(total / (clicksARun * 3))
  let sent = 0
  let made = 0
  await fc.assert(
    fc.asyncProperty(fc.array(postbacks, { minLength: clicksARun, maxLength: clicksARun }), async (sequences) => {
      const clicks = await freshClicks(sequences.length)
      await Promise.all(
        sequences.map(async (sequence, index) => {
          const click = clicks[index]
          if (click === undefined) throw new Error('no click')
          for (const pairs of sequence) {
            // a transaction belongs to one click
            const filled = pairs.map(
              ([name, value]) => [name, value === 'one' || value === 'two' ? `${value}-${click.id}` : value] as const,
            )
            const before = await booked(click.id)
            const query = `${new URLSearchParams([['click_id', click.id], ['token', offer.token], ...filled.map(([name, value]) => [name, value])]).toString()}`
            const { httpStatus, body } = await send(query)
            sent++
            const meant = meaningOf(filled, before)
            const after = await booked(click.id)
            const told = JSON.stringify({ pairs, before, after, body, meant })
            if (httpStatus !== 200 || body['outcome'] === 'refused') expect(after, told).toEqual(before)
            if (meant === null) {
              expect(httpStatus, told).toBe(422)
              continue
            }
            // the transaction, else whatever there is of the goal
            const isOwn = (row: (typeof after)[number]) =>
              row.code === meant.goal && (meant.txn === null || row.transaction_id === meant.txn || row.transaction_id === null)
            const was = before.find(isOwn)
            const is = after.find((row, at) => isOwn(row) && (before[at] === undefined || !same(row, before[at])))
            const own = after.filter(isOwn)
            // whoever names a status and is answered with success finds the conversion so
            if (httpStatus === 200 && meant.named && own.length === 1) {
              expect(own[0]?.status, told).toBe(meant.status)
              if (meant.amount !== null && !['declined', 'trash'].includes(meant.status)) expect(own[0]?.amount, told).toBe(meant.amount)
            }
            expect(
              after.filter((row) => !isOwn(row)),
              told,
            ).toEqual(before.filter((row) => !isOwn(row)))
            if (was === undefined && !before.some((row) => row.code === meant.goal)) {
              made++
              const { goal: code, txn: transaction_id, status, amount } = meant
              expect(is, told).toEqual({ code, status, amount, transaction_id })
            } else if (is !== undefined) {
              expect(is.status, told).toBe(was === undefined || meant.named ? meant.status : was.status)
              expect([was?.amount, meant.amount], told).toContain(is.amount)
            }
          }
        }),
      )
    }),
    { numRuns },
  )
  expect(made).toBeGreaterThan(sent / 50)
}, 1_200_000)
