import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { ERRORS } from '#contract/errors.ts'
import { keptLinkApi, MOST_KEPT_LINES, MOST_KEPT_OF_AFFILIATE } from '#contract/offers/kept-link.ts'
import { partnerOfferApi } from '#contract/offers/partner-offer.ts'
import { linkQuery } from '#server/tracker/core/compiled.ts'
import { readSnapshotLinks } from '#server/features/traffic/snapshot/snapshot-read.queries.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { makeOffer } from '#test/support/make/offers.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { readKeptLine } from './read-kept.ts'

let api: TestApi
let admin: Caller
let offer: { uuid: string; id: number }
let affiliate: Caller
beforeAll(async () => {
  api = await startApi()
  admin = await api.as('admin')
  offer = await makeOffer(admin, (await makeAdvertiser(api.db)).uuid)
  affiliate = await api.as('affiliate', { name: 'Iryna' })
})
afterAll(() => api.close())

const keep = (lines: string[], by = admin, whose: Caller | null = affiliate, of = offer) =>
  by.call(keptLinkApi.keep, { body: { offer_uuid: of.uuid, affiliate_uuid: whose?.uuid ?? null, lines } })
const listed = async (by = admin) => (await by.call(keptLinkApi.list, { body: { offer_uuid: offer.uuid } })).data

describe('what a line names', () => {
  test.each([
    ['https://trk.example.com/AbC123?sub_id_1={x}&external_id={y}', 'AbC123', '/AbC123'],
    ['trk.example.com/AbC123', 'AbC123', '/AbC123'],
    ['AbC123', 'AbC123', '/AbC123'],
    ['https://b.example/click.php?key=k3y&amp;t1={x}', 'k3y', '/click.php?key=k3y'],
    ['click.php?t1=1&key=k3y', 'k3y', '/click.php?key=k3y'],
    [
      'https://v.example/3f0c8f6e-3a55-4d1b-9f57-2a1d7b1c9e11',
      '3f0c8f6e-3a55-4d1b-9f57-2a1d7b1c9e11',
      '/3f0c8f6e-3a55-4d1b-9f57-2a1d7b1c9e11',
    ],
    ['https://r.example/click?cmpid=65a1&sub1=x', '65a1', '/click?cmpid=65a1'],
    ['https://a.example/g/t4skxyzb/?subid=1', 't4skxyzb', '/g/t4skxyzb/'],
    ['https://p.example/click/camref:1101l/pubref:{x}', '1101l', '/click/camref:1101l'],
    ['https://k.example/?alias&sub_id_1=x', 'alias', '/?alias'],
  ])('%s', (text, code, path) => {
    expect(readKeptLine(text)).toEqual({ code, path, affiliate: '' })
    for (const between of [' ', '\t', ';', ' ; ', ', '])
      expect(readKeptLine(`${text}${between}a.b+c@x.example`)).toEqual({ code, path, affiliate: 'a.b+c@x.example' })
  })

  test.each([
    ['https://x.example/click?offer_id=1&pid=2&sub1=x', 'needs_no_keeping'],
    ['https://x.example/aff_c?offer_id=1&aff_id=2', 'needs_no_keeping'],
    ['https://x.example/?a=5&c=1', 'needs_no_keeping'],
    ['https://x.example/comma?sub1=5,17', 'affiliate_unclear'],
    ['https://x.example/p.ashx', 'served'],
    ['https://x.example/acquisition?goal_value=1', 'served'],
    ['https://x.example/postback?cid=1', 'served'],
    ['https://x.example/aff_c', 'served'],
    ['https://x.example/', 'no_campaign'],
    ['https://x.example/click.php?t1=1', 'no_campaign'],
    ['trk.example.com', 'no_campaign'],
    ['javascript:alert(1)', 'no_campaign'],
    ['https://', 'no_campaign'],
    ['/%00%ff', 'no_campaign'],
    ['/кампанія', 'no_campaign'],
    [`/${'x'.repeat(101)}`, 'no_campaign'],
  ])('%s is not kept: %s', (text, reason) => expect(readKeptLine(text)).toEqual({ reason }))
})

