import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countryNumber } from '#server/platform/geo/country.ts'
import { NO_NETWORK, type Network } from '#server/platform/geo/network.ts'
import { NOWHERE, type Place } from '#server/platform/geo/place.ts'
import { readAddress } from '#server/platform/address.ts'
import { readClickIdKeys } from '#server/rules/click/click-id.ts'
import { encodeRow, type ClickWorld } from '#server/rules/click/click.ts'
import { sipKey } from '#server/rules/click/siphash.ts'
import type { SnapshotAffiliate, SnapshotOffer } from '#server/rules/offer/snapshot.ts'
import { BROWSERS, DEVICES, OPERATING_SYSTEMS } from '#server/rules/click/user-agent.ts'
import { createSnapshotCompiler } from '#server/tracker/core/compiled.ts'
import { createCore, LONGEST_ROW, type CoreRequest } from '#server/tracker/core/core.ts'
import { ROOM } from '#server/tracker/spool/spool.ts'
import { createDuplicateMemory } from '#server/tracker/core/duplicates.ts'
import { answerPlainly } from '#server/tracker/core/plain-path.ts'
import { createClickHeaders, keepTold, LONGEST, type ClickHeaders } from '#server/tracker/core/told.ts'
import { Query } from '#server/tracker/core/query.ts'
import { createUserAgentTable } from '#server/tracker/core/user-agent-table.ts'
import { offerOf, TRACKING_KEYS as keys } from '#test/support/make/snapshot.ts'

const NOW = 1_763_000_000_000
const bytesOf = (...fields: (string | number)[]) => Buffer.from(fields.join('\t'), 'utf8').toString('latin1')
const openedPlace = (country: string, region: string, city: string): Place => ({
  country: countryNumber(country),
  region,
  city,
  bytesFields: bytesOf(region, city),
})
const openedNetwork = (asn: number, name: string): Network => ({
  asn,
  label: name,
  connection: 'cellular',
  bytesFields: bytesOf(name, 'cellular'),
})
const idKeys = readClickIdKeys(keys)
const visitorKey = sipKey(keys.visitor)
const userAgents = createUserAgentTable(visitorKey)

const USER_AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 14; \\back) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/122.0.0.0 Mobile Safari/537.36',
  'Googlebot/2.1',
  '',
  'caf\u00c3\u00a9 \u00ff \\',
  'x'.repeat(900),
]

const template = fc
  .array(
    fc.oneof(
      fc.constantFrom('a', '?x=', '&y=', '/', 'é', '%41', ' ', '"', '#'),
      fc
        .constantFrom(
          'click_id',
          'aff_click_id',
          'pid',
          'offer_id',
          'offer_name',
          'sub1',
          'sub10',
          'source',
          'landing_id',
          'geo',
          'ip',
          'ua',
          'os',
          'browser',
          'device',
          'language',
          'timestamp',
          'date',
          'random',
          'idfa',
          'gaid',
          'reason',
          'payout',
          'region',
          'gclid',
          'nope',
        )
        .chain((name) => fc.constantFrom(`{${name}}`, `{_${name}}`, `{${name}}`, `{${name}}`, `{${name}:a=b}`)),
    ),
    { maxLength: 8 },
  )
  .map((parts) => `https://shop.example/p?${parts.join('')}`)

const targets = <Value extends string>(values: readonly Value[]) =>
  rarely(fc.record({ mode: fc.constantFrom('include' as const, 'exclude' as const), values: fc.subarray([...values, 'Nonsense']) }))
const moment = rarely(fc.integer({ min: -2, max: 2 }).map((step) => NOW + step))

