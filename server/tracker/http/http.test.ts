import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readClickId, readClickIdKeys } from '#server/rules/click/click-id.ts'
import { CLICK_FLAG } from '#server/rules/click/click-row.ts'
import { mintTestToken } from '#server/rules/click/test-click.ts'
import { offerOf, snapshotOf } from '#test/support/make/snapshot.ts'
import { startFakeApi, type FakeApi } from '#test/support/run/fake-api.ts'
import { removeFolder, startTracker, until, type StoredClick, type TestTracker } from '#test/support/run/tracker.ts'

const PHONE = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36'
const snapshot = snapshotOf({
  offers: [
    offerOf(),
    offerOf({ id: 2, active: false, trafficback_url: 'https://back.example/?why={reason}&s={sub1}' }),
    offerOf({ id: 3, active: false }),
    offerOf({ id: 9, external: '3KDJP', url: 'https://shop.example/?c={click_id}&s={sub1}&aff={aff_external_id}' }),
    offerOf({ id: 10, external: '44' }),
    offerOf({ id: 4, redirect: '307' }),
    offerOf({ id: 5, redirect: 'meta', url: "https://shop.example/it's?a=1&c={click_id}" }),
    offerOf({ id: 6, redirect: 'meta_no_referrer' }),
    offerOf({ id: 7, targeting: { ...offerOf().targeting, geo: { mode: 'include', values: ['US'] } } }),
    offerOf({
      id: 8,
      landings: [
        {
          id: 70,
          url: 'https://land.example/?c={click_id}&s={sub1}&l={landing_id}&i={ip}&u={ua}',
          weight: 1,
          kind: 'landing',
          active: true,
        },
        { id: 71, url: 'https://pre.example/?c={click_id}', weight: 1, kind: 'prelanding', active: true },
        { id: 72, url: 'https://other.example/', weight: 0, kind: 'landing', active: false },
      ],
    }),
  ],
  affiliates: [
    { id: 5, active: true, external: '2CTPL' },
    { id: 7, active: true, external: 'TWICE' },
    { id: 8, active: true, external: 'TWICE' },
    { id: 6, active: false },
    { id: 9, active: true, external: '3' },
    { id: 3, active: true },
  ],
  links: [
    { code: 'abc', offer_id: 1, affiliate_id: 5, params: { sub1: 'from link & more', sub2: '' } },
    { code: 'zX9-1', offer_id: 1, affiliate_id: 5, params: {} },
    { code: '3f0c8f6e-3a55-4d1b-9f57-2a1d7b1c9e11', offer_id: 1, affiliate_id: 5, params: {} },
    { code: 'nowhere', offer_id: 99, affiliate_id: 5, params: {} },
  ],
})

let api: FakeApi
let tracker: TestTracker
let told = 0

beforeAll(async () => {
  api = await startFakeApi(snapshot)
  tracker = await startTracker(api, { TRUST_PROXY: '127.0.0.1' })
  await tracker.ready()
})
afterAll(async () => {
  await tracker.stop()
  await api.stop()
  await removeFolder(tracker.dataDir)
})

/** One click; `nonce` names its row. */
async function click(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const nonce = `n${told++}`
  const url = `${tracker.url}${path}${path.includes('?') ? '&' : '?'}click_id=${nonce}`
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { 'user-agent': PHONE, 'accept-language': 'uk-UA', 'x-forwarded-for': '8.8.8.8', ...headers },
  })
  return {
    status: response.status,
    location: response.headers.get('location') ?? '',
    headers: response.headers,
    text: await response.text(),
    nonce,
  }
}
async function rowOf(nonce: string): Promise<StoredClick> {
  let found: StoredClick | undefined
  await until(async () => (found = (await tracker.rows()).find((row) => row.aff_click_id === nonce)) !== undefined)
  return found!
}

