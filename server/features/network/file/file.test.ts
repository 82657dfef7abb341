import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { landingApi } from '#contract/offers/landing.ts'
import { openFileStore } from '#server/platform/files/store.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { landingInput, upload } from '#test/support/make/landings.ts'
import { pngOf } from '#test/support/make/picture.ts'
import { sweepFiles } from './file.jobs.ts'

let api: TestApi
let admin: Caller
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'file-test-'))
  api = await startApi({ env: { DATA_DIR: dataDir } })
  admin = await api.as('admin')
})
afterAll(async () => {
  await api.close()
  await rm(dataDir, { recursive: true })
})

const jpegOf = (segments: readonly number[]) => Buffer.from([0xff, 0xd8, ...segments])
const SCANS = Array.from({ length: 101 }, () => [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]).flat()
/** One pixel, its canvas two by two. */
const LYING_WEBP = Buffer.concat([
  Buffer.from('RIFF\x36\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x01\0\0\x01\0\0', 'latin1'),
  Buffer.from('VlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64'),
])

const show = (who: Pick<Caller, 'token'>, uuid: string) =>
  fetch(`${api.url}/api/file/v1/get/${uuid}`, { headers: { authorization: `Bearer ${who.token}` } })

describe('uploading', () => {
  test('a picture is kept as WebP in bounded size, without its metadata, readable by nobody else on the machine', async () => {
    const { status, data } = await upload(api, admin, pngOf(3200, 800))
    expect({ status, width: data.width, height: data.height }).toEqual({ status: 200, width: 1600, height: 400 })
    const path = join(dataDir, 'files', data.uuid)
    const kept = await readFile(path)
    expect(kept.subarray(8, 12).toString()).toBe('WEBP')
    expect(kept.includes('taken at home')).toBe(false)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  test.each([
    ['an SVG, which can carry scripts', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), 415],
    ['a GIF', Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'), 415],
    ['a page that calls itself a picture', Buffer.from('<script>alert(1)</script>'), 415],
    ['a picture that ends in the middle', pngOf(90, 90).subarray(0, 80), 415],
    ['a small file that unpacks to a billion bytes', pngOf(16_000, 16_000), 415],
    ['a picture longer than 8,000 pixels', pngOf(8_001, 2), 415],
    ['a JPEG whose frame claims more than there may be', jpegOf([0xff, 0xc0, 0, 11, 8, 0xff, 0xff, 0xff, 0xff, 1, 1, 0x11, 0]), 415],
    ['a JPEG that draws itself again and again', jpegOf([0xff, 0xc2, 0, 11, 8, 0, 9, 0, 9, 1, 1, 0x11, 0, ...SCANS]), 415],
    ['a WebP whose canvas is smaller than its frame', LYING_WEBP, 415],
    ['more than 5 MB', Buffer.alloc(5 * 1024 * 1024 + 1), 413],
    ['nothing', Buffer.alloc(0), 415],
  ])('refuses %s', async (_title, bytes, status) => {
    const before = (await readdir(join(dataDir, 'files'))).length
    expect((await upload(api, admin, bytes)).status).toBe(status)
    expect((await readdir(join(dataDir, 'files'))).length).toBe(before)
  })

  test('a broken JPEG keeps nobody else waiting, and an account that sends too many has to stop', async () => {
    const head = await api.as('head')
    const broken = jpegOf([0xff, ...Buffer.alloc(5 * 1024 * 1024 - 3)])
    const delay = monitorEventLoopDelay()
    delay.enable()
    expect((await upload(api, head, broken)).status).toBe(415)
    delay.disable()
    expect(delay.max / 1e6).toBeLessThan(500)
    expect((await upload(api, head, pngOf(2, 2))).status).toBe(200)
    const nothing = Buffer.alloc(0)
    for (let refused = 1; refused < 60; refused++) expect((await upload(api, head, nothing)).status).toBe(415)
    expect((await upload(api, head, pngOf(2, 2))).status).toBe(429)
    expect((await upload(api, admin, pngOf(2, 2))).status).toBe(200)
  })

  test('takes the right that its use takes', async () => {
    expect((await upload(api, await api.as('affiliate'), pngOf(9, 9))).status).toBe(403)
    expect((await upload(api, await api.as('manager'), pngOf(9, 9))).status).toBe(200)
  })

  test('the signature covers the bytes', async () => {
    const strict = await startApi({ env: { DATA_DIR: dataDir, REQUIRE_SIGNATURE: 'true' } })
    try {
      const caller = await strict.as('admin')
      const bytes = pngOf(9, 9)
      const signed = (over: Buffer) => {
        const timestamp = String(strict.clock.now())
        const hash = createHash('sha256').update(`${timestamp}.${caller.token}.`).update(over).digest('hex')
        return { 'x-timestamp': timestamp, 'x-signature': hash }
      }
      expect((await upload(strict, caller, bytes, signed(bytes))).status).toBe(200)
      expect((await upload(strict, caller, bytes, signed(pngOf(8, 8)))).status).toBe(400)
    } finally {
      await strict.close()
    }
  })

  test('an account that shows nothing of what it uploads has to stop, even when it sends all of it at once', async () => {
    const manager = await api.as('manager')
    const statuses = await Promise.all(Array.from({ length: 60 }, async () => (await upload(api, manager, pngOf(2, 2))).status))
    expect(statuses.toSorted()).toEqual([...Array<number>(50).fill(200), ...Array<number>(10).fill(409)])
    expect((await upload(api, manager, pngOf(2, 2))).status).toBe(409)
  })
})

describe('a kept picture', () => {
  test('is served as a picture and nothing else, for ever the same', async () => {
    const { data } = await upload(api, admin, pngOf(20, 10))
    const answer = await show(admin, data.uuid)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, max-age=31536000, immutable',
    })
    expect(Buffer.from(await answer.arrayBuffer()).equals(await readFile(join(dataDir, 'files', data.uuid)))).toBe(true)
  })

  test('is its uploader’s alone until something shows it, and cannot be taken by somebody else', async () => {
    const { data } = await upload(api, admin, pngOf(20, 10))
    const head = await api.as('head')
    expect((await show(head, data.uuid)).status).toBe(404)
    const stolen = await head.call(landingApi.create, { body: landingInput({ preview: data.uuid }) })
    expect(stolen).toMatchObject({ status: 422, fields: { preview: 'Upload the picture again' } })
    expect((await admin.call(landingApi.create, { body: landingInput({ preview: data.uuid }) })).status).toBe(200)
    expect((await show(head, data.uuid)).status).toBe(200)
  })

  test('goes a day after nothing shows it any more, and so do bytes that are no file', async () => {
    const [old, shown] = [(await upload(api, admin, pngOf(3, 3))).data.uuid, (await upload(api, admin, pngOf(3, 3))).data.uuid]
    const made = await admin.call(landingApi.create, { body: landingInput({ preview: old }) })
    await admin.call(landingApi.update, {
      params: { uuid: made.data.uuid },
      body: { ...landingInput({ preview: shown }), version: made.data.version },
    })
    const stray = '00000000-0000-4000-8000-00000000000a'
    await writeFile(join(dataDir, 'files', stray), 'x')
    const store = openFileStore(dataDir)
    const yesterday = new Date(api.clock.now() - 25 * 3_600_000)
    for (const name of [old, shown, stray]) await utimes(join(dataDir, 'files', name), yesterday, yesterday)
    await sweepFiles({ db: api.db, store }, api.clock.now())
    expect(await store.read(old)).not.toBeNull()
    await sweepFiles({ db: api.db, store }, api.clock.now() + 25 * 3_600_000)
    expect([await store.read(old), await store.read(stray)]).toEqual([null, null])
    expect(await store.read(shown)).not.toBeNull()
    expect((await show(admin, shown)).status).toBe(200)
  })
})