const offer = (id: number): fc.Arbitrary<SnapshotOffer> =>
  fc.record({
    id: fc.constant(id),
    advertiser_id: fc.integer({ min: 1, max: 50 }),
    advertiser_active: often(true, false),
    active: often(true, false),
    start_at: moment,
    stop_at: moment,
    open: often(true, false),
    access: fc.subarray([1, 2, 3]),
    denied: fc.oneof({ weight: 4, arbitrary: fc.constant<number[]>([]) }, { weight: 1, arbitrary: fc.subarray([1, 2, 3]) }),
    url: template,
    landings: fc.uniqueArray(
      fc.record({
        id: fc.integer({ min: 1, max: 6 }),
        url: template,
        weight: fc.integer({ min: 0, max: 3 }),
        kind: often('landing' as const, 'prelanding' as const),
        active: often(true, false),
        only: fc.constantFrom(undefined, undefined, [1, 2], []),
      }),
      { maxLength: 3, selector: (landing) => landing.id },
    ),
    targeting: fc.record({
      geo: targets(['UA', 'PL', 'ZZ']),
      device: targets(DEVICES),
      os: targets(OPERATING_SYSTEMS),
      browser: targets(BROWSERS),
      language: targets(['en', 'uk', '']),
    }),
    deep_link_hosts: fc.constant([]),
    trafficback_url: fc.option(template),
    redirect: fc.constantFrom('302' as const, '307' as const, 'meta' as const, 'meta_no_referrer' as const),
    cap_until: moment,
    leads: fc.constantFrom<SnapshotOffer['leads'][]>(undefined, undefined, undefined, true),
    capped: fc.constantFrom<SnapshotOffer['capped'][]>(undefined, undefined, [[1, NOW + 1]], [[2, 1]]),
    name: fc.constantFrom('Shop', 'Крамниця & Co', '{sub1}'),
  })

const value = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[a-zA-Z0-9 +%\\&=?/:.~-]{0,20}$/) },
  { weight: 1, arbitrary: fc.stringMatching(/^(%[0-9a-fA-F]{2}|[%\u0080-\u00ff]){0,8}$/) },
  { weight: 1, arbitrary: fc.constantFrom('x'.repeat(300), '%00%0d%0a', '%20'.repeat(260), '%', '%4', 'a%7Fb', '\\', '<>"') },
)
const pair = fc
  .tuple(
    fc.constantFrom(
      'gclid',
      'fbclid',
      'GCLID',
      'utm_source',
      'sub1',
      'aff_sub',
      's1',
      'sub2',
      'sub10',
      'p10',
      'source',
      'click_id',
      'ref_id',
      'idfa',
      'gaid',
      'nope',
      'sub11',
      '',
    ),
    fc.constantFrom('=', '=', '=', ''),
    value,
  )
  .map((parts) => parts.join(''))
const query = fc
  .tuple(
    fc.constantFrom(
      'offer_id=1',
      'offer_id=1',
      'o=2',
      'offer=3',
      'offer_id=001',
      'offer_id=99',
      'offer_id=x',
      'offer_id=99999999999',
      'offer_id=16777217',
      '',
    ),
    fc.constantFrom('pid=1', 'pid=2', 'a=3', 'aff_id=1', 'pid=9', 'pid=', 'pid=-1'),
    fc.oneof(
      { weight: 3, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 7 }).map((id) => `landing=${id}`) },
      { weight: 1, arbitrary: fc.constant('landing=x') },
    ),
    fc.array(pair, { maxLength: 5 }),
  )
  .chain(([first, second, third, rest]) => fc.shuffledSubarray([first, second, third, ...rest], { minLength: 3 + rest.length }))
  .map((parts) => parts.join('&'))

/** Whatever headers tell. */
const headers = fc
  .record({
    language: fc.constantFrom(0, 0x656e, 0x756b),
    prefetch: often(false, true),
    texts: fc.tuple(...LONGEST.map(() => value)),
  })
  .map(({ texts, ...rest }): ClickHeaders => {
    const made = { ...createClickHeaders(), ...rest }
    for (const [text, given] of texts.entries()) keepTold(made.told, text, Buffer.from(given, 'latin1'), 0, given.length)
    return made
  })

const request = fc
  .record({
    query,
    random: fc.integer({ min: 0, max: 0xffffffff }),
    step: fc.integer({ min: -2, max: 2 }),
    head: often(false, true),
    headers,
    address: fc.oneof(fc.ipV4(), fc.ipV6()),
    agent: fc.constantFrom(...USER_AGENTS),
    place: fc.constantFrom(
      NOWHERE,
      openedPlace('UA', 'Львівська область', 'Львів'),
      openedPlace('PL', 'Mazovia', ''),
      openedPlace('AA', '', ''),
    ),
    network: fc.constantFrom(NO_NETWORK, openedNetwork(15_169, 'Гугл "LLC"')),
  })
  .map(({ step, address, agent, query: text, ...rest }): CoreRequest => {
    const bytes = new Uint8Array(16)
    readAddress(address, bytes)
    return { ...rest, query: queryOf(text), at: NOW + step, address: bytes, userAgent: userAgents.find(agent) }
  })

