import { expect, test } from 'vitest'
import { macroHints, macroProblems, samplePreview } from '#web/kit/fields/macro/macros.ts'

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
  const hintsOf = (text: string) => macroHints(text, 'postback').map(({ code, text: of }) => `${code} ${of}`)
  expect(hintsOf('https://pb.example/?c=REPLACE#top')).toEqual(['fragment #top', 'placeholder REPLACE'])
  expect(hintsOf('https://pb.example/?c=##CLICK_ID##&d={click_id}')).toEqual(['placeholder ##CLICK_ID##'])
  expect(hintsOf('https://pb.example/?c=${SUBID}')).toEqual(['placeholder ${SUBID}'])
  expect(hintsOf('https://pb.example/?c={click_id}&status=lead')).toEqual([])
})
