import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { sayCallReason } from '#contract/leads/call-reason.ts'
import { integrationSpec, type IntegrationSpec, type Outcome } from '#contract/leads/integration-spec.ts'
import { buildRequest, type BuiltRequest } from '../build-request.ts'
import { checkSpec } from '../check-spec.ts'
import { judgeAnswer, type Answer } from '../read-answer.ts'
import { readRows, type PulledRow } from '../read-rows.ts'
import { normalStatus, readStatus } from '../status-word.ts'
import { INTEGRATION_PRESETS } from './preset.ts'
import { suggestStatus } from './suggest.ts'

/** One lead, and an account at each advertiser whose texts name themselves. */
const LEAD: Record<string, string> = {
  'lead.first_name': 'Ada',
  'lead.last_name': 'Byron',
  'lead.full_name': 'Ada Byron',
  'lead.email': 'ada@example.com',
  'lead.phone': '+39333000111',
  'lead.password': 'p!ssw0rd-long-enough',
  'lead.country': 'IT',
  'lead.language': 'it',
  'lead.zip': '60610',
  'lead.ip': '203.0.113.5',
  'lead.user_agent': 'UA/1',
  'lead.landing_url': 'https://land.example/x',
  'lead.funnel': 'f1',
  'lead.created_at': '2026-08-01T10:00:00Z',
  'lead.sub1': 'sub-one',
  'send.lead_id': 's-77',
  'product.host': 'https://crm.example',
  'now.at': '2026-08-01T10:00:00Z',
  'now.unix': '1785578400',
  'poll.from': '2026-08-01T00:00:00Z',
  'poll.to': '2026-08-08T00:00:00Z',
  'poll.page': '1',
  'poll.offset': '0',
}
const ACCOUNT: Record<string, string> = { user_id: '46', offer: '128', offer_id: '15', product_id: '9' }

function specOf(key: string): IntegrationSpec {
  const preset = INTEGRATION_PRESETS.find((one) => one.key === key)
  if (preset === undefined) throw new Error(`no preset ${key}`)
  return integrationSpec.parse(preset.spec)
}

function valuesFor(spec: IntegrationSpec): Record<string, string> {
  return { ...LEAD, ...Object.fromEntries(spec.credentials.map(({ key }) => [`cred.${key}`, ACCOUNT[key] ?? key.toUpperCase()])) }
}

function built(spec: IntegrationSpec, request = spec.request, more: Record<string, string> = {}): BuiltRequest {
  const made = buildRequest(request, { ...valuesFor(spec), ...more }, { tables: spec.tables, country: 'IT' })
  if ('missing' in made) throw new Error(`missing ${made.missing.join(', ')}`)
  return made
}

const answer = (body: string, status = 200): Answer => ({ status, failure: '', headers: {}, body })
const json = (value: unknown) => JSON.stringify(value)

test('there are at least fifteen, each can be saved as it is, each says where it comes from', () => {
  expect(INTEGRATION_PRESETS.length).toBeGreaterThanOrEqual(15)
  expect(new Set(INTEGRATION_PRESETS.map(({ key }) => key)).size).toBe(INTEGRATION_PRESETS.length)
  for (const { key, spec, types, notes } of INTEGRATION_PRESETS) {
    const read = integrationSpec.parse(spec)
    expect({ key, mistakes: checkSpec(read) }).toEqual({ key, mistakes: [] })
    expect(types.length).toBeGreaterThan(0)
    expect(notes).not.toBe('')
    // a word that is not written as it is compared would never be found
    for (const word of Object.keys(read.statuses)) expect(normalStatus(word)).toBe(word)
  }
})