describe('the tracker over HTTP', () => {
  it('redirects, and the row was stored before the answer', async () => {
    const result = await click('/click?offer_id=1&pid=5&sub1=a%26b')
    const rows = await tracker.rows()
    const row = rows.find((candidate) => candidate.aff_click_id === result.nonce)
    expect(result).toMatchObject({ status: 302, text: '' })
    expect(result.headers.get('cache-control')).toBe('no-store')
    const url = new URL(result.location)
    expect(url.searchParams.get('s')).toBe('a&b')
    const id = readClickId(url.searchParams.get('c') ?? '', readClickIdKeys(snapshot.keys))
    expect(row).toMatchObject({
      rnd: String(id?.random),
      affiliate: '5',
      offer: '1',
      advertiser: '9',
      geo: 'US',
      device: 'mobile',
      os: 'Android',
      browser: 'Chrome',
      lang: 'uk',
      sub1: 'a&b',
      ip: '::ffff:8.8.8.8',
      ua: PHONE,
      reason: '',
      flags: '0',
    })
    expect(Number(row?.ts) * 1000).toBeCloseTo(id?.at ?? 0, 3)
  })

  it('answers whatever host it is asked under: links on a domain that is burnt work as long as its name leads here', async () => {
    const { port } = new URL(tracker.url)
    const asked = (path: string) =>
      new Promise<string>((done, failed) => {
        const sent = request({ host: '127.0.0.1', port, path, headers: { host: 'burnt.example', 'user-agent': PHONE } }, (answer) => {
          answer.resume()
          done(`${answer.statusCode} ${new URL(answer.headers.location ?? 'http://nowhere.example/').hostname}`)
        })
        sent.on('error', failed).end()
      })
    const usual = await click('/click?offer_id=1&pid=5')
    expect(await asked('/click?offer_id=1&pid=5')).toBe(`302 ${new URL(usual.location).hostname}`)
  })

  it.each([
    ['TUNE', '/aff_c?offer_id=1&aff_id=5&aff_sub=x'],
    ['CAKE', '/?a=5&c=1&s1=x'],
    ['Scaleo', '/click?o=1&a=5&sub_id1=x'],
    ['Trackier', '/click?campaign_id=1&pub_id=5&p1=x'],
    ['Swaarm', '/click?offer_id=1&pub_id=5&sub1=x'],
    ['Offer18', '/c?o=1&a=5&aff_sub1=x'],
    ['FuseClick', '/tl?a=5&o=1&aff_sub1=x'],
    ['capitals', '/click?OFFER_ID=1&PID=5&Sub1=x'],
    ['TUNE in capitals', '/AFF_C?Offer_ID=1&AFF_ID=5&AFF_SUB=x'],
    ['text out of HTML', '/click?offer_id=1&amp;pid=5&amp;sub1=x'],
    ['Everflow', '/5/1/?sub1=x&source_id=s&oid=7'],
    ['Everflow without its slash, in capitals and out of HTML', '/5/1?SUB2=y&amp;Sub1=x&amp;OFFER_ID=2'],
    ['our own names first', '/click?campaign_id=77&offer_id=1&pub_id=5&sub1=x'],
  ])('takes a link as %s writes it', async (_who, path) => {
    const result = await click(path)
    expect(result.status).toBe(302)
    expect(await rowOf(result.nonce)).toMatchObject({ offer: '1', affiliate: '5', sub1: 'x', reason: '' })
  })

  it.each([
    '/aff_c?offer_id=99&aff_id=5',
    '/aff_c?aff_sub=x',
    '/?a=5',
    '/tl?o=1',
    '/click?OFFER_ID=99&PID=5',
    '/c?x=1',
    '/05/1/',
    '/5/1/1/',
    '/-5/1/',
    '/5/1.0/',
    '/5/one/',
  ])('sends a link of another platform that names no offer or affiliate nowhere: %s', async (path) =>
    expect((await click(path)).status).toBe(404),
  )

  it.each(['/5/99/?sub1=x', '/99/1/', '/9999999999/1', '/aff_c?offer_id=99&aff_id=5'])(
    'answers a link of numbers nobody has as any other link of nobody: %s',
    async (path) => {
      for (const method of ['GET', 'HEAD']) {
        const [asked, unknown] = [await click(path, {}, method), await click('/click?offer_id=99&pid=5', {}, method)]
        const said = ({ status, headers, text }: typeof asked) => [status, headers.get('content-type'), text]
        expect([said(asked), asked.status]).toEqual([said(unknown), 404])
      }
    },
  )

  it('counts who only looks at a link of numbers as of any other, and reads no number as ours that somebody is called by elsewhere', async () => {
    const head = await click('/5/1/?sub1=x', {}, 'HEAD')
    expect(head).toMatchObject({ status: 302, location: expect.stringMatching(/^https:\/\/shop\.example\//) })
    expect(await rowOf(head.nonce)).toMatchObject({ offer: '1', affiliate: '5', sub1: 'x', flags: String(CLICK_FLAG.head) })
    expect(await rowOf((await click('/6/1/')).nonce)).toMatchObject({ reason: 'affiliate_inactive' })
    expect(await rowOf((await click('/3/44/')).nonce)).toMatchObject({ offer: '10', affiliate: '9', reason: '' })
    for (const path of ['/3/1/', '/5/44/']) expect((await click(path)).status).toBe(404)
    // an offer that is called something elsewhere has its number all the same
    expect(await rowOf((await click('/5/9/')).nonce)).toMatchObject({ offer: '9', affiliate: '5', reason: '' })
    // short links and ways on that look like one are what they are
    for (const path of ['/c/1', '/go/1']) expect((await click(path)).status).toBe(404)
    expect((await fetch(`${tracker.url}/5/1/`, { method: 'POST' })).status).toBe(404)
  })

  it('takes a link of Everflow by the external ids of affiliate and offer, and sends codes nobody has nowhere', async () => {
    for (const path of ['/2CTPL/3KDJP/?sub1=x&source_id=s', '/2CTPL/3KDJP?sub1=x&offer_id=1&pid=6&source_id=s']) {
      const result = await click(path)
      expect(result.location).toMatch(/^https:\/\/shop\.example\/\?c=\w{40}&s=x&aff=2CTPL$/)
      expect(await rowOf(result.nonce)).toMatchObject({ offer: '9', affiliate: '5', sub1: 'x', source: 's', reason: '' })
    }
    for (const path of ['/TWICE/3KDJP/', '/2CTPL/nobody/', '/3KDJP/2CTPL/', '/2ctpl/3kdjp/', '/2CTPL/3KDJP/more'])
      expect((await click(path)).status).toBe(404)
  })

  it('answers in the way the offer asks for', async () => {
    expect((await click('/click?offer_id=4&pid=5')).status).toBe(307)
    const meta = await click('/click?offer_id=5&pid=5')
    expect(meta).toMatchObject({ status: 200, location: '' })
    expect(meta.text).toContain('content="0;url=https://shop.example/it&#39;s?a=1&amp;c=')
    const hidden = await click('/click?offer_id=6&pid=5')
    expect(hidden.headers.get('referrer-policy')).toBe('no-referrer')
    expect(hidden.text).toContain('<meta name="referrer" content="no-referrer">')
  })

  it('sends refused clicks to the trafficback or shows the plain page, and stores the reason', async () => {
    const back = await click('/click?offer_id=2&pid=5&sub1=x')
    expect(back).toMatchObject({ status: 302, location: 'https://back.example/?why=offer_inactive&s=x' })
    expect(await rowOf(back.nonce)).toMatchObject({ reason: 'offer_inactive', flags: '0' })
    const page = await click('/click?offer_id=3&pid=5')
    expect(page.status).toBe(200)
    expect(page.text).toContain('This offer is not available.')
    expect(await rowOf((await click('/click?offer_id=1&pid=6')).nonce)).toMatchObject({ reason: 'affiliate_inactive' })
    const foreign = await click('/click?offer_id=7&pid=5', { 'x-forwarded-for': '2.16.0.1' })
    expect(await rowOf(foreign.nonce)).toMatchObject({ reason: 'targeting_geo' })
  })

  it('believes X-Forwarded-For only as far as it trusts', async () => {
    expect((await rowOf((await click('/click?offer_id=1&pid=5', { 'x-forwarded-for': '1.1.1.1, 9.9.9.9' })).nonce)).ip).toBe(
      '::ffff:9.9.9.9',
    )
    expect((await rowOf((await click('/click?offer_id=1&pid=5', { 'x-forwarded-for': 'nonsense' })).nonce)).ip).toBe('::ffff:127.0.0.1')
    expect((await rowOf((await click('/click?offer_id=1&pid=5', { 'x-forwarded-for': '2001:db8::7' })).nonce)).ip).toBe('2001:db8::7')
  })

  it('flags what is no person, and redirects it all the same', async () => {
    const flagsOf = async (result: { status: number; nonce: string }) => {
      expect(result.status).toBe(302)
      return Number((await rowOf(result.nonce)).flags)
    }
    const fresh = (last: number) => ({ 'x-forwarded-for': `8.8.4.${last}` })
    expect(await flagsOf(await click('/click?offer_id=1&pid=5', { 'user-agent': 'Googlebot/2.1' }))).toBe(CLICK_FLAG.bot)
    expect(await flagsOf(await click('/click?offer_id=1&pid=5', {}, 'HEAD'))).toBe(CLICK_FLAG.head)
    expect(await flagsOf(await click('/click?offer_id=1&pid=5', { 'sec-purpose': 'prefetch;prerender' }))).toBe(CLICK_FLAG.prefetch)
    expect(await flagsOf(await click('/click?offer_id=1&pid=5', { Purpose: 'prefetch' }))).toBe(CLICK_FLAG.prefetch)
    expect(await flagsOf(await click('/click?offer_id=1&pid=5', { 'X-Moz': 'prefetch' }))).toBe(CLICK_FLAG.prefetch)
    expect(await flagsOf(await click('/click?offer_id=1&pid=5', fresh(1)))).toBe(0)
    expect(await flagsOf(await click('/click?offer_id=1&pid=5', fresh(1)))).toBe(CLICK_FLAG.duplicate)
    expect(await flagsOf(await click('/click?offer_id=4&pid=5', fresh(1)).then((result) => ({ ...result, status: 302 })))).toBe(0)
    const token = mintTestToken(1, 5, Date.now() + 60_000, snapshot.keys)
    expect(await flagsOf(await click(`/click?offer_id=1&pid=5&test=${token}`))).toBe(CLICK_FLAG.test)
    const evil = await click('/click?offer_id=1&pid=5&deeplink=https%3A%2F%2Fshop.example%40evil.example%2F', fresh(2))
    expect(evil.location).toMatch(/^https:\/\/shop\.example\/\?c=/)
    expect(await flagsOf(evil)).toBe(CLICK_FLAG.deeplink_ignored)
    expect((await click('/click?offer_id=1&pid=5&deeplink=https%3A%2F%2Fshop.example%2Fp', fresh(3))).location).toMatch(
      /^https:\/\/shop\.example\/p\?c=/,
    )
  })

  it('follows short links with their stored values, and no others', async () => {
    const result = await click('/c/abc?sub1=overridden&pid=6&sub2=open')
    expect(result.status).toBe(302)
    expect(await rowOf(result.nonce)).toMatchObject({ affiliate: '5', sub1: 'from link & more', sub2: 'open' })
    expect((await click('/c/nope')).status).toBe(404)
    expect((await click('/c/__proto__')).status).toBe(404)
  })

  it.each([
    ['Keitaro', '/zX9-1?sub_id_1=x&external_id=e'],
    ['Keitaro in the query', '/?zX9-1&sub_id_1=x'],
    ['Binom', '/click.php?key=zX9-1&t1=x'],
    ['Binom out of HTML', '/click.php?t1=x&amp;key=zX9-1'],
    ['Voluum', '/3f0c8f6e-3a55-4d1b-9f57-2a1d7b1c9e11?sub1=x'],
    ['RedTrack', '/click?cmpid=zX9-1&sub1=x'],
    ['RedTrack by a path', '/zX9-1/?sub1=x'],
    ['RedTrack before a click', '/preclick?cmpid=zX9-1&sub1=x'],
    ['BeMob', '/go/zX9-1?sub1=x'],
    ['Admitad', '/g/zX9-1/?subid1=x'],
    ['Partnerize', '/click/camref:zX9-1/sub1:x'],
    ['whoever names an offer beside it', '/zX9-1?offer_id=2&pid=6&sub1=x'],
  ])('leads on from a kept link of %s', async (_who, path) => {
    const result = await click(path)
    expect(result.status).toBe(302)
    expect(await rowOf(result.nonce)).toMatchObject({ offer: '1', affiliate: '5', sub1: 'x', reason: '' })
  })

  it('reads the id and the address another tracker’s link carries, and sends a campaign nobody keeps nowhere', async () => {
    for (const path of ['/zX9-1?external_id=theirs', '/click.php?key=zX9-1&externalid=theirs', '/click/camref:zX9-1/pubref:theirs']) {
      expect((await fetch(`${tracker.url}${path}`, { redirect: 'manual', headers: { 'user-agent': PHONE } })).status).toBe(302)
    }
    await until(async () => (await tracker.rows()).filter((row) => row.aff_click_id === 'theirs').length === 3)
    const leadsTo = async (path: string) =>
      (await fetch(`${tracker.url}${path}`, { redirect: 'manual', headers: { 'user-agent': PHONE } })).headers.get('location')
    const encoded = 'https%3A%2F%2Fshop.example%2Fp'
    for (const path of [`/g/zX9-1/?ulp=${encoded}`, `/click/camref:zX9-1/destination:${encoded}`])
      expect(await leadsTo(path)).toMatch(/^https:\/\/shop\.example\/p\?c=/)
    // what stands in a path is no query: `+` and `&` are themselves, and an address to lead to takes along what follows
    expect(await leadsTo('/click/camref:zX9-1/destination:https://shop.example/p?x=1&y=2')).toMatch(/^https:\/\/shop\.example\/p\?x=1&y=2&/)
    expect(await rowOf((await click('/click/camref:zX9-1/sub1:a+b&c')).nonce)).toMatchObject({ sub1: 'a+b&c' })
    for (const path of [
      '/zx9-1',
      '/click.php?key=nope',
      '/click.php?t1=x',
      '/zX9-1/more',
      '/g/zX9-1/more',
      '/nowhere',
      '/?x=zX9-1',
      '/go/__proto__',
    ])
      expect((await click(path)).status, path).toBe(404)
    expect((await fetch(`${tracker.url}/zX9-1`, { method: 'POST' })).status).toBe(404)
    expect((await click('/zX9-1?sub1=head', {}, 'HEAD')).status).toBe(302)
  })

  it('takes no call for a click of a kept link that names a click of ours or carries a token, nor a link that names both itself', async () => {
    const id = new URL((await click('/click?offer_id=1&pid=5')).location).searchParams.get('c') ?? ''
    for (const path of ['/zX9-1', '/go/zX9-1', '/click?cmpid=zX9-1', '/click.php?key=zX9-1'])
      for (const said of [`clickid=${id}&status=approved`, 'token=secret&status=approved', 'security_token=secret&txn_id=1'])
        expect((await click(`${path}${path.includes('?') ? '&' : '?'}${said}`)).status, `${path} ${said}`).not.toBe(302)
    expect((await click('/click?offer_id=99999&pid=5&cmpid=zX9-1')).status).toBe(404)
  })

  it.each([
    ['/c/abc?SUB2=a&amp;sub3=b&amp;AFF_CLICK_ID=theirs1', 'theirs1'],
    ['/click?offer_id=1&pid=5&SUB2=a&amp;sub3=b&Ref_Id=mine&ScCid=snap', 'mine'],
    ['/click?o=1&a=5&Sub2=a&amp;SUB3=b&AFF_CLICK_ID=other', 'other'],
  ])('loses nothing of a link in capitals or out of HTML: %s', async (path, id) => {
    expect((await fetch(`${tracker.url}${path}`, { redirect: 'manual', headers: { 'user-agent': PHONE } })).status).toBe(302)
    expect(await rowOf(id)).toMatchObject({ offer: '1', affiliate: '5', sub2: 'a', sub3: 'b' })
  })

  it('reads a capital letter as a parameter only where nothing that is spelt right is it', async () => {
    const told = [
      ['/click?O=Chrome&offer_id=1&pid=5&sub1=x', { offer: '1', sub1: 'x', unread: 'O=Chrome' }],
      ['/click?OFFER_ID=2&offer_id=1&pid=5', { offer: '1', unread: 'OFFER_ID=2' }],
      ['/click?S1=brand&sub1=mine&offer_id=1&pid=5', { sub1: 'mine', unread: 'S1=brand' }],
      ['/click?o=1&offer_id=2&a=5&SUB1=x&s1=y', { offer: '1', sub1: 'y', unread: 'offer_id=2&SUB1=x' }],
      // another platform's names are its links' alone
      ['/click?offer_id=1&pid=5&pub_sub_id=src&ScCid=snap', { source: '', unread: 'pub_sub_id=src' }],
      [`/click?offer_id=1&pid=5&SUB2=two&sub1=${'x'.repeat(9_000)}`, { sub2: 'two' }],
    ] as const
    for (const [path, row] of told) expect(await rowOf((await click(path)).nonce), path.slice(0, 80)).toMatchObject(row)
  })

  it('leads over a pre-landing and on from there without another click', async () => {
    const first = await click('/click?offer_id=8&pid=5&sub1=kept')
    expect(first.location).toMatch(/^https:\/\/pre\.example\/\?c=/)
    expect(await rowOf(first.nonce)).toMatchObject({ landing: '70', prelanding: '71' })
    const id = new URL(first.location).searchParams.get('c') ?? ''
    const on = await click(`/go/${id.toUpperCase()}`, { 'user-agent': 'Asker/1', 'x-forwarded-for': '9.9.9.9' })
    // the address and the browser are of who asks: whoever has the id learns nothing of the visitor
    expect(on.location).toBe(`https://land.example/?c=${id}&s=kept&l=70&i=9.9.9.9&u=Asker%2F1`)
    expect((await tracker.rows()).some((row) => row.aff_click_id === on.nonce)).toBe(false)
    expect((await click('/go/forged')).status).toBe(404)
    expect(await rowOf((await click('/click?offer_id=8&pid=5&landing=72')).nonce)).toMatchObject({ reason: 'landing_inactive' })
  })

  it('answers 404 where a link leads nowhere or a path is none', async () => {
    for (const path of [
      '/click',
      '/click?offer_id=x&pid=5',
      '/click?offer_id=999&pid=5',
      '/click?offer_id=1&pid=999',
      '/',
      '/clickx',
      '/api/anything',
      '/c/',
      '/go/',
    ]) {
      expect((await click(path)).status, path).toBe(404)
    }
    expect((await click('/click?offer_id=1&pid=5', {}, 'POST')).status).toBe(404)
    expect((await click('/livez')).status).toBe(200)
  })

  it('stores hostile values as harmless text', async () => {
    const hostile = [
      '%00%0d%0aX:1',
      '%ff%fe',
      '<script>alert(1)</script>',
      '%',
      '%zz',
      '😀'.repeat(300),
      '\\t\\n',
      "'; drop table click;--",
    ]
    for (const value of hostile) {
      const result = await click(`/click?offer_id=1&pid=5&sub1=${value.startsWith('%') ? value : encodeURIComponent(value)}`)
      expect(result.status).toBe(302)
      expect(result.location).toMatch(/^https:\/\/shop\.example\/[\x21-\x7e]*$/)
    }
    const long = await click(`/click?offer_id=1&pid=5&sub1=${encodeURIComponent('😀'.repeat(300))}`)
    expect(Array.from((await rowOf(long.nonce)).sub1)).toHaveLength(255)
    expect((await rowOf((await click('/click?offer_id=1&pid=5&sub1=a%5Ct')).nonce)).sub1).toBe('a\\t')
  })

  it.each([
    ['a query of a megabyte', `GET /click?offer_id=1&pid=5&sub1=${'x'.repeat(1_000_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, '414'],
    ['no HTTP', 'hello\r\n\r\n', '400'],
    ['a NUL in the path', 'GET /click?\0 HTTP/1.1\r\nHost: a\r\n\r\n', '400'],
    ['a header that is none', 'GET /click?offer_id=1&pid=5 HTTP/1.1\r\nHost: a\r\nBad Header: x\r\n\r\n', '400'],
    ['an address with bytes beyond ASCII', 'GET /click?offer_id=1&pid=5&sub1=\u00ff\u00c3\u00a9 HTTP/1.1\r\nHost: a\r\n\r\n', '302'],
    [
      'a User-Agent of other bytes',
      'GET /click?offer_id=1&pid=5 HTTP/1.1\r\nHost: a\r\nUser-Agent: \u00ff\u00fe\\\r\nConnection: close\r\n\r\n',
      '302',
    ],
    ['an address in full', 'GET http://evil.example/click?offer_id=1&pid=5 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', '404'],
  ])('survives %s', async (_name, text, status) => {
    expect(await raw(text)).toMatch(new RegExp(`^HTTP/1.1 ${status}`))
    expect((await click('/click?offer_id=1&pid=5')).status).toBe(302)
  })
})

/** Sends bytes as they are and reads what comes back until the end. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(new URL(tracker.url).port), '127.0.0.1', () => socket.write(text, 'latin1'))
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => (answer += chunk))
    socket.on('error', (error: NodeJS.ErrnoException) =>
      answer === '' && error.code !== 'ECONNRESET' && error.code !== 'EPIPE' ? reject(error) : undefined,
    )
    socket.on('close', () => resolve(answer))
  })
}
