import { expect, test } from 'vitest'
import { addressHints, bodyHints, headerHints } from '#web/kit/fields/macro/forgotten.ts'
import { macroProblems, samplePreview } from '#web/kit/fields/macro/macros.ts'

const ALL = [
  { value: 'click_id', label: 'click_id', where: ['offer' as const, 'trafficback' as const] },
  { value: 'sub1', label: 'sub1', where: ['offer' as const] },
  { value: 'reason', label: 'reason', where: ['trafficback' as const] },
  ...['geo', 'sub3', 'offer_id', 'landing_id'].map((value) => ({ value, label: value, where: ['offer' as const] })),
]
const POSTBACK = ['click_id', 'sub1', 'payout', 'status', 'offer_name'].map((value) => ({
  value,
  label: value,
  where: ['postback' as const],
}))
const problemsOf = (text: string) => macroProblems(text, ALL, 'offer').map(({ code, macro }) => `${code} ${macro}`.trim())

test('an address with macros it may use has no problems', () => {
  expect(problemsOf('https://shop.example/?c={click_id}&s={_sub1}&m={sub1:a=1,b=2}')).toEqual([])
  expect(problemsOf('')).toEqual([])
})

test('every problem of an address is told with its macro', () => {
  expect(problemsOf('shop.example')).toEqual(['not_a_url'])
  expect(problemsOf('https://{sub1}.example/?{nope}&{reason}')).toEqual([
    'macro_in_host sub1',
    'unknown_macro nope',
    'macro_not_here reason',
  ])
  expect(problemsOf('shop.example/?s={sub1:a}')).toEqual(['not_a_url', 'bad_map sub1'])
})

test('a preview has samples for macros, and those that are known', () => {
  const preview = (text: string, own = {}) => samplePreview(text, ALL, 'offer', own)
  expect(preview('https://shop.example/?g={geo}&s={_sub3}')).toBe('https://shop.example/?g=PL&s=sub3')
  expect(preview('https://shop.example/?o={offer_id}&l={landing_id}', { landing_id: '7' })).toBe('https://shop.example/?o=17&l=7')
})

test('a preview of a postback fills what is filled when it is sent, and nothing else', () => {
  const preview = (text: string) => samplePreview(text, POSTBACK, 'postback')
  expect(preview('https://pb.example/?c={aff_sub}&p={sum}&n={offer_name}&r={_offer_name}')).toBe(
    'https://pb.example/?c=sub1&p=18.00&n=Summer%20sale&r=Summer%20sale',
  )
  expect(preview('https://pb.example/?a={{click_id}}&b=${click_id}&c=#{click_id}&d={$click_id}&e={click_id}')).toBe(
    'https://pb.example/?a={{click_id}}&b=${click_id}&c=#{click_id}&d={$click_id}&e=01k9x4c0ffee',
  )
  expect(preview('https://pb.example/?s={status:approved=1,declined=2}')).toBe('https://pb.example/?s=1')
  // an alias means something in postbacks alone
  expect(samplePreview('https://shop.example/?c={aff_sub}', ALL, 'offer')).toBe('https://shop.example/?c=%7Baff_sub%7D')
})

test('a fragment, a forgotten placeholder and another system’s macro in a postback are pointed out', () => {
  const hintsOf = (text: string) => addressHints(text).map(({ code, text: of }) => `${code} ${of}`)
  expect(hintsOf('https://pb.example/?c=REPLACE#top')).toEqual(['fragment #top', 'placeholder REPLACE'])
  expect(hintsOf('https://pb.example/?c=##CLICK_ID##&d={click_id}')).toEqual(['placeholder ##CLICK_ID##'])
  expect(hintsOf('https://pb.example/?c=${SUBID}')).toEqual(['placeholder ${SUBID}'])
  expect(hintsOf('https://pb.example/?c={click_id}&status=lead')).toEqual([])
})

const HINTS: [text: string, ...hints: string[]][] = [
  ['?payout={payout', 'brace {payout'],
  ['?p=payout}&c={click_id}', 'brace payout}'],
  ['?c=%CLICKID%', 'placeholder %CLICKID%'],
  ['?c=<click_id>&d=(clickid)&e=REPLACE&f={{x}}', 'placeholder {{x}}, <click_id>, (clickid), REPLACE'],
  ['?c=%7Bclick_id%7D', 'placeholder %7Bclick_id%7D'],
  ['?c=[CLICKID]&d=__ID__&e=%%x%%&f=a@@x@@', 'placeholder %%x%%, @@x@@, [CLICKID], __ID__'],
  ['/REPLACE/CLICKID/x', 'placeholder REPLACE, CLICKID'],
  ['?a=1&amp;b={click_id}&amp;c=2', 'html &amp;'],
  ['?status=reg,dep,lead', 'menu reg,dep,lead'],
  ['?payout=payout', 'placeholder payout'],
]
test.each(HINTS)('of the address of a postback everything forgotten in %s is named', (text, ...hints) => {
  expect(addressHints(`https://pb.example${text}`).map(({ code, text: of }) => `${code} ${of}`)).toEqual(hints)
})

test.each([
  '?c={click_id}&p={payout}&s={status:approved=1,declined=2}&sum={sum}',
  '/clickid/{click_id}/value/{payout}?goal=goal&fields=name,email&x=(1)',
  '/postback/{aff_click_id}',
])('an address without a mistake has no hint: %s', (text) => {
  expect(addressHints(`https://pb.example${text}`)).toEqual([])
})

test('bodies and headers of postbacks are looked through as well', () => {
  const of = (hints: ReturnType<typeof bodyHints>) => hints.map(({ code, text }) => `${code} ${text}`)
  expect(of(bodyHints('c={click_id}\n&p=<payout>&s=reg|dep', 'form'))).toEqual(['placeholder <payout>'])
  expect(of(bodyHints('c=REPLACE&status=reg|dep', 'form'))).toEqual(['placeholder REPLACE', 'menu reg|dep'])
  expect(of(bodyHints('{"c": "{click_id}", "p": {payout}, "list": [{"id": "<id>", "r": "REPLACE"}]}', 'json'))).toEqual([
    'placeholder <id>, REPLACE',
  ])
  expect(of(bodyHints('{"value": "{click_id}", "c": "{{click_id}}", "p": "{payout"}', 'json'))).toEqual([
    'placeholder {{click_id}}',
    'brace {payout',
  ])
  expect(of(headerHints('Bearer REPLACE_ME'))).toEqual(['placeholder REPLACE_ME'])
  expect(of(headerHints('Basic {sub1}'))).toEqual([])
})