/** What goes out, as the public documents and clients write it. */
const SENT: [key: string, expected: Partial<BuiltRequest> & { json?: unknown; form?: Record<string, string> }][] = [
  [
    'trackbox',
    {
      method: 'POST',
      url: 'https://crm.example/api/signup/procform',
      headers: {
        'content-type': 'application/json',
        'x-trackbox-username': 'USERNAME',
        'x-trackbox-password': 'PASSWORD',
        'x-api-key': 'PUSH_KEY',
      },
      json: {
        ai: 'AI',
        ci: 'CI',
        gi: 'GI',
        userip: '203.0.113.5',
        firstname: 'Ada',
        lastname: 'Byron',
        email: 'ada@example.com',
        password: expect.stringMatching(/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[a-zA-Z0-9]{6,12}$/),
        phone: '+39333000111',
        so: 'f1',
        affclickid: 's-77',
        lg: 'IT',
      },
    },
  ],
  [
    'irev',
    {
      method: 'POST',
      url: 'https://crm.example/api/affiliates/v2/leads',
      headers: { 'content-type': 'application/json', authorization: 'TOKEN' },
      json: {
        ip: '203.0.113.5',
        email: 'ada@example.com',
        first_name: 'Ada',
        last_name: 'Byron',
        phone: '+39333000111',
        password: expect.any(String),
        country_code: 'IT',
        lead_language: 'it',
        affiliate_id: 'AFFILIATE_ID',
        offer_id: '15',
        aff_sub4: 'f1',
        aff_sub5: 's-77',
      },
    },
  ],
  [
    'irev_v1',
    {
      url: 'https://crm.example/api/v1/affiliates/leads',
      json: expect.objectContaining({ token: 'TOKEN', profile: expect.objectContaining({ phone: '+39333000111' }), tp_aff_sub: 's-77' }),
    },
  ],
  [
    'hypernet',
    {
      url: 'https://crm.example/api/external/integration/lead',
      headers: { 'content-type': 'application/json', 'x-api-key': 'KEY' },
      json: expect.objectContaining({
        affc: 'AFFC',
        bxc: 'BXC',
        vtc: 'VTC',
        geo: 'IT',
        lang: 'it',
        subId: 's-77',
        profile: expect.objectContaining({ phone: '39333000111' }),
      }),
    },
  ],
  [
    'getlinked',
    {
      url: 'https://crm.example/api/v2/leads',
      form: { areaCode: '39', phone: '333000111', custom1: 's-77', locale: 'it_IT', firstName: 'Ada' },
    },
  ],
  [
    'leadgreed',
    { url: 'https://crm.example/leads', form: { affid: 'AFFID', area_code: '+39', phone: '333000111', _ip: '203.0.113.5', hitid: 's-77' } },
  ],
  [
    'elnopy',
    {
      url: 'https://crm.example/api/v3/integration?api_token=API_TOKEN',
      form: { link_id: 'LINK_ID', fname: 'Ada', fullphone: '+39333000111', click_id: 's-77' },
    },
  ],
  [
    'altercpa_wm',
    {
      url: 'https://crm.example/api/wm/push.json?id=ID&offer=128&flow=FLOW',
      form: { phone: '39333000111', country: 'it', subid: 's-77' },
    },
  ],
  [
    'altercpa_ext',
    {
      url: 'https://crm.example/api/ext/add.json?id=ID',
      json: expect.objectContaining({ id: 's-77', offer: 128, phone: '39333000111', name: 'Ada Byron' }),
    },
  ],
  [
    'cpa_tl',
    {
      url: 'https://crm.example/api/lead/send?return_409_if_broker_declined=true',
      form: { key: 'KEY', id: 's-77', offer_id: '15', country: 'IT', ip_address: '203.0.113.5' },
    },
  ],
  [
    'webvork',
    { url: 'https://crm.example/v1/new-lead', form: { token: 'TOKEN', offer_id: '15', phone: '+39333000111', ip: '203.0.113.5' } },
  ],
  [
    'kma',
    {
      headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: 'Bearer TOKEN' },
      form: { channel: 'CHANNEL', data1: 's-77' },
    },
  ],
  [
    'adcombo',
    {
      method: 'GET',
      body: null,
      url: expect.stringMatching(
        /\/api\/v2\/order\/create\/\?api_key=KEY&offer_id=15&country_code=IT&price=PRICE&name=Ada\+Byron&phone=%2B39333000111.*ext_in_id=s-77&clickid=s-77/,
      ) as string,
    },
  ],
  ['everad', { url: 'https://crm.example/conversion/new', form: { campaign_id: 'CAMPAIGN_ID', sid5: 's-77', country_code: 'IT' } }],
  ['leadbit', { url: 'https://crm.example/api/pub/new-order/TOKEN', form: { flow_hash: 'FLOW_HASH', country: 'it', sub1: 's-77' } }],
  ['m1', { url: 'https://crm.example/send_order/', form: { ref: 'REF', api_key: 'API_KEY', product_id: '9', s: 's-77' } }],
  ['cpagetti', { url: 'https://crm.example/order/register', form: { lang: 'IT', phone: '39333000111', sub1: 's-77' } }],
  [
    'leadprosper',
    { url: 'https://crm.example/direct_post', json: expect.objectContaining({ lp_key: 'KEY', phone: '333000111', zip_code: 60610 }) },
  ],
  [
    'phonexa',
    { url: 'https://crm.example/lead/', json: expect.objectContaining({ apiId: 'API_ID', productId: 9, userIp: '203.0.113.5' }) },
  ],
  [
    'leadbyte',
    {
      headers: { 'content-type': 'application/json', x_key: 'KEY' },
      json: expect.objectContaining({ campid: 'CAMPID', optindate: '01/08/2026 10:00:00' }),
    },
  ],
  ['leadconduit', { url: 'https://crm.example/flows/FLOW/sources/SOURCE/submit', json: expect.objectContaining({ phone_1: '333000111' }) }],
  [
    'bitrix24',
    {
      url: 'https://crm.example/rest/USER/SECRET/crm.lead.add.json',
      json: {
        fields: {
          TITLE: 'Ada Byron',
          NAME: 'Ada',
          LAST_NAME: 'Byron',
          SOURCE_ID: 'SOURCE',
          PHONE: [{ VALUE: '+39333000111', VALUE_TYPE: 'WORK' }],
          EMAIL: [{ VALUE: 'ada@example.com' }],
          ORIGIN_ID: 's-77',
        },
        params: { REGISTER_SONET_EVENT: 'Y' },
      },
    },
  ],
  [
    'cake',
    {
      url: 'https://crm.example/d.ashx',
      form: { ckm_campaign_id: 'CAMPAIGN_ID', ckm_key: 'KEY', phone_home: '333000111' },
      timeoutMs: 120_000,
    },
  ],
]

