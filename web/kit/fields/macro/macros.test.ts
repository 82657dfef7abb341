import { expect, test } from 'vitest'
import { macroHints, macroProblems, samplePreview } from '#web/kit/fields/macro/macros.ts'

const ALL = [
  { value: 'click_id', label: 'click_id', where: ['offer' as const, 'trafficback' as const] },
  { value: 'sub1', label: 'sub1', where: ['offer' as const] },
  { value: 'reason', label: 'reason', where: ['trafficback' as const] },
]
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
})

test('a preview has samples for macros and leaves the unknown as it is', () => {
  expect(samplePreview('https://shop.example/?g={geo}&s={_sub3}&x={nope}', ALL)).toBe('https://shop.example/?g=PL&s=sub3&x={nope}')
  expect(samplePreview('https://shop.example/?o={offer_id}&l={landing_id}', ALL, { landing_id: '7' })).toBe(
    'https://shop.example/?o=17&l=7',
  )
})

test('a fragment, a forgotten placeholder and another system’s macro in a postback are pointed out', () => {
  const hintsOf = (text: string) => macroHints(text, 'postback').map(({ code, text: of }) => `${code} ${of}`)
  expect(hintsOf('https://pb.example/?c=REPLACE#top')).toEqual(['fragment #top', 'placeholder REPLACE'])
  expect(hintsOf('https://pb.example/?c=##CLICK_ID##&d={click_id}')).toEqual(['placeholder ##CLICK_ID##'])
  expect(hintsOf('https://pb.example/?c=${SUBID}')).toEqual(['placeholder ${SUBID}'])
  expect(hintsOf('https://pb.example/?c={click_id}&status=lead')).toEqual([])
})
