import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { columnMacros } from '#server/rules/click/click.ts'
import { expand, type MacroPlace } from '#contract/traffic/macro-template.ts'
import { describeTemplateErrors, MACROS, parseTemplate } from '#server/rules/macros.ts'

const errorsOf = (text: string, where: MacroPlace = 'offer') =>
  parseTemplate(text, where).errors.map((error) => `${error.code} ${error.macro}`.trim())
const expanded = (text: string, values: Record<string, string>, where: MacroPlace = 'offer') =>
  expand(parseTemplate(text, where).template, values)

describe('macros', () => {
  it('are URL-encoded, raw with an underscore, or mapped', () => {
    expect(expanded('https://a.example/?s={sub1}&r={_sub1}', { sub1: 'a b&c=d/é' })).toBe(
      'https://a.example/?s=a%20b%26c%3Dd%2F%C3%A9&r=a%20b&c=d/%C3%A9',
    )
    const mapped = 'https://a.example/?st={status:approved=1,declined=2}'
    expect(expanded(mapped, { status: 'approved' }, 'postback')).toBe('https://a.example/?st=1')
    expect(expanded(mapped, { status: 'hold' }, 'postback')).toBe('https://a.example/?st=hold')
    expect(expanded('https://a.example/?s={sub2}x', {})).toBe('https://a.example/?s=x')
  })

  it('that nobody knows, that belong elsewhere or that are badly mapped are errors', () => {
    expect(errorsOf('https://a.example/?x={nope}&y={Sub1}&z={}')).toEqual(['unknown_macro nope', 'unknown_macro Sub1', 'unknown_macro'])
    expect(errorsOf('https://a.example/?x={payout}')).toEqual(['macro_not_here payout'])
    expect(errorsOf('https://a.example/?x={payout}', 'postback')).toEqual([])
    expect(errorsOf('https://a.example/?x={reason}', 'trafficback')).toEqual([])
    expect(errorsOf('https://a.example/?x={sub1:a}')).toEqual(['bad_map sub1'])
    expect(describeTemplateErrors(parseTemplate('https://a.example/?x={nope}', 'offer').errors)).toBe('There is no macro {nope}.')
  })

  it('tell client hints, the referrer and what nothing else read of a click, everywhere; raw, the last are parameters again', () => {
    const hints = '"Chromium";v="131"|?1|"Android"'
    const values = columnMacros({ referrer: 'news.example', referrer_path: '/шлях?', hints, unread: 'utm_term=a%20b&gclid=G-1&x' })
    const text = 'https://a.example/?r={referrer}{referrer_path}&h={hints}&{_unread}&u={unread}&g={gclid}'
    for (const where of ['offer', 'trafficback', 'postback', 'app'] as const) {
      expect(errorsOf(text, where)).toEqual([])
      expect(expanded(text, values, where)).toBe(
        'https://a.example/?r=news.example%2F%D1%88%D0%BB%D1%8F%D1%85%3F&h=%22Chromium%22%3Bv%3D%22131%22%7C%3F1%7C%22Android%22&utm_term=a%20b&gclid=G-1&x&u=utm_term%3Da%2520b%26gclid%3DG-1%26x&g=G-1',
      )
    }
  })

  it('never decide the host', () => {
    for (const text of ['https://{sub1}/', 'https://a{sub1}.example/', 'https://a.example{sub1}', 'https://a.example:{sub1}/']) {
      expect(errorsOf(text)).toContain('macro_in_host sub1')
      expect(expanded(text, { sub1: '.evil.example' })).not.toContain('evil')
    }
    expect(errorsOf('https://a.example/{sub1}')).toEqual([])
    expect(errorsOf('https://a.example?x={sub1}')).toEqual([])
  })

  it('need an http or https address around them', () => {
    for (const text of [
      '',
      'javascript:alert(1)',
      '//a.example/',
      'ftp://a.example',
      'https://',
      'https://a@b.example/',
      'https://a.example\\@evil/',
      '{sub1}',
    ]) {
      expect(errorsOf(text), text).toContain('not_a_url')
    }
  })

  it('keep a host of another script reachable', () => {
    expect(expanded('https://приклад.укр/шлях?x={sub1}', { sub1: '1' })).toBe(
      'https://xn--80aikifvh.xn--j1amh/%D1%88%D0%BB%D1%8F%D1%85?x=1',
    )
  })

  it('never let a hostile value break out of its place or of the header', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.constantFrom('{sub1}', '{_sub1}'), (value, macro) => {
        const result = expanded(`https://good.example/path?x=${macro}`, { sub1: value })
        expect(result).toMatch(/^https:\/\/good\.example\/path\?x=[\x21-\x7e]*$/)
        expect(new URL(result).host).toBe('good.example')
        if (macro === '{sub1}') expect(new URL(result).searchParams.get('x')).toBe(value.toWellFormed())
      }),
    )
  })

  it('are listed once each', () => {
    expect(new Set(MACROS.map((macro) => macro.name)).size).toBe(MACROS.length)
    expect(MACROS.map((macro) => macro.name)).toContain('sub10')
  })
})

it("names of other platforms are read in postbacks, and other people's macros stay as they were typed", () => {
  const values = { payout: '5.00', aff_click_id: 'c 1', transaction_id: 't', sub3: 'x', pid: '7' }
  const read = (url: string, where: 'postback' | 'offer' = 'postback') => {
    const { template, errors } = parseTemplate(url, where)
    return { url: expand(template, values), errors: errors.map(({ code, macro }) => `${code} ${macro}`) }
  }
  const affise = 'https://a.example/pb?s={sum}&t={transactionid}&c={_ref_id}&x={aff_sub3}&p={affid}'
  expect(read(affise)).toEqual({ url: 'https://a.example/pb?s=5.00&t=t&c=c%201&x=x&p=7', errors: [] })
  expect(read(affise, 'offer').errors).toContain('unknown_macro sum')
  for (const typed of [
    '${SUBID}',
    '#{click.id}',
    '{{ob_click_id}}',
    '{$click_id}',
    '##SUBID##',
    '[CLICK_ID]',
    '%%CLICKID%%',
    '__CLICKID__',
  ])
    for (const where of ['postback', 'offer'] as const)
      expect(read(`https://a.example/?c=${typed}&p={pid}`, where)).toEqual({ url: `https://a.example/?c=${typed}&p=7`, errors: [] })
  expect(read('https://a.example/?c={CLICKID}').errors).toEqual(['unknown_macro CLICKID'])
})