test.each(SENT)('%s: what goes out', (key, { json: tree, form, ...expected }) => {
  const call = built(specOf(key))
  expect(call).toMatchObject(expected)
  if (tree !== undefined) expect(JSON.parse(call.body ?? '')).toEqual(tree)
  if (form !== undefined) expect(Object.fromEntries(new URLSearchParams(call.body ?? ''))).toMatchObject(form)
})

describe('signed and stepped calls', () => {
  test('terraleads signs the bytes it sends', () => {
    const call = built(specOf('terraleads'))
    expect(call.url).toBe(`https://crm.example/api/lead/create?check_sum=${createHash('sha1').update(`${call.body}KEY`).digest('hex')}`)
    expect(JSON.parse(call.body ?? '')).toMatchObject({
      user_id: 46,
      data: { offer_id: 15, phone: '39333000111', country: 'IT', sub_id: 's-77' },
    })
  })

  test('pandats logs in with a signed time and carries the token', () => {
    const spec = specOf('pandats')
    const [login] = spec.steps
    if (login === undefined) throw new Error('no log-in')
    expect(JSON.parse(built(spec, login.request).body ?? '')).toEqual({
      partnerId: 'PARTNER_ID',
      time: '1785578400',
      accessKey: createHash('sha1').update('PARTNER_ID1785578400SECRET').digest('hex'),
    })
    expect(built(spec, spec.request, { 'step.login.token': 'T1' }).headers.authorization).toBe('Bearer T1')
  })

  test('leadprosper pings without naming anybody, and posts with the bid', () => {
    const spec = specOf('leadprosper_ping')
    const [ping] = spec.steps
    if (ping === undefined) throw new Error('no ping')
    const asked = built(spec, ping.request).body ?? ''
    for (const personal of ['Ada', 'Byron', 'example.com', '333000111']) expect(asked).not.toContain(personal)
    expect(judgeAnswer(answer(json({ status: 'ACCEPTED', ping_id: 'p1', bids: [{ payout: 12.5 }] })), ping.response).extracted.price).toBe(
      '12.5',
    )
    expect(JSON.parse(built(spec, spec.request, { 'step.ping.ping_id': 'p1' }).body ?? '')).toMatchObject({
      lp_ping_id: 'p1',
      first_name: 'Ada',
    })
    expect(buildRequest(spec.request, valuesFor(spec), { tables: {}, country: 'IT' })).toEqual({ missing: ['lp_ping_id'], tooLong: '' })
  })
})

