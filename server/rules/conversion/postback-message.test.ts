import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readMessage, type MessageTemplate } from './postback-message.ts'

const of = (changes: Partial<MessageTemplate>): MessageTemplate => ({
  method: 'POST',
  url: 'https://partner.example/in?c={click_id}',
  body_type: 'json',
  body: '{}',
  headers: [],
  ...changes,
})
const json = (body: string) => readMessage(of({ body }))

describe('a JSON body', () => {
  test('keeps numbers, writes texts with their signs escaped, and null for what is missing', () => {
    const { write, errors } = json(
      '{"sum": {payout}, "offer": {offer_id}, "text": "{sub1}", "bare": {sub2}, "none": {sub3}, "empty": "{sub3}", "said": "pay {payout}!", "n": {sub4}}',
    )
    expect(errors).toEqual({})
    const { body } = write({ payout: '10.50', offer_id: '7', sub1: 'a"b\\c\n</script>', sub2: 'x"y', sub4: '12' })
    expect(body).toContain('"sum": 10.50')
    // a text stays one, whatever it holds: its reader knows one type
    expect(JSON.parse(body)).toEqual({
      sum: 10.5,
      offer: 7,
      text: 'a"b\\c\n</script>',
      bare: 'x"y',
      none: null,
      empty: '',
      said: 'pay 10.50!',
      n: '12',
    })
  })

  test('writes what a value is mapped to as it was typed: a number, a yes, a text', () => {
    const { write, errors } = json('{"ok": {status:approved=true,declined=false}, "n": {status:approved=1,declined=x y}}')
    expect(errors).toEqual({})
    expect(JSON.parse(write({ status: 'approved' }).body)).toEqual({ ok: true, n: 1 })
    expect(JSON.parse(write({ status: 'declined' }).body)).toEqual({ ok: false, n: 'x y' })
    expect(JSON.parse(write({ status: 'hold' }).body)).toEqual({ ok: 'hold', n: 'hold' })
  })

  test('leaves other systems’ brackets within quotes, and reads other platforms’ names', () => {
    const { write, errors } = json('{"a": "${SUBID} {{x}}", "sum": {sum}, "quote": "\\"{sub1}"}')
    expect(errors).toEqual({})
    expect(JSON.parse(write({ payout: '3.00', sub1: 'v' }).body)).toEqual({ a: '${SUBID} {{x}}', sum: 3, quote: '"v' })
  })

  test('is JSON whatever the values are', () => {
    const { write } = json('{"a": "{sub1}", "b": {sub2}, "c": {payout}, "{sub3}": [{timestamp}, "{ua}-{_ip}"]}')
    const text = fc.string({ unit: 'binary', maxLength: 40 })
    fc.assert(
      fc.property(text, text, text, (sub1, sub2, payout) => {
        const { a, b } = JSON.parse(write({ sub1, sub2, sub3: sub1, payout, timestamp: sub2, ua: sub1, ip: sub2 }).body)
        expect([a, b]).toEqual([sub1.toWellFormed(), sub2 === '' ? null : sub2.toWellFormed()])
      }),
    )
  })

  test.each([
    ['{"a": }', /not JSON/],
    ['{"a": {nope}}', /no macro \{nope\}/],
    ['{"a": "{nope}"}', /no macro \{nope\}/],
    ['{{status}: 1}', /not JSON/],
    ['', /what the body holds/],
    [`[${Array.from({ length: 101 }, () => '{ua}').join(',')}]`, /100 macros/],
  ])('is refused as %s', (body, text) => {
    expect(json(body).errors.body).toMatch(text)
  })
})

describe('a message', () => {
  test('sends a form as it was typed, with encoded values and the address left whole', () => {
    const { write, errors, macros } = readMessage(
      of({ body_type: 'form', body: 'cid={click_id}\n&st={status:approved=sale}&note=a b&raw={_sub1}' }),
    )
    expect(errors).toEqual({})
    expect(write({ click_id: 'a&b', status: 'approved', sub1: 'x/y z' })).toMatchObject({
      url: 'https://partner.example/in?c=a%26b',
      body: 'cid=a%26b&st=sale&note=a+b&raw=x/y%20z',
    })
    expect(macros).toEqual(['click_id', 'status', 'sub1'])
  })

  test('has no body with GET', () => {
    expect(readMessage(of({ method: 'GET', body: 'no json' })).errors).toEqual({})
    expect(readMessage(of({ method: 'GET', body: '{"a": 1}' })).write({})).toMatchObject({ body: '', body_type: 'query' })
  })

  test('writes headers nothing can break out of, and leaves secrets to whoever sends it', () => {
    const { write, errors } = readMessage(
      of({
        headers: [
          { name: 'X-Sub', value: 'id {sub1}' },
          { name: 'X-Raw', value: '{_sub1}' },
          { name: 'X-Key', value: null },
        ],
      }),
    )
    expect(errors).toEqual({})
    expect(write({ sub1: 'a b\r\nHost: evil ї' }).headers).toEqual([
      { name: 'X-Sub', value: 'id a%20b%0D%0AHost%3A%20evil%20%D1%97' },
      { name: 'X-Raw', value: 'a bHost: evil %D1%97' },
      { name: 'X-Key', value: null },
    ])
    expect(readMessage(of({ headers: [{ name: 'X-A', value: '{nope}' }] })).errors.headers).toMatch(/no macro/)
  })
})

test('macros of other systems leave as they are typed, whatever their signs do to an address', () => {
  const { write, errors } = readMessage(
    of({ method: 'GET', body_type: 'query', body: '', url: 'https://partner.example/in?a=##SUBID##&b=#{id}&c=[ID]&d={sub1}#end' }),
  )
  expect(errors).toEqual({})
  expect(write({ sub1: '##x##' }).url).toBe('https://partner.example/in?a=%23%23SUBID%23%23&b=%23{id}&c=[ID]&d=%23%23x%23%23#end')
})
