import { describe, expect, it } from 'vitest'
import { readClickId, readClickIdKeys } from '#server/rules/click/click-id.ts'
import { NOTHING_TOLD } from '#server/rules/click/user-agent.ts'
import { readClickParameters } from '#server/rules/click/click-parameters.ts'
import { CLICK_COLUMNS, CLICK_FLAG, clickOf, type Click } from '#server/rules/click/click-row.ts'
import { answerClick, encodeRow, type ClickWorld } from '#server/rules/click/click.ts'
import type { SnapshotOffer } from '#server/rules/offer/snapshot.ts'
import { mintTestToken } from '#server/rules/click/test-click.ts'
import { offerOf, TRACKING_KEYS as keys } from '#test/support/make/snapshot.ts'

const offer = offerOf({ url: 'https://shop.example/?c={click_id}&s={sub1}&a={aff_click_id}' })

function answer(query: string, click: Partial<Click> = {}, offerPart: Partial<SnapshotOffer> = {}, world: Partial<ClickWorld> = {}) {
  const whole: ClickWorld = {
    offers: new Map([[1, { ...offer, ...offerPart }]]),
    affiliates: new Map([[5, { id: 5, active: true }]]),
    trafficback: { url: null, groups: {} },
    keys,
    idKeys: readClickIdKeys(keys),
    isDuplicate: () => false,
    ...world,
  }
  const usual = clickOf({
    at: 1_700_000_000_005,
    random: 42,
    parameters: readClickParameters(query),
    address: { shown: '192.0.2.1', stored: '::ffff:192.0.2.1' },
    userAgent: 'Mozilla',
    facts: { ...NOTHING_TOLD, device: 'mobile', os: 'Android', browser: 'Chrome' },
    language: 'uk',
    geo: 'UA',
    visitor: 77,
  })
  return answerClick(whole, { ...usual, ...click })
}
const flagsOf = (result: ReturnType<typeof answer>) => Number(result.row?.flags)

describe('the answer to a click', () => {
  it('is a redirect with the macros filled and a row that the click id names', () => {
    const result = answer('offer_id=1&pid=5&sub1=a%26b&click_id=mine')
    expect(result).toMatchObject({ status: 302, location: `https://shop.example/?c=${result.clickId}&s=a%26b&a=mine`, reason: '' })
    expect(readClickId(result.clickId, readClickIdKeys(keys))).toEqual({ at: 1_700_000_000_005, offerId: 1, affiliateId: 5, random: 42 })
    expect(result.row).toMatchObject({
      ts: '1700000000.005',
      rnd: '42',
      affiliate: '5',
      offer: '1',
      advertiser: '9',
      sub1: 'a&b',
      aff_click_id: 'mine',
      flags: '0',
      visitor: '77',
    })
  })

  it('writes one field per column, escaped', () => {
    const line = encodeRow({ ...answer('offer_id=1&pid=5&sub1=back%5Cslash').row!, ua: 'tab\there\0' })
    expect(line.endsWith('\n')).toBe(true)
    expect(line.split('\t')).toHaveLength(CLICK_COLUMNS.length)
    expect(line).toContain('back\\\\slash')
    expect(line).toContain('tab\\there\\0')
  })

  it('redirects bots, HEAD requests and prefetches with a flag that keeps them out of the count', () => {
    const bot = answer('offer_id=1&pid=5', {
      facts: { ...NOTHING_TOLD, device: 'bot', os: 'Other', browser: 'Other', bot: true },
      head: true,
      prefetch: true,
    })
    expect(bot.status).toBe(302)
    expect(flagsOf(bot)).toBe(CLICK_FLAG.bot | CLICK_FLAG.head | CLICK_FLAG.prefetch)
  })

  it('flags a visitor who was here before', () => {
    expect(flagsOf(answer('offer_id=1&pid=5', {}, {}, { isDuplicate: () => true }))).toBe(CLICK_FLAG.duplicate)
  })

  it('opens a shop of apps with the device ids of the link', () => {
    const url = 'market://details?id=a.b&referrer={click_id}&g={gaid}&i={_idfa}'
    const result = answer('offer_id=1&pid=5&gaid=38400000-8cf0&idfa=A%2FB', {}, { url })
    expect(result).toMatchObject({ status: 302, location: `market://details?id=a.b&referrer=${result.clickId}&g=38400000-8cf0&i=A/B` })
  })

  it('follows a deep link to a listed host and notes one that is not', () => {
    const good = answer(`offer_id=1&pid=5&deeplink=${encodeURIComponent('https://shop.example/p?q=1')}`)
    expect(good.location).toBe(`https://shop.example/p?q=1&c=${good.clickId}&s=&a=`)
    const bad = answer(`offer_id=1&pid=5&deeplink=${encodeURIComponent('https://shop.example@evil.example/')}`)
    expect(bad.location).toBe(`https://shop.example/?c=${bad.clickId}&s=&a=`)
    expect(flagsOf(bad)).toBe(CLICK_FLAG.deeplink_ignored)
  })

  it('is a test only with a token the panel made for this offer and affiliate', () => {
    const at = 1_700_000_000_005
    expect(flagsOf(answer(`offer_id=1&pid=5&test=${mintTestToken(1, 5, at + 5000, keys)}`))).toBe(CLICK_FLAG.test)
    for (const token of [
      mintTestToken(1, 6, at + 5000, keys),
      mintTestToken(1, 5, at - 5000, keys),
      'x',
      '.',
      'zz.'.padEnd(35, 'ш'),
      '1',
    ]) {
      expect(flagsOf(answer(`offer_id=1&pid=5&test=${encodeURIComponent(token)}`))).toBe(0)
    }
  })

  it('of a refused click is the trafficback with its macros, or the plain page, and a row with the reason', () => {
    const away = answer('offer_id=1&pid=5&sub1=x', {}, { active: false, trafficback_url: 'https://tb.example/?r={reason}&s={sub1}' })
    expect(away).toMatchObject({
      status: 302,
      location: 'https://tb.example/?r=offer_inactive&s=x',
      row: { reason: 'offer_inactive', landing: '0' },
    })
    expect(answer('offer_id=1&pid=5', {}, { active: false })).toMatchObject({
      status: 200,
      kind: 'page',
      row: { reason: 'offer_inactive' },
    })
  })

  it('of an unknown link is a 404 without a row', () => {
    expect(answer('offer_id=2&pid=5')).toMatchObject({ status: 404, reason: 'unknown_offer', row: null })
  })
})