/** What comes back. The texts are those the public documents and clients show. */
const ANSWERED: [key: string, body: string, status: number, outcome: Outcome, extracted?: object][] = [
  [
    'trackbox',
    json({ status: true, data: 'https://in.example/x', addonData: { data: { uniqueid: 'u1' } } }),
    200,
    'accepted',
    { external_id: 'u1', redirect_url: 'https://in.example/x' },
  ],
  ['trackbox', json({ status: false, data: 'Validation errors: password cannot exceed 12 characters' }), 200, 'rejected'],
  ['trackbox', json({ status: false, errorMessage: 'Email already exists' }), 200, 'duplicate'],
  ['trackbox', json({ status: false, errorMessage: 'The domain of the email does not exist' }), 200, 'rejected'],
  ['trackbox', json({ status: false, code: 401, errorMessage: 'Wrong password' }), 200, 'config_error'],
  [
    'irev',
    json({ lead_uuid: '6f', auto_login_url: 'https://in.example' }),
    200,
    'accepted',
    { external_id: '6f', redirect_url: 'https://in.example' },
  ],
  ['irev', json({ code: 422, message: 'Unprocessable', data: { errorMessage: 'Lead duplicate' } }), 422, 'duplicate'],
  ['irev', json({ message: 'Invalid phone' }), 422, 'rejected'],
  ['irev', json({ code: 1, message: 'The e-mail address does not exist' }), 422, 'rejected'],
  ['irev', json({ code: 1, message: 'This e-mail exists' }), 422, 'duplicate'],
  ['irev', '<html>504 Gateway Time-out</html>', 504, 'ambiguous'],
  ['irev_v1', json({ lead_id: 5, auto_login_url: 'https://in.example' }), 200, 'accepted', { external_id: '5' }],
  ['hypernet', json({ success: true, leadId: 'L', redirectUrl: 'https://in.example' }), 200, 'accepted', { external_id: 'L' }],
  ['hypernet', json({ success: false, message: 'Bad phone' }), 200, 'rejected', { error_text: 'Bad phone' }],
  [
    'getlinked',
    json({ details: { leadRequest: { ID: 'xY7' }, redirect: { url: 'https://in.example' } } }),
    201,
    'accepted',
    { external_id: 'xY7' },
  ],
  ['getlinked', json({ message: 'no', errors: [{ message: 'E-mail already exists' }] }), 422, 'duplicate'],
  [
    'leadgreed',
    json({ lead: { id: 77 }, extras: { redirect: { url: 'https://in.example' } } }),
    201,
    'accepted',
    { external_id: '77', redirect_url: 'https://in.example' },
  ],
  ['leadgreed', json({ errors: ['Conflict'] }), 409, 'duplicate'],
  ['leadgreed', json({ errors: ['First name is too short'] }), 400, 'rejected'],
  [
    'elnopy',
    json({ success: true, id: 91, autologin: 'https://in.example', password: 'x' }),
    200,
    'accepted',
    { external_id: '91', password: 'x' },
  ],
  ['elnopy', json({ success: false, message: 'Invalid country' }), 200, 'rejected'],
  ['pandats', json({ data: { status: 'ok' } }), 200, 'accepted'],
  ['pandats', json({ error: [{ code: 'BL002', description: 'exists' }] }), 400, 'duplicate'],
  ['pandats', json({ error: [{ code: 'BL001', description: 'phone' }] }), 400, 'rejected', { error_text: 'phone' }],
  ['altercpa_wm', json({ status: 'ok', id: 4411, url: 'https://in.example' }), 200, 'accepted', { external_id: '4411' }],
  ['altercpa_wm', json({ status: 'error', error: 'key' }), 200, 'config_error'],
  ['altercpa_ext', json({ status: 'error', error: 'request-error' }), 200, 'rejected'],
  ['cpa_tl', json({ id: 440012, payout: 11 }), 200, 'accepted', { external_id: '440012', price: '11' }],
  ['cpa_tl', json({ id: 440012, error: 'broker declined' }), 200, 'rejected'],
  ['cpa_tl', json({ errmsg: 'declined' }), 409, 'rejected'],
  ['terraleads', json({ status: 'ok', data: { id: 9001 } }), 200, 'accepted', { external_id: '9001' }],
  ['terraleads', json({ status: 'error', error: 'Invalid check_sum' }), 403, 'config_error'],
  ['terraleads', json({ status: 'error', error: 'Invalid phone' }), 400, 'rejected'],
  ['webvork', json({ status: 'ok', guid: '9F0A' }), 200, 'accepted', { external_id: '9F0A' }],
  ['webvork', json({ status: 'error', msg: 'phone' }), 200, 'rejected'],
  ['kma', json({ code: 0, order: 771204 }), 200, 'accepted', { external_id: '771204' }],
  ['kma', json({ code: 0, order: 'X' }), 200, 'ambiguous'],
  ['kma', json({ code: 8 }), 200, 'duplicate'],
  ['adcombo', json({ code: 'ok', order_id: 555, is_double: false }), 200, 'accepted', { external_id: '555' }],
  ['adcombo', json({ code: 'ok', order_id: 555, is_double: true }), 200, 'duplicate'],
  ['adcombo', json({ code: 'error', error: 'wrong phone' }), 200, 'rejected'],
  ['everad', json({ ok: true }), 200, 'accepted'],
  ['everad', json({ error: 'phone' }), 400, 'rejected'],
  ['leadbit', json({ status: 'success' }), 200, 'accepted'],
  ['leadbit', json({ status: 'fail', message: 'phone' }), 200, 'rejected'],
  ['m1', json({ result: 'ok', id: 8812 }), 200, 'accepted', { external_id: '8812' }],
  ['m1', json({ result: 'visit_ok' }), 200, 'rejected'],
  ['cpagetti', '-9', 200, 'rejected'],
  ['cpagetti', '-4', 200, 'config_error'],
  ['cpagetti', json({ success: true, id: 3 }), 200, 'accepted', { external_id: '3' }],
  ['leadprosper', json({ id: 'a', lead_id: 'b', status: 'DUPLICATED' }), 200, 'duplicate'],
  ['leadprosper', json({ lead_id: 'b', status: 'ACCEPTED', buyers: [{ payout: 7 }] }), 200, 'accepted', { external_id: 'b', price: '7' }],
  ['leadprosper', json({ status: 'ERROR', message: 'zip' }), 200, 'rejected', { error_text: 'zip' }],
  ['phonexa', json({ status: 1, id: 'q' }), 200, 'accepted', { external_id: 'q' }],
  ['phonexa', json({ status: 2, message: 'rejected' }), 200, 'rejected'],
  ['leadbyte', json({ code: 1, records: [{ status: 'Rejected', response: { code: 0 } }] }), 200, 'rejected'],
  [
    'leadbyte',
    json({ code: 1, records: [{ status: 'Approved', response: { code: 1, leadId: 88 } }] }),
    200,
    'accepted',
    { external_id: '88' },
  ],
  ['leadconduit', json({ outcome: 'success', lead: { id: '682e' }, price: 9.5 }), 201, 'accepted', { external_id: '682e', price: '9.5' }],
  ['leadconduit', json({ outcome: 'failure', reason: 'duplicate lead' }), 201, 'duplicate'],
  ['bitrix24', json({ result: 555 }), 200, 'accepted', { external_id: '555' }],
  ['bitrix24', json({ error: 'INVALID_CREDENTIALS', error_description: 'no' }), 401, 'config_error'],
  ['bitrix24', json({ error: 'QUERY_LIMIT_EXCEEDED' }), 200, 'temporary'],
  ['cake', '<result><code>0</code><msg>success</msg><leadid>AB1</leadid></result>', 200, 'accepted', { external_id: 'AB1' }],
  [
    'cake',
    '<result><code>1</code><msg>error</msg><errors><error>Invalid zip</error></errors></result>',
    200,
    'rejected',
    { error_text: 'Invalid zip' },
  ],
]

