import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fileApi } from '#contract/network/file.ts'
import { ticketApi } from '#contract/network/ticket.ts'
import { safeName } from '#server/platform/files/document.ts'
import { upload } from '#test/support/make/landings.ts'
import { pngOf } from '#test/support/make/picture.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

let api: TestApi
let manager: Caller
let affiliate: Caller
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'ticket-file-test-'))
  api = await startApi({ env: { DATA_DIR: dataDir } })
  manager = await api.as('manager')
  affiliate = await api.as('affiliate', { managerId: manager.managerId })
})
afterAll(async () => {
  await api.close()
  await rm(dataDir, { recursive: true })
})

const send = (who: Caller, bytes: Buffer, name: string) => upload(api, who, bytes, {}, { kind: 'ticket', name })
const show = (who: Pick<Caller, 'token'>, uuid: string) =>
  fetch(`${api.url}/api/file/v1/get/${uuid}`, { headers: { authorization: `Bearer ${who.token}` } })
const say = (files: string[], more: { internal?: boolean } = {}, who = affiliate) =>
  who.call(ticketApi.answer, { params: { uuid: ticket }, body: { key: randomUUID(), files, ...more } })

let ticket: string
beforeAll(async () => {
  const body = { key: randomUUID(), subject: 'Files', body: 'See', category: 'technical' as const }
  ticket = (await affiliate.call(ticketApi.create, { body })).data.uuid
})

const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
const EXE = Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), Buffer.alloc(400)])
const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n')

test.each([
  ['an SVG with a script', SVG, 'logo.svg', 415],
  ['an SVG that calls itself a text', SVG, 'logo.txt', 415],
  ['an SVG that calls itself a picture', SVG, 'logo.png', 415],
  ['a program that calls itself a document', EXE, 'invoice.pdf', 415],
  ['a program that calls itself a text', EXE, 'notes.txt', 415],
  ['a shell script', Buffer.from('#!/bin/sh\nrm -rf /\n'), 'run.txt', 415],
  ['a page', Buffer.from('hello <script>alert(1)</script>'), 'page.txt', 415],
  ['text that calls itself something else', Buffer.from('start calc'), 'a.bat', 415],
  ['an archive', Buffer.from('PK\x05\x06' + '\0'.repeat(18), 'latin1'), 'a.docx', 415],
  ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x41]), 'a.txt', 415],
  ['nothing', Buffer.alloc(0), 'a.txt', 415],
  ['more than 5 MB', Buffer.alloc(5 * 1024 * 1024 + 1, 'a'), 'a.txt', 413],
])('%s is refused', async (_what, bytes, name, status) => {
  const files = async () => (await readdir(join(dataDir, 'files')).catch(() => [])).length
  const before = await files()
  expect((await send(affiliate, bytes, name)).status).toBe(status)
  expect(await files()).toBe(before)
})

test('100 MB are cut off at the beginning', async () => {
  const url = new URL(`${api.url}${fileApi.upload.path}?kind=ticket&name=a.txt`)
  const headers = {
    authorization: `Bearer ${affiliate.token}`,
    'content-type': 'application/octet-stream',
    'content-length': 100 * 1024 * 1024,
  }
  const asking = request(url, { method: 'POST', headers })
  const status = new Promise((resolve, reject) => asking.on('response', ({ statusCode }) => resolve(statusCode)).on('error', reject))
  asking.write(Buffer.alloc(64 * 1024, 'a'))
  expect(await status).toBe(413)
  asking.destroy()
})

test('names lose folders, endings that lie and signs that turn them around', () => {
  expect(safeName('../../etc/passwd', 'file', 'txt')).toBe('passwd.txt')
  expect(safeName('C:\\temp\\cap.png.exe', 'file', 'webp')).toBe('cap.png.webp')
  expect(safeName('in\u202egnp.voice\r\n\0.pdf', 'file', 'pdf')).toBe('ingnp.voice.pdf')
  expect(safeName('..', 'picture', 'webp')).toBe('picture.webp')
  expect(safeName('рахунок "2026".csv', 'file', 'csv')).toBe('рахунок 2026.csv')
})

test('what a message brings is saved by who may read it, under its name, and never shown as a page of ours', async () => {
  const files = [
    (await send(affiliate, PDF, '../рахунок.pdf')).data,
    (await send(affiliate, Buffer.from('a;b\n1;2\n'), 'rows.csv')).data,
    (await send(affiliate, pngOf(3000, 20), 'screen.png')).data,
  ]
  expect(files.map(({ name, picture }) => ({ name, picture }))).toEqual([
    { name: 'рахунок.pdf', picture: false },
    { name: 'rows.csv', picture: false },
    { name: 'screen.webp', picture: true },
  ])
  const uuids = files.map(({ uuid }) => uuid)
  const other = await api.as('affiliate', { managerId: manager.managerId })
  // until it is sent it is its sender's alone
  expect(await Promise.all([affiliate, manager, other].map(async (who) => (await show(who, uuids[0] ?? '')).status))).toEqual([
    200, 404, 404,
  ])
  expect((await say(uuids)).status).toBe(200)
  const colleague = await api.as('manager')
  expect(await Promise.all([manager, other, colleague, affiliate].map(async (who) => (await show(who, uuids[0] ?? '')).status))).toEqual([
    200, 404, 404, 200,
  ])
  const answer = await show(manager, uuids[0] ?? '')
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': 'attachment; filename="_______.pdf"; filename*=UTF-8\'\'%D1%80%D0%B0%D1%85%D1%83%D0%BD%D0%BE%D0%BA.pdf',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  })
  expect(Buffer.from(await answer.arrayBuffer()).equals(PDF)).toBe(true)
  const { list } = (await manager.call(ticketApi.messages, { params: { uuid: ticket } })).data
  expect(list.at(-1)?.files.map(({ name }) => name)).toEqual(['рахунок.pdf', 'rows.csv', 'screen.webp'])
  // it is somebody's already
  expect((await say([uuids[0] ?? ''])).fields).toEqual({ files: 'Upload the files again' })
})

test('the file of a note is for staff alone, and nobody sends what somebody else uploaded', async () => {
  const { uuid } = (await send(manager, PDF, 'internal.pdf')).data
  expect((await say([uuid])).fields).toEqual({ files: 'Upload the files again' })
  expect((await say([uuid], { internal: true }, manager)).status).toBe(200)
  expect((await show(manager, uuid)).status).toBe(200)
  expect((await show(affiliate, uuid)).status).toBe(404)
})

test('a message brings five files at most, and team leads upload none', async () => {
  expect((await say(Array.from({ length: 6 }, () => randomUUID()))).status).toBe(400)
  expect((await send(await api.as('team lead'), PDF, 'a.pdf')).status).toBe(403)
})
