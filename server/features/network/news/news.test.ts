import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileApi } from '#contract/network/file.ts'
import { blankNews, newsApi, type NewsInput } from '#contract/network/news.ts'
import { notificationApi } from '#contract/network/notification.ts'
import { pngOf } from '#test/support/make/picture.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { tellNews } from './tell.jobs.ts'

const NOW = '2026-11-21T10:00:00Z'
const LATER = '2026-11-21T12:00:00Z'

let api: TestApi
let dataDir: string
let admin: Caller
let manager: Caller
let ukrainian: Caller
let vip: Caller
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'news-test-'))
  api = await startApi({ env: { DATA_DIR: dataDir }, at: NOW })
  // one after the other: the bell goes by their numbers
  admin = await api.as('admin')
  manager = await api.as('manager')
  ukrainian = await api.as('affiliate')
  vip = await api.as('affiliate')
  await api.db
    .updateTable('account')
    .set({ created_at: new Date('2026-01-01') })
    .execute()
  await api.db
    .updateTable('affiliate')
    .set({ country: 'UA', geos: ['PL'] })
    .where('id', '=', ukrainian.affiliateId)
    .execute()
  await api.db
    .updateTable('affiliate')
    .set({ country: 'DE', tags: ['vip'] })
    .where('id', '=', vip.affiliateId)
    .execute()
})
afterAll(async () => {
  await api.close()
  await rm(dataDir, { recursive: true })
})

const written = (title: string, changes: Partial<NewsInput> = {}): NewsInput => ({
  ...blankNews,
  texts: { en: { title, text: '<p>Hello</p>' }, uk: { title: '', text: '' } },
  ...changes,
})
const write = async (title: string, changes: Partial<NewsInput> = {}) => {
  const { status, data, errors, fields } = await admin.call(newsApi.create, { body: written(title, changes) })
  if (status !== 200) throw new Error(JSON.stringify([errors, fields]))
  return data
}
const titles = async (who: Caller, body = {}) => (await who.call(newsApi.list, { body })).data.list.map(({ title }) => title)
const unread = async (who: Caller) => (await who.call(newsApi.unread)).data.rows
const setStatus = (uuid: string, status: 'draft' | 'scheduled' | 'published' | 'archived') =>
  admin.call(newsApi.setStatus, { body: { uuids: [uuid], status } })
