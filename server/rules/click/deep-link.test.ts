import { describe, expect, it } from 'vitest'
import { acceptDeepLink, joinDeepLink } from '#server/rules/click/deep-link.ts'

const hosts = ['good.example', '.shop.example']

describe('deep links', () => {
  it('lead to listed hosts over https', () => {
    expect(acceptDeepLink('https://good.example/a?b=c#d', hosts)).toBe('https://good.example/a?b=c#d')
    expect(acceptDeepLink('https://GOOD.example', hosts)).toBe('https://good.example/')
    expect(acceptDeepLink('https://de.shop.example/x', hosts)).toBe('https://de.shop.example/x')
    expect(acceptDeepLink('https://good.example/ü', hosts)).toBe('https://good.example/%C3%BC')
  })

  it.each([
    'http://good.example/',
    'https://good.example.evil.example/',
    'https://good.example@evil.example/',
    'https://evil.example/good.example',
    '//good.example/',
    '//evil.example',
    'https:/\\evil.example',
    'https://good.example\\@evil.example',
    'https://evil.example\\.good.example',
    'https://good.example%00.evil.example/',
    'https://good.example%2eevil.example/',
    'https://xgood.example/',
    'https://shop.example/',
    'https://evilshop.example/',
    'https://good.example:444/',
    'javascript:alert(1)',
    'https://good.example\t.evil.example/',
    'https://gооd.example/',
    'https://good。example/',
    'https://[::1]/',
    'https://good.example./',
    '',
    'https://',
    ' https://good.example/',
    'https://good.example/\r\nSet-Cookie: a=b',
    'data:text/html,x',
    'https:good.example',
    'https:///good.example',
  ])('are ignored when they try %j', (text) => {
    expect(acceptDeepLink(text, hosts)).toBeNull()
  })

  it("carry the query of the offer's own address", () => {
    expect(joinDeepLink('https://good.example/p', 'https://good.example/?aff=1&c=x')).toBe('https://good.example/p?aff=1&c=x')
    expect(joinDeepLink('https://good.example/p?q=1#top', 'https://good.example/?aff=1#f')).toBe('https://good.example/p?q=1&aff=1#top')
    expect(joinDeepLink('https://good.example/p#top', 'https://good.example/')).toBe('https://good.example/p#top')
  })
})
