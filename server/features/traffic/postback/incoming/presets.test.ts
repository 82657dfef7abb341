import { expect, test, describe } from 'vitest'
import { BLANK_DIALECT } from '#contract/traffic/dialect.ts'
import type { ReceivedPostback } from '#server/rules/conversion/postback-hand-over.ts'
import { isOnPath, rejectionNames } from '#server/rules/conversion/dialect/naming.ts'
import { findPreset, PRESETS } from '#server/rules/conversion/dialect/presets.ts'
import { kindOf } from '#server/rules/conversion/postback-names.ts'
import { understand, withoutEventNumber } from '#server/rules/conversion/postback-meaning.ts'
import { parsePostback } from './parse.service.ts'

/* Every preset against the calls its system's documentation shows, with our id in the place of theirs. */
const CLICK = '0123456789abcdefghjkmnpqrstvwxyz01234567'
const GOALS = [
  { code: 'sale', type: 'CPA', is_default: true, retired: false, repeatable: false },
  { code: 'install', type: 'CPA', is_default: false, retired: false, repeatable: true },
]

type Said = { txn?: string; amount?: string | null; currency?: string; status?: string; goal?: string }
type Refused = { refusal: string }
const json = (body: unknown): Partial<ReceivedPostback> => ({
  method: 'POST',
  body: JSON.stringify(body),
  content_type: 'application/json',
})