const archiveAll = async () => {
  const { list } = (await admin.call(newsApi.written, { body: {} })).data
  if (list.length > 0) await admin.call(newsApi.setStatus, { body: { uuids: list.map(({ uuid }) => uuid), status: 'archived' } })
}
const picture = async (who: Caller, kind = 'news') => {
  const response = await fetch(`${api.url}${fileApi.upload.path}?kind=${kind}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(pngOf(20, 10)),
  })
  return { status: response.status, uuid: ((await response.json()) as { data: { uuid: string } }).data.uuid }
}
const seesFile = async (who: Caller, uuid: string) =>
  (await fetch(`${api.url}/api/file/v1/get/${uuid}`, { headers: { authorization: `Bearer ${who.token}` } })).status

describe('who reads what', () => {
  test.each<[string, Partial<NewsInput>, Record<'admin' | 'manager' | 'ukrainian' | 'vip', boolean>]>([
    ['nobody named is everybody', {}, { admin: true, manager: true, ukrainian: true, vip: true }],
    ['a role', { roles: ['manager'] }, { admin: false, manager: true, ukrainian: false, vip: false }],
    ['a country alone means its affiliates', { geos: ['UA'] }, { admin: false, manager: false, ukrainian: true, vip: false }],
    ['also by their traffic', { geos: ['PL', 'FR'] }, { admin: false, manager: false, ukrainian: true, vip: false }],
    ['a tag', { tags: ['vip', 'new'] }, { admin: false, manager: false, ukrainian: false, vip: true }],
    ['both narrow', { geos: ['UA'], tags: ['vip'] }, { admin: false, manager: false, ukrainian: false, vip: false }],
    ['staff beside them', { roles: ['admin', 'affiliate'], geos: ['DE'] }, { admin: true, manager: false, ukrainian: false, vip: true }],
  ])('%s', async (title, audience, expected) => {
    const { uuid, id, reach } = await write(title, audience)
    const seen = await Promise.all(
      Object.entries({ admin, manager, ukrainian, vip }).map(async ([name, who]) => {
        const listed = (await titles(who)).includes(title)
        const byUuid = (await who.call(newsApi.get, { params: { uuid } })).status
        const byNumber = (await who.call(newsApi.get, { params: { uuid: String(id) } })).status
        const marked = (await who.call(newsApi.read, { params: { uuid } })).status
        expect([byUuid, byNumber, marked], name).toEqual(listed ? [200, 200, 200] : [404, 404, 404])
        return [name, listed] as const
      }),
    )
    expect(Object.fromEntries(seen)).toEqual(expected)
    const [staff, affiliates] = [Number(expected.admin) + Number(expected.manager), Number(expected.ukrainian) + Number(expected.vip)]
    expect(reach).toEqual({ affiliates, staff })
  })

  test('countries and tags for staff alone are refused, and so is a text nobody could find by a title', async () => {
    const both = await admin.call(newsApi.create, { body: written('x', { roles: ['manager'], geos: ['UA'] }) })
    expect({ status: both.status, fields: both.fields }).toMatchObject({ status: 400, fields: { roles: expect.any(String) } })
    const untitled = written('x', { texts: { en: { title: 'x', text: '' }, uk: { title: '', text: '<p>текст</p>' } } })
    expect((await admin.call(newsApi.create, { body: untitled })).fields).toMatchObject({ 'texts.uk.title': expect.any(String) })
  })

  test('each reads their own language, or the one there is', async () => {
    await archiveAll()
    await api.db.updateTable('account').set({ language: 'uk' }).where('id', '=', ukrainian.accountId).execute()
    await write('Both', { texts: { en: { title: 'Both', text: '' }, uk: { title: 'Обидві', text: '<p>Привіт</p>' } } })
    await write('Only English')
    expect(await titles(ukrainian)).toEqual(['Only English', 'Обидві'])
    expect(await titles(vip)).toEqual(['Only English', 'Both'])
  })
})

describe('when', () => {
  test('a draft, what is scheduled and what is archived is nobody’s to read, and comes out without a job', async () => {
    await archiveAll()
    api.clock.set(NOW)
    const draft = await write('Draft', { publish: false })
    const due = await write('Due', { publish_at: LATER })
    const old = await write('Old')
    await setStatus(old.uuid, 'archived')
    expect([draft.status, due.status]).toEqual(['draft', 'scheduled'])
    for (const { uuid } of [draft, due, old]) expect((await vip.call(newsApi.get, { params: { uuid } })).status).toBe(404)
    expect([await titles(vip), await unread(vip)]).toEqual([[], 0])
    const list = (await admin.call(newsApi.written, { body: {} })).data.list.map(({ title, status }) => `${title} ${status}`)
    expect(list).toEqual(['Due scheduled', 'Draft draft'])
    api.clock.set(LATER)
    expect([await titles(vip), await unread(vip)]).toEqual([['Due'], 1])
    expect((await admin.call(newsApi.written, { body: { status: ['published'] } })).data.list).toMatchObject([{ uuid: due.uuid }])
    api.clock.set(NOW)
  })

  test('archiving is taken back exactly, by who did it and unless somebody else came', async () => {
    await archiveAll()
    const due = await write('Comes back', { publish_at: LATER })
    await setStatus(due.uuid, 'archived')
    const undo = (who: Caller) => who.call(newsApi.undo, { body: { uuids: [due.uuid], status: 'archived' } })
    expect((await undo(await api.as('head'))).status).toBe(409)
    expect((await undo(admin)).data).toEqual({ changed: 1 })
    expect((await undo(admin)).status).toBe(409)
    expect((await admin.call(newsApi.form, { params: { uuid: due.uuid } })).data).toMatchObject({
      status: 'scheduled',
      publish_at: '2026-11-21T12:00:00.000Z',
    })
    // published at once, and taken back to its own moment
    await setStatus(due.uuid, 'published')
    expect(await titles(vip)).toEqual(['Comes back'])
    await admin.call(newsApi.undo, { body: { uuids: [due.uuid], status: 'published' } })
    expect(await titles(vip)).toEqual([])
  })

  test('what names no moment to come cannot wait for it', async () => {
    const draft = await write('No moment', { publish: false })
    expect((await setStatus(draft.uuid, 'scheduled')).status).toBe(409)
  })
})

describe('reading', () => {
  test('counts what is unread since somebody came, pinned first; all are read at once', async () => {
    await archiveAll()
    api.clock.set(NOW)
    const first = await write('First')
    await write('Second')
    await write('Pinned', { pinned: true, publish_at: '2026-11-01T00:00:00Z' })
    expect(await titles(vip)).toEqual(['Pinned', 'Second', 'First'])
    expect(await unread(vip)).toBe(3)
    expect((await vip.call(newsApi.read, { params: { uuid: first.uuid } })).status).toBe(200)
    expect((await vip.call(newsApi.read, { params: { uuid: first.uuid } })).status).toBe(200)
    expect([await unread(vip), await titles(vip, { unread: true })]).toEqual([2, ['Pinned', 'Second']])
    expect(await unread(ukrainian)).toBe(3)
    expect((await vip.call(newsApi.readAll, { body: { until: NOW } })).data).toEqual({ changed: 2 })
    expect(await unread(vip)).toBe(0)
    expect((await admin.call(newsApi.form, { params: { uuid: first.uuid } })).data.readers).toBe(1)
    const newcomer = await api.as('affiliate')
    await api.db
      .updateTable('account')
      .set({ created_at: new Date(LATER) })
      .where('id', '=', newcomer.accountId)
      .execute()
    expect([(await titles(newcomer)).length, await unread(newcomer)]).toEqual([3, 0])
  })
})

describe('the bell', () => {
  const told = async (who: Caller) => (await who.call(notificationApi.list)).data.list.filter(({ kind }) => kind === 'news')
  const tellAll = async () => {
    while (await tellNews(api.db, api.clock.now()));
  }

  test('tells the audience once, when it is due, and nobody of what is no longer for them', async () => {
    await archiveAll()
    api.clock.set(NOW)
    await tellAll()
    const due = await write('For VIPs', { publish_at: LATER, tags: ['vip'] })
    await tellAll()
    expect(await told(vip)).toEqual([])
    api.clock.set(LATER)
    await tellAll()
    await tellAll()
    expect(await told(vip)).toMatchObject([{ news: { uuid: due.uuid, name: 'For VIPs' }, read: false }])
    expect([await told(ukrainian), await told(manager)]).toEqual([[], []])
    // withdrawn and published again it is no news
    await setStatus(due.uuid, 'draft')
    expect([await told(vip), (await vip.call(notificationApi.unread)).data.rows]).toEqual([[], 0])
    await setStatus(due.uuid, 'published')
    await tellAll()
    expect(await told(vip)).toHaveLength(1)
    await vip.call(newsApi.read, { params: { uuid: due.uuid } })
    expect(await told(vip)).toMatchObject([{ read: true }])
    api.clock.set(NOW)
  })

  test('goes on where it stopped, batch by batch, and several workers tell nobody twice', async () => {
    await archiveAll()
    await tellAll()
    const { id } = await write('Many')
    await api.db
      .updateTable('news')
      .set({ told_until: vip.accountId - 1 })
      .where('id', '=', id)
      .execute()
    await Promise.all([tellAll(), tellAll(), tellAll()])
    expect((await told(vip)).filter(({ news }) => news?.name === 'Many')).toHaveLength(1)
    expect((await told(manager)).filter(({ news }) => news?.name === 'Many')).toHaveLength(0)
    const row = await api.db.selectFrom('news').select(['told_at', 'told_until']).where('id', '=', id).executeTakeFirstOrThrow()
    expect(row.told_at).not.toBeNull()
  })
})

describe('what is written', () => {
  test('is sanitised, and shows no picture but those uploaded here', async () => {
    const { uuid: inside } = await picture(admin)
    const text = `<p onclick="x()">Hi<script>alert(1)</script></p><img src="https://evil.example/x.png" onerror="x()"><img data-file="${inside}" alt="A kite" src="javascript:x"><iframe src="//x"></iframe>`
    const { uuid } = await write('Hostile', { texts: { en: { title: '<b>Hostile</b>', text }, uk: { title: '', text: '' } } })
    const { data } = await vip.call(newsApi.get, { params: { uuid } })
    expect(data.text).toBe(`<p>Hi</p><img data-file="${inside}" alt="A kite" />`)
    expect(data.title).toBe('<b>Hostile</b>')
    const preview = await admin.call(newsApi.preview, {
      body: { texts: { en: { title: 'T', text }, uk: { title: '', text: '' } }, language: 'uk', roles: ['admin'], geos: [], tags: [] },
    })
    expect(preview.data).toMatchObject({ title: 'T', reach: { affiliates: 0 } })
    expect(preview.data.text).not.toMatch(/script|onerror|evil/)
  })

  test('its pictures are shown to those it is for and to nobody else, and a copy has its own', async () => {
    const [cover, inside] = [await picture(admin), await picture(admin)]
    expect((await picture(manager)).status).toBe(403)
    const texts = { en: { title: 'Pictured', text: `<p>A</p><img data-file="${inside.uuid}" alt="">` }, uk: { title: '', text: '' } }
    const news = await write('', { texts, cover: cover.uuid, tags: ['vip'] })
    for (const { uuid } of [cover, inside])
      expect(await Promise.all([vip, ukrainian, manager, admin].map((who) => seesFile(who, uuid)))).toEqual([200, 404, 404, 200])
    const copy = (await admin.call(newsApi.duplicate, { params: { uuid: news.uuid } })).data
    const copied = (await admin.call(newsApi.form, { params: { uuid: copy.uuid } })).data
    expect(copied).toMatchObject({ status: 'draft', tags: ['vip'], texts: { en: { title: 'Pictured (copy)' } } })
    expect([copied.cover, copied.texts.en.text.includes(inside.uuid)]).toEqual([expect.not.stringMatching(cover.uuid), false])
    expect(await seesFile(admin, copied.cover ?? '')).toBe(200)
    // what somebody takes out is shown no more
    const { status } = await admin.call(newsApi.update, {
      params: { uuid: news.uuid },
      body: { ...written('Bare'), tags: ['vip'], version: news.version, publish: undefined } as never,
    })
    expect(status).toBe(200)
    expect(await seesFile(vip, cover.uuid)).toBe(404)
    expect(await seesFile(admin, copied.cover ?? '')).toBe(200)
  })

  test('a picture of somebody else’s cannot be taken, and a stale form is refused', async () => {
    const head = await api.as('head')
    const { uuid } = await picture(head)
    const stolen = await admin.call(newsApi.create, { body: written('Stolen', { cover: uuid }) })
    expect({ status: stolen.status, fields: Object.keys(stolen.fields) }).toEqual({ status: 422, fields: ['cover'] })
    const nothing = await admin.call(newsApi.create, { body: written('No file', { cover: randomUUID() }) })
    expect({ status: nothing.status, fields: Object.keys(nothing.fields) }).toEqual({ status: 422, fields: ['cover'] })
    const news = await write('Stale')
    const { publish: _out, ...changed } = written('No file', { cover: randomUUID() })
    const none = await admin.call(newsApi.update, { params: { uuid: news.uuid }, body: { ...changed, version: news.version } })
    expect({ status: none.status, fields: Object.keys(none.fields) }).toEqual({ status: 422, fields: ['cover'] })
    const { publish: _publish, ...body } = written('Newer')
    const save = () => admin.call(newsApi.update, { params: { uuid: news.uuid }, body: { ...body, version: news.version } })
    expect([(await save()).status, (await save()).status]).toEqual([200, 409])
  })
})