test('an affiliate stands behind a comma where there is no query, and a comma of a query is left in it', () => {
  expect(readKeptLine('https://x.example/Ab1,17')).toEqual({ code: 'Ab1', path: '/Ab1', affiliate: '17' })
  expect(readKeptLine('https://x.example/Ab1?a=1,2&b=3')).toEqual({ code: 'Ab1', path: '/Ab1', affiliate: '' })
  expect(readKeptLine('https://x.example/Ab1?a=1,2 17')).toEqual({ code: 'Ab1', path: '/Ab1', affiliate: '17' })
})

describe('keeping links', () => {
  test('they stand for offer and affiliate in what trackers know, are listed, found twice without harm, and go', async () => {
    const line = 'https://trk.example.com/first1'
    const again = 'https://trk.example.com/click.php?key=second2&t1={x}'
    expect((await keep([line, '', again])).data).toEqual({ kept: 2, already: 0, refused: [] })
    expect((await keep([again])).data).toEqual({ kept: 0, already: 1, refused: [] })
    const known = await readSnapshotLinks(api.db, ['first1', 'second2'])
    expect(known.map(linkQuery)).toEqual(Array(2).fill(`offer_id=${offer.id}&pid=${affiliate.affiliateId}`))
    const { list, summary } = await listed()
    expect(summary.rows).toBe(2)
    expect(list.map(({ code, path, access }) => [code, path, access])).toEqual([
      ['first1', '/first1', true],
      ['second2', '/click.php?key=second2', true],
    ])
    expect(list[0]?.affiliate).toMatchObject({ uuid: affiliate.uuid, name: 'Iryna' })
    // they are none of the short links the affiliate makes, nor found in place of one
    const short = await affiliate.call(partnerOfferApi.createShortLink, { params: { uuid: offer.uuid } })
    expect(short.data.url).not.toMatch(/first1|second2/)
    expect((await affiliate.call(partnerOfferApi.shortLinks)).data.summary.rows).toBe(1)
    expect((await admin.call(keptLinkApi.drop, { body: { codes: [short.data.code] } })).status).toBe(404)

    expect((await admin.call(keptLinkApi.drop, { body: { codes: ['first1'] } })).status).toBe(200)
    expect((await admin.call(keptLinkApi.drop, { body: { codes: ['first1'] } })).status).toBe(404)
    expect(await readSnapshotLinks(api.db, ['first1'])).toEqual([])
    expect((await listed()).list.map(({ code }) => code)).toEqual(['second2'])
  })

  test('each line may name its affiliate: by external id before e-mail before number', async () => {
    const [one, two] = [await api.as('affiliate'), await api.as('affiliate')]
    const called = (id: number, word: string) => api.db.updateTable('affiliate').set({ external_id: word }).where('id', '=', id).execute()
    await called(one.affiliateId ?? 0, String(two.affiliateId))
    const lines = [`/by-external ${two.affiliateId}`, `/by-email;${two.email.toUpperCase()}`, `/by-number\t${affiliate.affiliateId}`]
    expect((await keep(lines, admin, null)).data).toMatchObject({ kept: 3 })
    const found = new Map((await listed()).list.map(({ code, affiliate: { uuid } }) => [code, uuid]))
    const searched = async (search: string) =>
      (await admin.call(keptLinkApi.list, { body: { offer_uuid: offer.uuid, search } })).data.list.map(({ code }) => code)
    expect(await searched('BY-ext')).toEqual(['by-external'])
    expect(await searched(two.email)).toEqual(['by-email'])
    expect(await searched(String(one.affiliateId))).toContain('by-external')
    expect(await searched('by_ext')).toEqual([])
    expect([found.get('by-external'), found.get('by-email'), found.get('by-number')]).toEqual([one.uuid, two.uuid, affiliate.uuid])

    await called(two.affiliateId ?? 0, String(two.affiliateId))
    const refused = await keep([`/a-new-one`, `/b-new-one ${two.affiliateId}`, '/c-new-one nobody', '/by-email'], admin, null)
    expect(refused.data).toEqual({
      kept: 0,
      already: 0,
      refused: [
        { line: 1, text: '/a-new-one', reason: 'affiliate_missing' },
        { line: 2, text: `/b-new-one ${two.affiliateId}`, reason: 'affiliate_ambiguous' },
        { line: 3, text: '/c-new-one nobody', reason: 'affiliate_unknown' },
        { line: 4, text: '/by-email', reason: 'affiliate_missing' },
      ],
    })
  })

  test('a campaign stands for one offer and affiliate; with a line that cannot be kept none is, and of two at once one', async () => {
    const other = await api.as('affiliate')
    const second = await makeOffer(admin, (await makeAdvertiser(api.db)).uuid, { privacy: 'private' })
    expect((await keep(['/only-one'])).data).toMatchObject({ kept: 1 })
    const taken = [{ line: 2, text: '/only-one', reason: 'taken' }]
    expect((await keep(['/beside', '/only-one'], admin, other)).data).toEqual({ kept: 0, already: 0, refused: taken })
    expect((await keep(['/beside', '/only-one'], admin, affiliate, second)).data).toMatchObject({ kept: 0, refused: taken })
    expect((await keep(['/same', `/same ${other.affiliateId}`])).data).toMatchObject({
      kept: 0,
      refused: [{ line: 2, reason: 'taken' }],
    })
    const both = await Promise.all([keep(['/race']), keep(['/race'], admin, other), keep(['/race'])])
    expect(both.map(({ data }) => data.kept).reduce((sum, one) => sum + one)).toBe(1)
    expect((await keep(['/no-access'], admin, affiliate, second)).data).toMatchObject({ kept: 1 })
    const { data } = await admin.call(keptLinkApi.list, { body: { offer_uuid: second.uuid } })
    expect(data.list).toMatchObject([{ code: 'no-access', access: false }])
    // who asked for access to an offer that is public by now has it
    await api.db
      .insertInto('offer_access')
      .values({ offer_id: second.id, affiliate_id: affiliate.affiliateId ?? 0, status: 'pending', requested_at: new Date(api.clock.now()) })
      .execute()
    await api.db.updateTable('offer').set({ privacy: 'public' }).where('id', '=', second.id).execute()
    const now = await admin.call(keptLinkApi.list, { body: { offer_uuid: second.uuid } })
    expect(now.data.list).toMatchObject([{ code: 'no-access', access: true }])
  })

  test('none is kept for a draft, and no more than so many of one affiliate; several are dropped at once, or none', async () => {
    const draft = await makeOffer(admin, (await makeAdvertiser(api.db)).uuid, {}, false)
    expect((await keep(['/of-a-draft'], admin, affiliate, draft)).fields).toHaveProperty('offer_uuid')
    const busy = await api.as('affiliate')
    const codes = Array.from({ length: MOST_KEPT_LINES }, (_, at) => `busy-${at}`)
    expect((await keep(codes, admin, busy)).data).toMatchObject({ kept: MOST_KEPT_LINES })
    await sql`insert into link (code, offer_id, affiliate_id, kept_from) select 'more-' || n, ${offer.id}, ${busy.affiliateId}, '/x'
      from generate_series(1, ${MOST_KEPT_OF_AFFILIATE - MOST_KEPT_LINES}::int) n`.execute(api.db)
    expect((await keep(['/one-too-many'], admin, busy)).errors).toHaveProperty(String(ERRORS.limit_reached.code))
    expect((await keep(['/of-another'])).data).toMatchObject({ kept: 1 })
    expect((await admin.call(keptLinkApi.drop, { body: { codes: ['busy-0', 'nobodys'] } })).status).toBe(404)
    expect((await admin.call(keptLinkApi.drop, { body: { codes } })).status).toBe(200)
    expect((await keep(['/one-too-many'], admin, busy)).data).toMatchObject({ kept: 1 })
  })

  test('managers keep, see and drop those of their own affiliates alone, affiliates none', async () => {
    const manager = await api.as('manager')
    const own = await api.as('affiliate', { managerId: manager.managerId })
    expect((await keep(['/theirs'], admin, affiliate)).data).toMatchObject({ kept: 1 })
    expect((await keep(['/mine'], manager, own)).data).toMatchObject({ kept: 1 })
    expect((await keep(['/mine-too'], manager, affiliate)).status).toBe(422)
    expect((await keep([`/mine-too ${affiliate.affiliateId}`], manager, null)).data).toMatchObject({
      refused: [{ reason: 'affiliate_unknown' }],
    })
    expect((await listed(manager)).list.map(({ code }) => code)).toEqual(['mine'])
    expect((await manager.call(keptLinkApi.drop, { body: { codes: ['theirs'] } })).status).toBe(404)
    expect((await manager.call(keptLinkApi.drop, { body: { codes: ['mine'] } })).status).toBe(200)
    expect((await keep(['/x-y-z'], affiliate)).status).toBe(403)
  })
})