/** Path and query as documented, and what else the call has. `CLICK` is filled in. */
const CALLS: [preset: string, address: string, says: Said | Refused, more?: Partial<ReceivedPostback>][] = [
  ['affise', '/postback?clickid=CLICK', {}],
  [
    'affise',
    '/postback?clickid=CLICK&action_id=a7&goal=install&sum=2.5&status=2&secure=pw',
    { txn: 'a7', goal: 'install', amount: '2.5', status: 'pending' },
  ],
  ['affise', '/postback?CLICKID=CLICK&amp;ACTION_ID=a7&amp;status=3&custom_field1=x', { txn: 'a7', status: 'declined' }],
  ['affise', '/postback?clickid=CLICK&status=5&sum=1', { status: 'hold', amount: '1' }],
  ['affise', '/postback?clickid=CLICK&goal=1&status=1', { goal: 'sale', status: 'approved' }],
  ['affise', '/postback?clickid=CLICK&status=4', { refusal: 'status_unknown' }],
  ['tune', '/aff_lsr?offer_id=26&transaction_id=CLICK', {}],
  ['tune', '/aff_lsr?transaction_id=CLICK&amount=12.00&adv_sub=o-9&security_token=t', { amount: '12.00', txn: 'o-9' }],
  ['tune', '/aff_goal?a=lsr&goal_id=install&transaction_id=CLICK', { goal: 'install' }],
  ['tune', '/aff_goal?a=lsr&goal_id=77&transaction_id=CLICK', { refusal: 'goal_unknown' }],
  ['tune', '/SP12?transaction_id=CLICK&amount=5', { amount: '5' }],
  ['everflow', '/?nid=3&transaction_id=CLICK', {}],
  [
    'everflow',
    '/?nid=3&transaction_id=CLICK&amount=61&currency=USD&order_id=o1&verification_token=v&adv1=x',
    { amount: '61', txn: 'o1', currency: 'USD' },
  ],
  ['everflow', '/?nid=3&transaction_id=CLICK&event_id=9', { refusal: 'goal_unknown' }],
  ['everflow', '/?nid=3&transaction_id=CLICK&event_id=0', { refusal: 'goal_unknown' }],
  ['everflow', '/?nid=3&transaction_id=CLICK&event_id=1', { refusal: 'goal_unknown' }],
  [
    'cake',
    '/p.ashx?a=1&t=123456&r=CLICK&f=pb&ecsk=123ABC^321CMS^987132&ecqu=1^2^3&ecpr=10.00^8.00^12.00&eccu=USD&ecst=62.00&ectx=5.80&ecsh=5.00&ect=72.80&p=61.00',
    { txn: '123456', amount: '72.80', currency: 'USD' },
  ],
  ['cake', '/p.ashx?o=1&t=7&r=CLICK&f=pb&e=123', { refusal: 'goal_unknown' }],
  ['cake', '/api/2/conversion.json?click_id=CLICK&amount=61', { amount: '61' }],
  [
    'scaleo',
    '/track/conv?click_id=CLICK&token=344387eb&goal_id=install&conv_status=pending&aff_param1=AP12&sub_id1=SID1',
    { goal: 'install', status: 'pending' },
  ],
  [
    'scaleo',
    '/api/v2/network/tracking/conv-click-id?api-key=k',
    { goal: 'install', status: 'approved' },
    json({ click_id: 'CLICK', goal_id: 'install', conv_status: 'approved' }),
  ],
  ['scaleo', '/track/conv-change?click_id=CLICK&token=3&conv_status=rejected&adv_order_id=7', { status: 'declined', txn: '7' }],
  [
    'trackier',
    '/acquisition?click_id=CLICK&security_token=xxx&goal_vlaue=install&sale_amount=3&txn_id=t1&status=Approved',
    { goal: 'install', amount: '3', txn: 't1', status: 'approved' },
  ],
  ['trackier', '/acquisition?click_id=CLICK&security_token=x&idfa=&gaid=G', {}],
  ['offer18', '/p?mid=000&tid=CLICK', {}],
  ['offer18', '/p?mid=000&tid=CLICK&event=install&sale=4.5', { goal: 'install', amount: '4.5' }],
  ['swaarm', '/postback?click_id=CLICK&status=rejected&idfa=i&gaid=g&city=Kyiv&rejection_reason=fraud', { status: 'declined' }],
  ['swaarm', '/postback?click_id=CLICK&event_id=install&sale_amount=2', { goal: 'install', amount: '2' }],
  ['fuseclick', '/pb?tid=CLICK&adv_sectkn=s&adv_cvalue=3', { amount: '3' }],
  [
    'impact',
    '/Advertisers/IRabc/Conversions',
    { txn: 'o7', amount: '19.99', currency: 'EUR', goal: 'install' },
    json({
      CampaignId: 1,
      EventTypeCode: 'install',
      EventDate: 'NOW',
      OrderId: 'o7',
      ClickId: 'CLICK',
      CurrencyCode: 'EUR',
      ItemPrice1: '19.99',
    }),
  ],
  [
    'partnerize',
    '/conversion/tracking_mode:api/tmethod:2/tplatform:4/campaign:1x/clickref:CLICK/conversionref:o5/currency:GBP/country:GB/[category:x/sku:y/value:9.50/quantity:1]',
    { txn: 'o5', amount: '9.50', currency: 'GBP' },
  ],
  ['partnerize', '/conversion/clickref:CLICK/conversionref:%5BORDER_ID%5D/[value:9.50]', { refusal: 'placeholder' }],
  ['partnerize', '/conversion/clickref:CLICK/%5Bcategory:x/sku:y/value:9.50/quantity:1%5D', { amount: '9.50' }],
  ['partnerize', '/conversion/clickref:CLICK/%5Bcategory:x%2Fsku:y%2Fvalue:9.50%2Fquantity:1%5D', { amount: '9.50' }],
  ['partnerize', '/conversion/clickref:CLICK/[category:x/value:9.50][category:x/value:3]', { refusal: 'ambiguous' }],
  ['partnerize', '/conversion/clickref:CLICK/[category:x/value:5/quantity:1]/[category:x/value:5/quantity:1]', { refusal: 'ambiguous' }],
  ['partnerize', '/conversion/clickref:CLICK/[category:x/value:10/quantity:3]', { refusal: 'ambiguous' }],
  ...(
    [
      ['ItemPrice1=10&ItemQuantity1=3', '30.0000'],
      ['ItemSubTotal1=30&ItemSubTotal2=20', '50.0000'],
      ['ItemPrice1=10&ItemPrice2=0.10&ItemQuantity2=3', '10.3000'],
      ['ItemPrice1=10&ItemQuantity1=3&ItemSubTotal1=30.00', '30.0000'],
      ['ItemPrice1=10&ItemQuantity1=1', '10'],
      ['ItemPrice1=10&ItemQuantity1=3&ItemSubTotal1=25', null],
      ['ItemPrice1=10&ItemQuantity1=1.5', null],
      ['ItemPrice1=10&ItemQuantity2=2', null],
      ['ItemPrice1=1,000&ItemPrice2=5', null],
    ] as const
  ).map(([items, amount]): (typeof CALLS)[number] => [
    'impact',
    `/Advertisers/IRabc/Conversions?ClickId=CLICK&OrderId=5&${items}`,
    amount === null ? { refusal: 'ambiguous' } : { txn: '5', amount },
  ]),
  ...['position_id=2&position_count=2', 'position_id=1&position_count=2', 'position_id=2', 'quantity=3'].map(
    (more): (typeof CALLS)[number] => ['admitad', `/tt?uid=CLICK&order_id=5&price=10&${more}`, { refusal: 'ambiguous' }],
  ),
  ['admitad', '/tt?uid=CLICK&order_id=5&price=10&quantity=1&position_id=1&position_count=1', { txn: '5', amount: '10' }],
  ...['session', 'uninstall', 'rejected_install', 'click', 'event'].map((kind): (typeof CALLS)[number] => [
    'adjust',
    `/postback?click_id=CLICK&activity_kind=${kind}&token=t`,
    { refusal: 'goal_unknown' },
  ]),
  ['adjust', '/postback?click_id=CLICK&activity_kind=install', { goal: 'install' }],
  // as the address of a goal is given to installs
  ['adjust', '/postback?click_id=CLICK&goal=install&activity_kind=install', { goal: 'install' }],
  ['adjust', '/postback?click_id=CLICK&goal=install&activity_kind=uninstall', { refusal: 'goal_unknown' }],
  ['adjust', '/postback?click_id=CLICK&activity_kind=event&event_token=abc123&event_name=', { refusal: 'goal_unknown' }],
  ['adjust', '/postback?click_id=CLICK&activity_kind=event&event_token=install', { goal: 'install' }],
  ['adjust', '/postback?click_id=CLICK&activity_kind=event&event_token=abc123&event_name=install', { goal: 'install' }],
  ['adjust', '/postback?click_id=CLICK&activity_kind=session&event_name=install', { refusal: 'goal_unknown' }],
  [
    'admitad',
    '/tt?postback=1&campaign_code=c&postback_key=k&action_code=install&tariff_code=1&payment_type=sale&uid=CLICK&order_id=5&price=10&currency_code=USD',
    { goal: 'install', txn: '5', amount: '10', currency: 'USD' },
  ],
  [
    'keitaro',
    '/secret/postback?subid=CLICK&payout=7&tid=t9&status=sale&currency=usd&from=3SNet.co',
    { amount: '7', txn: 't9', status: 'approved', currency: 'USD' },
  ],
  ['keitaro', '/secret/postback?subid=CLICK&status=lead&lead_status=2&sale_status=1&rejected_status=3', { status: 'pending' }],
  [
    'keitaro',
    '/secret/postback?subid=CLICK&payout=7&status=approved&lead_status=approved&sale_status=paid',
    { amount: '7', status: 'pending' },
  ],
  ['keitaro', '/secret/postback?subid=CLICK&status=1&lead_status=2&sale_status=1&rejected_status=3', { status: 'approved' }],
  ['keitaro', '/secret/postback?subid=CLICK&status=4&lead_status=2&rejected_status=3%252C4', { status: 'declined' }],
  ['keitaro', '/secret/postback?subid=CLICK&status=confirmed&rejected_status=confirmed,x', { status: 'declined' }],
  ['keitaro', '/secret/postback?subid=CLICK&status=approved&ignore_status=approved', { refusal: 'ambiguous' }],
  ['keitaro', '/secret/postback?subid=CLICK&status=x&lead_status=x&sale_status=x', { refusal: 'ambiguous' }],
  ['scaleo', '/track/conv?click_id=CLICK&token=t&conv_status=approved&pending_status=approved', { status: 'pending' }],
  ['scaleo', '/track/conv?click_id=CLICK&token=t&conv_status=ok&approved_status=ok,yes&rejected_status=no', { status: 'approved' }],
  // a goal of the network's own keeps its own, and takes the status the lists say
  ['keitaro', '/secret/postback?subid=CLICK&status=install&lead_status=install', { goal: 'install', status: 'pending' }],
  ['keitaro', '/secret/postback?subid=CLICK&status=install&sale_status=install', { goal: 'install', status: 'approved' }],
  ['keitaro', '/secret/postback?subid=CLICK&status=approved&status=declined&sale_status=approved', { refusal: 'ambiguous' }],
  ['keitaro', '/secret/postback?subid=CLICK&status=&status=approved&rejected_status=approved', { status: 'declined' }],
  ['keitaro', '/secret/postback?subid=CLICK&status=approved&constructor=approved&__proto__=approved', { status: 'approved' }],
  ['keitaro', '/secret/postback?subid=CLICK&status=approved&rejected_status=x|approved', { status: 'declined' }],
  ['scaleo', '/track/conv?click_id=CLICK&token=t&conv_status=x&conv_status=rejected&approved_status=x', { refusal: 'ambiguous' }],
  ['scaleo', '/postback?click_id=CLICK&status=approved&rejected_status=approved', { status: 'declined' }],
  ['bemob', '/postback?cid=CLICK&payout=3&txid=7&status=New', { amount: '3', txn: '7', status: 'pending' }],
  ['keitaro', '/secret/postback?subid=CLICK&status=install&tid=t9', { goal: 'install', txn: 't9' }],
  ['keitaro', '/secret/postback?subid=CLICK&status=sale&tid=t9', { txn: 't9' }],
  ['keitaro', '/secret/postback?subid=CLICK&status=rebill&tid=t10&payout=7', { refusal: 'goal_unknown' }],
  ['keitaro', '/secret/postback?subid=CLICK&status=new', { refusal: 'status_unknown' }],
  ['binom', '/click.php?cnv_id=CLICK&payout=5&cnv_status=approved', { amount: '5', status: 'approved' }],
  ['binom', '/click.php?cnv_id=OPTIONAL&payout=OPTIONAL', { refusal: 'placeholder' }],
  [
    'voluum',
    '/postback?cid=CLICK&payout=5&txid=t1¤cy=USD&et=install&param1=x',
    { amount: '5', txn: 't1', currency: 'USD', goal: 'install' },
  ],
  [
    'redtrack',
    '/postback?clickid=CLICK&sum=20&type=install&status=approved&rdtk_event_id=order-1001',
    { amount: '20', goal: 'install', status: 'approved', txn: 'order-1001' },
  ],
  ['bemob', '/postback?cid=CLICK&payout=3&txid=7', { amount: '3', txn: '7' }],
  [
    'appsflyer',
    '/aff_goal?a=lsr&goal_id=install&transaction_id=CLICK&google_aid=g&ios_ifa=&conv_ip=1.2.3.4&amount=4.99&conversion_event_datetime=2026-11-20',
    { goal: 'install', amount: '4.99' },
  ],
  ['appsflyer', '/postback?clickid=CLICK&event_name=af_purchase&event_revenue=5', { refusal: 'goal_unknown' }],
  ['appsflyer', '/postback?clickid=CLICK&blocked_reason=bots', { status: 'declined' }],
  [
    'appsflyer',
    '/postback?click_id=CLICK&goal=install&amount=&currency=&rejection_reason=install_hijacking',
    { goal: 'install', status: 'declined' },
  ],
  ['appsflyer', '/postback?click_id=CLICK&goal=install&rejection_reason=', { goal: 'install' }],
  ...['NA', 'n/a', '-', '--', '0', 'false', 'null', 'none', '(blocked-reason)', '%7Bblocked_reason%7D'].map(
    (none): (typeof CALLS)[number] => [
      'appsflyer',
      `/postback?click_id=CLICK&goal=install&blocked_reason=${none}`,
      { goal: 'install', status: 'approved' },
    ],
  ),
  ['appsflyer', '/postback?click_id=CLICK&failure_reason=bots', { refusal: 'status_missing' }],
  ['adjust', '/postback?click_id=CLICK&rejection_reason=anonymous_ip', { status: 'declined' }],
  ['adjust', '/postback?click_id=CLICK&status=approved&rejection_reason=anonymous_ip', { refusal: 'status_unknown' }],
  ['adjust', '/postback?click_id=CLICK&idfa=&gaid=G&city=Kyiv', {}],
  [
    'adjust',
    '/postback?click_id=CLICK&event_name=install&revenue=499&revenue_float=4.99&currency=USD&activity_kind=event',
    { goal: 'install', amount: '4.99', currency: 'USD' },
  ],
  ['branch', '/postback?event_id=install&click_id=CLICK&gaid=g&sale_amount=2.5', { goal: 'install', amount: '2.5' }],
  ['singular', '/postback?cl_id=CLICK&app_id=a&ip=1.2.3.4&amount=3&event=install&timestamp=1700000000', { goal: 'install', amount: '3' }],
  [
    'shopify',
    '/postback?token=t',
    { txn: '5940139491234', amount: '59.99', currency: 'USD', status: 'approved' },
    json({
      id: 5940139491234,
      name: '#1001',
      total_price: '59.99',
      currency: 'USD',
      financial_status: 'paid',
      cancelled_at: null,
      test: false,
      landing_site: '/?ohma_click=CLICK&utm_source=x',
      line_items: [{ price: '10.00', fulfillment_status: null }],
      refunds: [],
    }),
  ],
  [
    'shopify',
    '/postback',
    { txn: '1', amount: '59.99', status: 'declined' },
    json({
      id: 1,
      total_price: '59.99',
      financial_status: 'refunded',
      cancelled_at: '2026-11-20T10:00:00Z',
      note_attributes: [
        { name: 'x', value: 'y' },
        { name: 'ohma_click', value: 'CLICK' },
      ],
    }),
  ],
  [
    'shopify',
    '/postback',
    { txn: '1', amount: '1', status: 'declined' },
    json({ id: 1, total_price: '1', financial_status: 'paid', cancelled_at: '2026-11-20', landing_site: '/?click_id=CLICK' }),
  ],
  [
    'shopify',
    '/postback',
    { refusal: 'test_call' },
    json({ id: 1, total_price: '1', financial_status: 'paid', test: true, landing_site: '/?click_id=CLICK' }),
  ],
  [
    'woocommerce',
    '/postback',
    { txn: '4750', status: 'approved', currency: 'CLP', amount: '25000' },
    json({
      id: 4750,
      number: '4750',
      order_key: 'wc_order_Q6tuhq12KJOel',
      status: 'completed',
      currency: 'CLP',
      total: '25000',
      date_created: '2020-03-11T16:54:40',
      meta_data: [{ id: 1, key: 'ohma_click', value: 'CLICK' }],
    }),
  ],
  [
    'woocommerce',
    '/postback',
    { txn: '1', status: 'pending' },
    json({ id: 1, status: 'on-hold', meta_data: [{ key: 'click_id', value: 'CLICK' }] }),
  ],
  [
    'shopify',
    '/postback',
    { txn: '7', status: 'approved', amount: '40.0000' },
    json({
      id: 7,
      total_price: '100.00',
      current_total_price: '40.00',
      financial_status: 'partially_refunded',
      refunds: [{ id: 1 }],
      landing_site: '/?click_id=CLICK',
    }),
  ],
  [
    'shopify',
    '/postback',
    { txn: '7', status: 'approved', amount: '75.5000', currency: 'USD' },
    json({
      id: 7,
      total_price: '100.00',
      currency: 'USD',
      financial_status: 'partially_refunded',
      refunds: [
        {
          transactions: [
            { kind: 'refund', status: 'success', amount: '24.50', currency: 'USD' },
            { kind: 'refund', status: 'failure', amount: '9' },
          ],
        },
      ],
      landing_site: '/?click_id=CLICK',
    }),
  ],
  [
    'shopify',
    '/postback',
    { refusal: 'amount_invalid' },
    json({
      id: 7,
      total_price: '100.00',
      currency: 'USD',
      financial_status: 'partially_refunded',
      refunds: [{ transactions: [{ kind: 'refund', status: 'success', amount: '24.50', currency: 'EUR' }] }],
      landing_site: '/?click_id=CLICK',
    }),
  ],
  [
    'shopify',
    '/postback',
    { txn: '7', status: 'declined', amount: '100.00' },
    json({ id: 7, total_price: '100.00', current_total_price: '0.00', financial_status: 'refunded', landing_site: '/?click_id=CLICK' }),
  ],
  [
    'woocommerce',
    '/postback',
    { txn: '8', status: 'approved', currency: 'EUR', amount: '70.0000' },
    json({
      id: 8,
      status: 'completed',
      currency: 'EUR',
      total: '100.00',
      refunds: [
        { id: 1, total: '-10.00' },
        { id: 2, total: '-20.00' },
      ],
      meta_data: [{ key: 'ohma_click', value: 'CLICK' }],
    }),
  ],
  [
    'woocommerce',
    '/postback',
    { txn: '8', status: 'declined', amount: '100.00' },
    json({
      id: 8,
      status: 'processing',
      total: '100.00',
      refunds: [{ id: 1, total: '-100.00' }],
      meta_data: [{ key: 'ohma_click', value: 'CLICK' }],
    }),
  ],
  [
    'woocommerce',
    '/postback',
    { txn: '8', status: 'approved', amount: '80.0000' },
    json({
      id: 8,
      status: 'completed',
      total: '100.00',
      total_refund: '20.00',
      refunds: [],
      meta_data: [{ key: 'ohma_click', value: 'CLICK' }],
    }),
  ],
  ['tapfiliate', '/1.6/conversions/', { txn: 'e1', amount: '30' }, json({ external_id: 'e1', click_id: 'CLICK', amount: 30 })],
  ['tapfiliate', '/1.7/pb/con/c/', { txn: 'e1', amount: '30' }, json({ external_id: 'e1', click_id: 'CLICK', amount: 30 })],
  [
    'postaffiliatepro',
    `/scripts/track.php?visitorId=b9&accountId=a&tracking=1&url=H&sale=${encodeURIComponent('[{"t":"100","o":"oid","s":"A","cr":"Eur","d1":"CLICK"}]')}`,
    { txn: 'oid', amount: '100', currency: 'EUR', status: 'approved' },
  ],
  [
    'postaffiliatepro',
    `/scripts/track.php?sale=${encodeURIComponent('[{"t":"100","o":"oid","f":"1","b":"x","ch":"c","cc":"k","cp":"7","dndc":"N","d1":"CLICK","d2":"x","d5":"y"}]')}`,
    { txn: 'oid', amount: '100' },
  ],
  ['postaffiliatepro', '/scripts/sale.php?TotalCost=100&OrderID=oid&data1=CLICK', { txn: 'oid', amount: '100' }],
  [
    'adjust',
    '/postback?click_id=CLICK&goal=install&activity_kind=rejected_install&rejection_reason=anonymous_ip',
    { goal: 'install', status: 'declined' },
  ],
  ['adjust', '/postback?click_id=CLICK&goal=install&activity_kind=rejected_install&rejection_reason=', { refusal: 'goal_unknown' }],
  ['scaleo', '/track/conv?click_id=CLICK&token=t&conv_status=approved&amount=20&revenue=7', { amount: '20', status: 'approved' }],
]