test.each(ANSWERED)('%s answers %s (%i): %s', (key, body, code, outcome, extracted) => {
  const judged = judgeAnswer(answer(body, code), specOf(key).response)
  expect(judged.outcome).toBe(outcome)
  if (extracted !== undefined) expect(judged.extracted).toMatchObject(extracted)
})

test('no preset finds an answer too long, whatever it says', () => {
  const words = 'no word of theirs '.repeat(4000)
  const bodies = [words, json({ message: words, error: words, errors: [{ message: words }], data: { errorMessage: words }, errmsg: words })]
  for (const { key, spec } of INTEGRATION_PRESETS)
    for (const body of bodies)
      expect([key, judgeAnswer(answer(body), integrationSpec.parse(spec).response).reason]).not.toContain(sayCallReason('too_slow'))
})

test('no preset takes an answer for an acceptance that says none', () => {
  const nothings = [
    '',
    '{}',
    '[]',
    'OK',
    '<html><body>success</body></html>',
    json({ success: false }),
    json({ status: 'error' }),
    json({ error: 'x' }),
  ]
  for (const { key } of INTEGRATION_PRESETS)
    for (const body of nothings) expect([key, body, judgeAnswer(answer(body), specOf(key).response).outcome]).not.toContain('accepted')
})

/** What became of leads, as each tells it. */
const PULLED: [key: string, body: unknown, rows: Partial<PulledRow>[], meanings: (string | undefined)[]][] = [
  [
    'trackbox',
    {
      status: true,
      data: [
        { customerData: { uniqueid: 'u1', call_status: 'HungUp', depositor: 0 } },
        { customerData: { uniqueid: 'u2', call_status: 'NOTINTERESTED', depositor: '1' } },
      ],
    },
    [
      { id: 'u1', isSale: false },
      { id: 'u2', isSale: true },
    ],
    ['no_answer', 'not_interested'],
  ],
  [
    'irev',
    [
      { leadUuid: '6f', saleStatus: 'No answer' },
      { lead_uuid: '70', saleStatus: 'Depositor' },
    ],
    [{ id: '6f' }, { id: '70', isSale: true }],
    ['no_answer', 'sale'],
  ],
  ['irev_v1', { data: [{ id: 5, sale_status: 'callback', has_conversion: true }] }, [{ id: '5', isSale: true }], ['callback']],
  [
    'hypernet',
    { count: 1, rows: [{ id: 'L', isDeposited: false, registration: { status: 'sent', rawStatus: 'NO_ANSWER' } }] },
    [{ id: 'L', isSale: false }],
    ['no_answer'],
  ],
  [
    'getlinked',
    { items: [{ leadRequestIDEncoded: 'xY7', saleStatus: 'Call again', hasFTD: 1 }] },
    [{ id: 'xY7', isSale: true }],
    ['callback'],
  ],
  [
    'leadgreed',
    [{ id: 77, sale_status: 'ftd', first_time_deposit: '2026-08-02' }],
    [{ id: '77', isSale: true, at: '2026-08-02' }],
    ['sale'],
  ],
  ['elnopy', { data: [{ id: 91, status: 'Wrong number', acq: 0 }] }, [{ id: '91', isSale: false }], ['unreachable']],
  [
    'altercpa_ext',
    [
      { uid: 's-77', stage: 'approve', custom: '' },
      { uid: 's-78', stage: 'wait', custom: 'Depozit' },
      { uid: 's-79', stage: 'wait', custom: 'No deposit yet' },
    ],
    [
      { id: 's-77', isSale: false },
      { id: 's-78', isSale: true },
      { id: 's-79', isSale: false },
    ],
    ['sale', 'new', 'new'],
  ],
  [
    'cpa_tl',
    { count: 1, leads: [{ id: 4, id2: 's-77', status: 'confirmed', status_code: 10, fee: 11 }] },
    [{ id: 's-77', isSale: true, amount: '11' }],
    ['sale'],
  ],
  ['terraleads', { status: 'ok', data: { id: 9001, status: 'confirm' } }, [{ id: '9001' }], ['sale']],
  [
    'webvork',
    [
      { guid: '9F', status: 'confirmed', money: 20 },
      { guid: 'A0', status: 'strange' },
    ],
    [{ id: '9F', amount: '20' }, { id: 'A0' }],
    ['sale', undefined],
  ],
  [
    'm1',
    {
      result: [
        { m1_id: 8812, status: 1 },
        { m1_id: 8813, status: 4 },
      ],
    },
    [{ id: '8812' }, { id: '8813' }],
    ['sale', undefined],
  ],
]