const world = fc.record({
  offers: fc.tuple(offer(1), offer(2), offer(3)),
  affiliates: fc
    .record({ 1: fc.constant(true), 2: often(true, false), 3: fc.constant(true) })
    .map((active): SnapshotAffiliate[] => [1, 2, 3].map((id) => ({ id, active: active[id as 1 | 2 | 3] }))), // the keys above
  trafficback: fc.record({
    url: fc.option(template),
    groups: fc.record({ affiliate: template, offer: template, access: template, place: template, visitor: template }, { requiredKeys: [] }),
  }),
})

function queryOf(text: string): Query {
  const made = new Query()
  made.setText(text)
  return made
}

function often<Value>(usual: Value, rare: Value): fc.Arbitrary<Value> {
  return fc.constantFrom(usual, usual, usual, usual, rare)
}

function rarely<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> {
  return fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })
}

describe('the bytes-only core', () => {
  it('does exactly what the plain rules say, and leaves them only what is rare', { timeout: 120_000 }, () => {
    let clicks = 0
    let left = 0
    fc.assert(
      fc.property(world, fc.array(request, { minLength: 1, maxLength: 12 }), ({ offers, affiliates, trafficback }, requests) => {
        const compiler = createSnapshotCompiler()
        for (const affiliate of affiliates) compiler.putAffiliate(affiliate.id, affiliate.active)
        for (const one of offers) compiler.putOffer(one)
        compiler.setTrafficback(trafficback)
        const coreMemory = createDuplicateMemory(8)
        const plainMemory = createDuplicateMemory(8)
        const core = createCore({ compiled: compiler.compiled, visitorKey, idKeys, isDuplicate: coreMemory.isDuplicate })
        const plainWorld: ClickWorld = {
          offers: new Map(offers.map((one) => [one.id, one])),
          affiliates: new Map(affiliates.map((one) => [one.id, one])),
          trafficback,
          keys,
          idKeys,
          isDuplicate: plainMemory.isDuplicate,
        }
        const out = Buffer.alloc(LONGEST_ROW + 100)
        for (const one of requests) {
          const outcome = core.click(one, out, 100)
          clicks++
          if (outcome === 'plain') {
            left++
            continue
          }
          const plain = answerPlainly(plainWorld, visitorKey, one)
          expect(core.answer.reason).toBe(plain.reason)
          expect(outcome).toBe(plain.kind === 'unknown' ? 'unknown' : 'answered')
          if (outcome === 'unknown') continue
          expect(core.answer.location).toBe(plain.location)
          if (plain.location !== '') expect(core.answer.redirect).toBe(plain.kind)
          expect(out.toString('utf8', 100, core.answer.rowEnd)).toBe(encodeRow(plain.row!))
          expect(core.answer.rowEnd - 100).toBeLessThan(LONGEST_ROW)
        }
      }),
      { numRuns: 800 },
    )
    expect(left / clicks).toBeLessThan(0.5) // the generator is far nastier than traffic
  })

  it('writes no row longer than the spool keeps free for one', () => {
    expect(LONGEST_ROW).toBeLessThanOrEqual(ROOM)
  })

  it('follows offers that change, go and come back, whatever moves inside', () => {
    const compiler = createSnapshotCompiler()
    compiler.putAffiliate(1, true)
    const core = createCore({ compiled: compiler.compiled, visitorKey, idKeys, isDuplicate: () => false })
    const out = Buffer.alloc(LONGEST_ROW)
    const locationOf = (id: number) => {
      const outcome = core.click(
        {
          query: queryOf(`offer_id=${id}&pid=1`),
          at: NOW,
          random: 1,
          head: false,
          address: new Uint8Array(16),
          userAgent: userAgents.find('x'),
          headers: createClickHeaders(),
          place: NOWHERE,
          network: NO_NETWORK,
        },
        out,
        0,
      )
      return outcome === 'answered' ? core.answer.location : outcome
    }
    const wanted = new Map<number, string>()
    for (let step = 0; step < 30_000; step++) {
      const id = 1 + ((step * 7919) % 3000)
      if (step % 5 === 4) {
        compiler.removeOffer(id)
        wanted.delete(id)
      } else {
        const url = `https://s${step}.example/${'p'.repeat(step % 90)}`
        compiler.putOffer(offerOf({ id, url }))
        wanted.set(id, url)
      }
      if (step % 1000 === 999)
        for (let known = 1; known <= 3000; known += 13) expect(locationOf(known)).toBe(wanted.get(known) ?? 'unknown')
    }
    expect(compiler.compiled.programs.length).toBeLessThan(2_000_000)
  })
})