test.each(CALLS)('%s: %s', (id, address, says, more = {}) => {
  const known = findPreset(id)
  if (known === undefined) throw new Error(`there is no preset ${id}`)
  const [path = '', ...rest] = address.replaceAll(/CLICK(?!ID)/g, CLICK).split('?')
  const call = {
    method: 'GET',
    path,
    query: rest.join('?'),
    content_type: '',
    headers: {},
    ...more,
    body: (more.body ?? '').replaceAll(/CLICK(?!ID)/g, CLICK),
  }
  expect(path === '/postback' || isOnPath(known.dialect, path)).toBe(true)
  const { fields } = parsePostback(call, known.dialect)
  if (fields.problem !== null) return expect({ refusal: fields.problem.reason }).toEqual(says)
  expect(fields.click_id).toBe(CLICK)
  const { said } = withoutEventNumber(fields.said, { goals: GOALS, words: known.dialect.words })
  const meant = understand(said, {
    goals: GOALS,
    words: known.dialect.words,
    statuses: {},
    unnamedStatus: 'approved',
    currency: fields.currency || 'USD',
    statusIsEvent: id === 'keitaro',
    rejections: rejectionNames(known.dialect),
  })
  if ('refusal' in meant) return expect({ refusal: meant.refusal }, meant.detail).toEqual(says)
  expect('refusal' in says, JSON.stringify(meant)).toBe(false)
  const { txn = '', amount = null, currency = '', status = 'approved', goal = 'sale' } = says as Said
  expect({ txn: fields.txn_id, amount: meant.amount, currency: fields.currency, status: meant.status, goal: meant.goal.code }).toEqual({
    txn,
    amount,
    currency,
    status,
    goal,
  })
})