test.each(PULLED)('%s tells what became of leads', (key, body, rows, meanings) => {
  const spec = specOf(key)
  if (spec.pull === null) throw new Error('no pull')
  const page = readRows(answer(json(body)), spec.pull)
  if ('error' in page) throw new Error(page.error)
  expect(page.rows).toMatchObject(rows)
  expect(page.rows.map(({ status }) => readStatus(status, spec.statuses))).toEqual(meanings)
})

test.each([
  [
    'trackbox',
    (day: unknown) => ({ status: true, data: [{ customerData: { uniqueid: 'u', call_status: 'New', first_depositDate: day } }] }),
  ],
  ['hypernet', (day: unknown) => ({ rows: [{ id: 'L', depositedAt: day }] })],
  ['leadgreed', (day: unknown) => [{ id: 7, first_time_deposit: day }]],
])('%s bills no day that is none', (key, bodyOf) => {
  const { pull } = specOf(key)
  if (pull === null) throw new Error('no pull')
  const sold = (day: unknown) => {
    const page = readRows(answer(json(bodyOf(day))), pull)
    return 'error' in page ? page.error : page.rows.map(({ isSale }) => isSale)
  }
  for (const none of [null, '', '0', 0, false, 'null', '0000-00-00 00:00:00']) expect([none, sold(none)]).toEqual([none, [false]])
  for (const day of ['2026-08-02', '02/08/2026 10:00:00', 1785578400]) expect([day, sold(day)]).toEqual([day, [true]])
})

test('every pull can be asked, and an error is never an empty list', () => {
  for (const { key } of INTEGRATION_PRESETS) {
    const spec = specOf(key)
    if (spec.pull === null) continue
    const call = built(spec, spec.pull.request, { 'poll.ids': '1', 'poll.each_id': '1\n2' })
    expect(call.url).toMatch(/^https:\/\/crm\.example\//)
    for (const body of ['<html>log in</html>', 'Error', ''])
      expect([key, 'error' in readRows(answer(body), spec.pull)]).toEqual([key, true])
  }
  const days = new URL(built(specOf('cpa_tl'), specOf('cpa_tl').pull?.request).url).searchParams.getAll('date[]')
  expect(days).toEqual(['2026-08-01', '2026-08-08'])
  expect(built(specOf('webvork'), specOf('webvork').pull?.request, { 'poll.each_id': 'a\nb' }).url).toContain('guids%5B%5D=a&guids%5B%5D=b')
})

test('a word of money that went back is suggested as what came back', () => {
  const words = ['chargeback', 'charge_back', 'Charged back', 'refunded', 'chargeback won by bank']
  expect(words.map((word) => suggestStatus(normalStatus(word)))).toEqual(words.map(() => 'returned'))
})
