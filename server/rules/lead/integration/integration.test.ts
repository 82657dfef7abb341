import { createHash, createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { pullSpec, requestSpec, responseSpec } from '#contract/leads/integration-spec.ts'
import { buildRequest, type BuiltRequest } from './build-request.ts'
import { judgeAnswer, type Answer } from './read-answer.ts'
import { readRows } from './read-rows.ts'
import { allowance, fill, readTemplate } from './template.ts'

const CONTEXT = { tables: { countries: { IT: '48162' } }, country: 'IT' }
const LEAD = {
  'lead.first_name': 'Ada',
  'lead.full_name': 'Ada Byron King',
  'lead.phone': '+39 06 1234 5678',
  'lead.email': 'ada+1@example.com',
  'lead.country': 'IT',
  'lead.created_at': '2026-10-25T00:30:00Z',
  'lead.password': 'p!ss',
  'lead.tail': '/../admin?x=1',
  'cred.key': 'K',
  'product.host': 'https://api.example.com/v1',
  'send.lead_id': '7f',
}
const filled = (text: string) => fill(readTemplate(text).template, LEAD, CONTEXT, allowance())

describe('templates', () => {
  test.each([
    ['{{lead.first_name}} & {{lead.nobody}}.', 'Ada & .'],
    ['{{lead.full_name | first_word}}/{{lead.full_name | rest_words}}', 'Ada/Byron King'],
    [
      "{{lead.phone | e164}} {{lead.phone | digits}} {{lead.phone|national}} {{lead.phone|dial_code|prefix:'+'}}",
      '+390612345678 390612345678 0612345678 +39',
    ],
    ["{{lead.country | lookup:countries,'0'}} {{lead.first_name | lookup:countries,'0'}}", '48162 0'],
    ["{{lead.created_at | date:'DD/MM/YYYY HH:mm:ss Z','Europe/Rome'}}", '25/10/2026 02:30:00 +02:00'],
    ['{{lead.created_at | date:unix}} {{lead.first_name | date:unix}}', '1792888200 '],
    ["{{lead.nobody | default:'a, b | c'}}", 'a, b | c'],
    ['{{lead.email | hash:md5}}', createHash('md5').update('ada+1@example.com').digest('hex')],
    ['{{lead.first_name | hmac:sha1,cred.key}}', createHmac('sha1', 'K').update('Ada').digest('hex')],
    ['{{lead.first_name | hash:rot13}}', ''],
    ['{{lead.first_name | lookup:__proto__}}{{lead.first_name | lookup:constructor}}', ''],
  ])('%s', (text, expected) => expect(filled(text)).toBe(expected))

  test('a password is mended the same way each time', () => {
    expect(filled('{{lead.password | password:12}}')).toMatch(/^pss[A-Z][a-z]\d$/)
    expect(filled('{{lead.password | password:12}}')).toBe(filled('{{lead.password | password:12}}'))
  })

  test.each([
    ['{{lead.first_name', 'open'],
    ['{{}}', 'unknown_macro'],
    ['{{lead.shoe}}', 'unknown_macro'],
    ['{{lead.first_name | hmac:sha1,cred.other}}', 'unknown_macro'],
    ['{{lead.first_name | eval}}', 'unknown_transform'],
    ['{{lead.first_name | toString}}', 'unknown_transform'],
    ['{{lead.first_name | hash}}', 'arguments'],
    [`{{lead.first_name ${'| lower '.repeat(41)}}}`, 'too_many'],
  ])('%s must not be saved: %s', (text, code) => {
    expect(readTemplate(text, (macro) => Object.hasOwn(LEAD, macro)).mistakes.map((one) => one.code)).toContain(code)
  })
})

describe('requests', () => {
  const build = (spec: Parameters<typeof requestSpec.parse>[0]) => buildRequest(requestSpec.parse(spec), LEAD, CONTEXT)

  test('JSON with numbers as they are, lists, and a list at the top', () => {
    const nodes = [
      { path: '0.id', type: 'number', value: '12345678901234567890' },
      { path: '0.phones.0.VALUE', value: '{{lead.phone | strip_plus}}' },
      { path: '0.ok', type: 'bool', value: '1' },
      { path: '0.empty', value: '{{lead.nobody}}' },
      { path: '0.kept', value: '{{lead.nobody}}', omit_if_empty: false },
      { path: '__proto__.x', value: 'y' },
    ]
    expect(build({ method: 'POST', url: '{{product.host}}/lead', body: 'json', nodes })).toMatchObject({
      url: 'https://api.example.com/v1/lead',
      headers: { 'content-type': 'application/json' },
      body: '[{"id":12345678901234567890,"phones":[{"VALUE":"39 06 1234 5678"}],"ok":true,"kept":""}]',
    })
    expect(({} as { x?: string }).x).toBeUndefined()
  })

  test('what a lead brings never leaves its place in path, query, header, form or XML', () => {
    const hostile = { ...LEAD, 'lead.first_name': 'a\r\nx: 1&b=2</Name><Admin/>' }
    const spec = {
      method: 'POST' as const,
      url: '{{product.host}}/{{lead.tail}}',
      query: [{ name: 'n', value: '{{lead.first_name}}' }],
      headers: [{ name: 'X-Name', value: '{{lead.first_name}}' }],
    }
    const form = buildRequest(
      requestSpec.parse({ ...spec, body: 'form', nodes: [{ path: 'params[sub1]', value: '{{lead.first_name}}' }] }),
      hostile,
      CONTEXT,
    ) as BuiltRequest
    expect(form.url).toBe('https://api.example.com/v1/%2F..%2Fadmin%3Fx%3D1?n=a%0D%0Ax%3A+1%26b%3D2%3C%2FName%3E%3CAdmin%2F%3E')
    expect(form.headers['x-name']).toBe('ax: 1&b=2</Name><Admin/>')
    expect(new URLSearchParams(form.body ?? '').get('params[sub1]')).toBe(hostile['lead.first_name'])
    const xml = buildRequest(
      requestSpec.parse({ ...spec, body: 'xml', nodes: [{ path: 'Lead.Name', value: '{{lead.first_name}}' }] }),
      hostile,
      CONTEXT,
    ) as BuiltRequest
    expect(xml.body).not.toContain('<Admin')
  })

  const often = "| replace:'a','aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' "
  test.each([
    ['that grows with every transform', `{{lead.first_name ${often.repeat(18)}}}`],
    ['that is worked on far too often', `{{lead.long ${`| replace:'${'a'.repeat(30)}b','x' `.repeat(38)}}}`],
    ['of many macros', '{{lead.long}}'.repeat(100)],
  ])('a text %s is refused by its name within milliseconds, and nothing more is worked out', (_, value) => {
    const nodes = Array.from({ length: 200 }, (_one, at) => ({ path: `data.name${at}`, value }))
    const spec = requestSpec.parse({ method: 'POST', url: '{{product.host}}/create', body: 'json', nodes })
    const before = performance.now()
    expect(buildRequest(spec, { ...LEAD, 'lead.long': 'a'.repeat(50_000) }, CONTEXT)).toEqual({
      missing: [],
      tooLong: expect.stringMatching(/^data\.name\d$/),
    })
    expect(performance.now() - before).toBeLessThan(400)
  })

  test('a body that grows too long in all is refused as one, and so is an address', () => {
    const node = { path: 'x', value: "{{lead.long | replace:'a','bbbbbbbbbbbb'}}" }
    const long = { ...LEAD, 'lead.long': 'a'.repeat(20_000) }
    const nodes = Array.from({ length: 6 }, (_, at) => ({ ...node, path: `x${at}` }))
    const of = (spec: object) => buildRequest(requestSpec.parse({ method: 'POST', url: '{{product.host}}', ...spec }), long, CONTEXT)
    expect(of({ body: 'form', nodes })).toEqual({ missing: [], tooLong: 'body' })
    expect(of({ body: 'form', nodes: nodes.slice(2) })).toMatchObject({ method: 'POST' })
    expect(of({ url: `{{product.host}}/${'{{lead.long}}'.repeat(20)}` })).toEqual({ missing: [], tooLong: 'url' })
  })

  test('braces nobody closes are read in one pass', () => {
    const before = performance.now()
    expect(readTemplate('{{'.repeat(100_000)).mistakes.map(({ code }) => code)).toEqual(['open'])
    expect(performance.now() - before).toBeLessThan(400)
  })

  test('a signature is over the bytes that go out', () => {
    const built = build({
      method: 'POST',
      url: '{{product.host}}/create',
      body: 'json',
      nodes: [{ path: 'data.name', value: '{{lead.first_name}}' }],
      query: [{ name: 'check_sum', value: '{{request.body | concat:cred.key | hash:sha1}}' }],
    }) as BuiltRequest
    expect(built.url).toContain(createHash('sha1').update(`${built.body}K`).digest('hex'))
  })

  test('what is missing is named, and nothing is sent', () => {
    expect(build({ method: 'GET', url: 'https://a.example', nodes: [{ path: 'zip', value: '{{lead.zip}}', required: true }] })).toEqual({
      missing: ['zip'],
      tooLong: '',
    })
  })
})

describe('answers', () => {
  const answer = (body: string, status: number | null = 200, more: Partial<Answer> = {}): Answer => ({
    status,
    failure: '',
    headers: {},
    body,
    ...more,
  })
  const trackBox = responseSpec.parse({
    rules: [
      {
        when: [
          { at: 'status', op: 'truthy' },
          { at: 'addonData.data.uniqueid', op: 'exists' },
        ],
        outcome: 'accepted',
      },
      { when: [{ at: 'code', op: 'in', value: '401\n403' }], outcome: 'config_error' },
      { when: [{ at: 'errorMessage', op: 'contains', value: 'duplicate' }], outcome: 'duplicate' },
      {
        when: [
          { at: 'status', op: 'falsy' },
          { at: 'status', op: 'exists' },
        ],
        outcome: 'rejected',
      },
    ],
    extract: {
      external_id: ['addonData.data.uniqueid'],
      redirect_url: ['data', 'addonData.data.loginURL'],
      error_text: ['errorMessage', 'data'],
    },
  })

  test.each([
    ['{"status":true,"data":"https://in.example","addonData":{"data":{"uniqueid":"u1"}}}', 'accepted'],
    ['\uFEFFWarning: x <br/> {"status":"1","addonData":{"data":{"uniqueid":7}}}', 'accepted'],
    ['{"status":true,"data":"https://in.example"}', 'ambiguous'],
    ['{"status":false,"code":401,"errorMessage":"Bad password"}', 'config_error'],
    ['{"status":false,"errorMessage":"Duplicate e-mail"}', 'duplicate'],
    ['{"status":false,"data":"Validation errors: phone"}', 'rejected'],
    ['<html><body>Welcome, status true</body></html>', 'ambiguous'],
    ['', 'ambiguous'],
    ['true', 'ambiguous'],
  ])('%s is %s', (body, outcome) => expect(judgeAnswer(answer(body), trackBox).outcome).toBe(outcome))

  test('what stands beside a yes is no reason, though the same place tells of errors', () => {
    const taken = '{"status":true,"data":"https://in.example/auto?t=1","addonData":{"data":{"uniqueid":"u1"}}}'
    expect(judgeAnswer(answer(taken), trackBox)).toMatchObject({ reason: '', extracted: { redirect_url: 'https://in.example/auto?t=1' } })
    expect(judgeAnswer(answer('{"status":false,"data":"Wrong phone"}'), trackBox).reason).toBe('Wrong phone')
  })

  test('what no database holds is left out of what they say, so that a clear answer stays one', () => {
    expect(judgeAnswer(answer('{"status":false,"data":"no\\u0000pe \\ud800"}'), trackBox).reason).toBe('nope \uFFFD')
    const taken = '{"status":true,"addonData":{"data":{"uniqueid":"u\\u00001"}}}'
    expect(judgeAnswer(answer(taken), trackBox)).toMatchObject({ outcome: 'accepted', extracted: { external_id: 'u1' } })
  })

  test('of a long error text no part of a word is kept, which nobody would know for what it is a part of', () => {
    const long = `${'Wrong '.repeat(82)}ada.lovelace@mail.example`
    const { reason } = judgeAnswer(answer(JSON.stringify({ status: false, data: long })), trackBox)
    expect(reason).toBe('Wrong '.repeat(82))
    const word = judgeAnswer(answer(JSON.stringify({ status: false, data: `No ${'x'.repeat(600)}` })), trackBox)
    expect(word.reason.length).toBeLessThan(500)
  })

  test('a success by HTTP alone is nobody’s acceptance', () => {
    expect(judgeAnswer(answer('{"success":false}'), responseSpec.parse({ rules: [] })).outcome).toBe('ambiguous')
  })

  test.each([
    [answer('', null, { failure: 'connect' }), 'temporary'],
    [answer('', null, { failure: 'timeout' }), 'ambiguous'],
    [answer('', null, { failure: 'refused' }), 'config_error'],
    [answer('busy', 503), 'temporary'],
    [answer('slow down', 429), 'temporary'],
    [answer('no', 401), 'config_error'],
    [answer('oops', 500), 'ambiguous'],
  ])('%j without a rule is %s', (one, outcome) => expect(judgeAnswer(one, trackBox).outcome).toBe(outcome))

  test('a rule without a reason says which it was, and who was cut off is not called slow', () => {
    const spec = responseSpec.parse({
      rules: [
        { when: [{ at: '', op: 'eq', value: '201' }], outcome: 'accepted' },
        { when: [{ at: '', op: 'eq', value: '401' }], outcome: 'config_error' },
      ],
    })
    expect(judgeAnswer(answer('', 401), spec)).toMatchObject({ outcome: 'config_error', reason: 'HTTP 401, as rule 2 says' })
    expect(judgeAnswer(answer('', 201), spec)).toMatchObject({ outcome: 'accepted', reason: '' })
    const cut = judgeAnswer(answer('', null, { failure: 'cut' }), spec)
    expect(cut).toMatchObject({ outcome: 'ambiguous', reason: 'The connection was cut before they answered' })
  })

  test('XML, a map by code, a text inside a text, a header and a pattern are read', () => {
    const spec = responseSpec.parse({
      rules: [
        { when: [{ at: 'status.operation_status', op: 'eq', value: 'failed' }], outcome: 'rejected' },
        { when: [{ at: 'errors.$keys', op: 'eq', value: '203103' }], outcome: 'duplicate' },
        {
          when: [
            { at: '', op: 'eq', value: '3xx' },
            { at: 'header:location', op: 'matches', value: 'clickid=([a-z0-9]{4})' },
          ],
          outcome: 'accepted',
        },
        { when: [{ at: 'values.$json.user_id', op: 'gt', value: '0' }], outcome: 'accepted' },
      ],
      extract: { external_id: ['values.$json.user_id', 'matches:clickid=([a-z0-9]{4})'], error_text: ['status.errors.error', 'errors.*'] },
    })
    const xml = judgeAnswer(
      answer('<status><operation_status>failed</operation_status><errors><error>taken</error></errors></status>'),
      spec,
    )
    expect(xml).toMatchObject({ outcome: 'rejected', reason: 'taken' })
    expect(judgeAnswer(answer('{"errors":{"203103":"double"}}'), spec)).toMatchObject({ outcome: 'duplicate', reason: 'double' })
    expect(judgeAnswer(answer('{"values":"{\\"user_id\\":91}"}'), spec)).toMatchObject({
      outcome: 'accepted',
      extracted: { external_id: '91' },
    })
    expect(judgeAnswer(answer('', 302, { headers: { location: 'https://x.example/?clickid=ab12' } }), spec)).toMatchObject({
      outcome: 'accepted',
      rule: 2,
    })
  })

  test('a pattern that would never end, ends', () => {
    const spec = responseSpec.parse({ rules: [{ when: [{ at: 'text', op: 'matches', value: '(a+)+$' }], outcome: 'rejected' }] })
    expect(judgeAnswer(answer(`${'a'.repeat(50_000)}!`), spec).outcome).toBe('ambiguous')
  })

  test('patterns that take too long for an answer say nothing of it, however many there are; what was found before stands', () => {
    const body = 'ab'.repeat(100_000)
    const slow = { at: 'text', op: 'matches', value: '(?:[ab]+){1,40}\\d' }
    const rules = Array.from({ length: 50 }, () => ({ when: Array.from({ length: 10 }, () => slow), outcome: 'rejected' }))
    const last = { when: [{ at: '', op: 'eq', value: '200' }], outcome: 'accepted' }
    const began = performance.now()
    expect(judgeAnswer(answer(body), responseSpec.parse({ rules: [...rules, last].slice(-50) }))).toMatchObject({
      outcome: 'ambiguous',
      rule: null,
      reason: 'The patterns of the integration take too long for this answer',
    })
    expect(judgeAnswer(answer(body), responseSpec.parse({ rules: [last, ...rules.slice(1)] }))).toMatchObject({
      outcome: 'accepted',
      rule: 0,
    })
    // one that was saved when nobody minded is never run
    const long = { when: [{ at: 'text', op: 'matches', value: '(?:a|b|ab|ba){0,300}(?:.*[ab]){15}\\d' }], outcome: 'rejected' }
    expect(judgeAnswer(answer(body), responseSpec.parse({ rules: [long, last] })).outcome).toBe('ambiguous')
    const pull = pullSpec.parse({
      request: { method: 'GET', url: '{{product.host}}' },
      by: 'window',
      rows: ['rows'],
      id: ['id'],
      sale_when: [slow],
    })
    const rows = Array.from({ length: 5000 }, (_, id) => ({ id }))
    expect(readRows(answer(JSON.stringify({ rows, body })), pull)).toEqual({
      error: 'The patterns of the integration take too long for this answer',
      refused: false,
    })
    // some seconds on a slow machine; without a bound it is hours
    expect(performance.now() - began).toBeLessThan(60_000)
  })
})