describe('presets', () => {
  test('each has calls here', () => {
    expect(PRESETS.map(({ id }) => id).toSorted()).toEqual([...new Set(CALLS.map(([id]) => id))].toSorted())
  })

  test('none passes over what names an event, so that it would be booked as the default goal', () => {
    const passedOver = PRESETS.flatMap(({ id, dialect }) =>
      dialect.names.flatMap(({ name, means }) =>
        means === 'ignored' && ['goal', 'event?'].includes(kindOf(name) ?? '') ? [`${id} ${name}`] : [],
      ),
    )
    // of an action its code says which
    expect(passedOver).toEqual(['admitad tariff_code'])
  })

  test.each([
    ['cake', 'r=CLICK&ect=72.80&p=61.00', '72.80'],
    ['cake', 'r=CLICK&ect=72.80', '72.80'],
    ['cake', 'r=CLICK&p=61.00', 'amount_ambiguous'],
    ['cake', 'r=CLICK&ect=0&p=61.00', 'amount_ambiguous'],
    ['voluum', 'cid=CLICK&p=10', 'amount_ambiguous'],
    ['voluum', 'cid=CLICK&payout=10', 'amount_ambiguous'],
    ['redtrack', 'clickid=CLICK&sum=33.33', 'amount_ambiguous'],
    ['affise', 'clickid=CLICK&sum=33.33', '33.33'],
  ])('of a goal that shares the sale what is paid for it is not the sale: %s %s', (id, query, amount) => {
    const read = (means?: 'revenue') => {
      const { dialect } = findPreset(id)!
      const names = dialect.names.map((one) => (means !== undefined && ['p', 'sum'].includes(one.name) ? { ...one, means } : one))
      const call = { method: 'GET' as const, path: '/postback', content_type: '', headers: {}, body: '' }
      return parsePostback({ ...call, query: query.replace('CLICK', CLICK) }, { ...dialect, names }).fields.said
    }
    const asked = { goals: GOALS, words: [], statuses: {}, unnamedStatus: 'approved' as const, currency: 'USD' }
    const meant = understand(read(), { ...asked, sharing: new Set(['sale']) })
    expect('refusal' in meant ? meant.refusal : meant.amount).toBe(amount)
    // of a goal with a price of its own nothing has to be asked, and what it brings is that where the dialect says so
    expect(understand(read(), asked)).not.toHaveProperty('refusal')
    const [said] = /(?<=\b(p|sum)=)[\d.]+/.exec(query) ?? []
    if (said !== undefined) expect(understand(read('revenue'), asked)).toMatchObject({ amount: said, stated: 'revenue' })
  })

  // the macro of what is paid stands under whatever name the address has for it
  test.each(
    PRESETS.flatMap(({ id, query }) => {
      const paid = query.split('&').filter((pair) => /=.*(payout|price|sum|amount|revenue)/i.test(pair))
      return paid.map((pair) => [id, pair.slice(0, pair.indexOf('='))] as const)
    }),
  )('the address shown for %s says what is paid, under %s', (id, name) => {
    const { query, dialect } = findPreset(id)!
    const filled = query.replace(/(?<=^click_id=)[^&]*/, CLICK).replace(new RegExp(`(?<=&${name}=)[^&]*`), '12.50')
    const call = { method: 'GET' as const, path: '/postback', content_type: '', headers: {}, body: '' }
    const { said } = parsePostback({ ...call, query: filled }, dialect).fields
    expect(said).toContainEqual(expect.objectContaining({ kind: 'amount', name, value: '12.50' }))
  })

  test('what was saved of one before it knew is read as it is known now', () => {
    const call = { method: 'GET' as const, path: '/postback', content_type: '', headers: {}, body: '' }
    const saved = { ...BLANK_DIALECT, preset: 'adjust', names: [{ name: 'activity_kind', means: 'ignored' as const }] }
    expect(parsePostback({ ...call, query: `click_id=${CLICK}&activity_kind=session` }, saved).fields.said).toEqual([
      { kind: 'goal', name: 'activity_kind', value: 'session' },
    ])
  })
})
