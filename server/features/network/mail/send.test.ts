import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { smtpSetting } from '#contract/network/smtp.ts'
import { storeSetting } from '#server/features/network/setting/setting.queries.ts'
import { cloneDatabase, type TestDatabase } from '#test/support/run/database.ts'
import { LOCALHOST_CA, OTHER_CA, startMailServer, type MailServer } from '#test/support/run/mail-server.ts'
import { deleteOldMail } from './mail.jobs.ts'
import { requeueMail } from './mail.queries.ts'
import { openMailQueue } from './queue.service.ts'
import { smtpSealer } from './secret.service.ts'
import { openMailer, tidyMail, type Mailer } from './send.service.ts'
import { storeSecret } from './smtp.queries.ts'
import { claimMail } from './send.queries.ts'

const KEY = 'one key of an instance, long enough for it'
const PANEL = 'https://panel.network.org'
const MINUTE = 60_000
let database: TestDatabase
let now = Date.parse('2026-11-21T10:00:00Z')
const clock = { now: () => now }
const closing: (() => Promise<void>)[] = []

beforeAll(async () => {
  database = await cloneDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.db.deleteFrom('mail').execute()
  await database.db.deleteFrom('smtp_secret').execute()
  now = Date.parse('2026-11-21T10:00:00Z')
})
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

async function server(options: Parameters<typeof startMailServer>[0] & { user?: string; host?: string } = {}): Promise<MailServer> {
  const started = await startMailServer(options)
  closing.push(() => started.close())
  await setUp({ port: started.port, host: options.host ?? 'localhost', security: options.security ?? 'none', user: options.user ?? '' })
  return started
}

function setUp(values: Partial<typeof smtpSetting.defaults>): Promise<void> {
  const sender = { sender_email: 'hello@network.org', sender_name: 'Pay "Per" <Lead>' }
  return storeSetting(database.db, now, 'smtp', { ...smtpSetting.defaults, ...sender, ...values })
}

function mailer(options: { ca?: string; atOnce?: number; publicUrl?: string } = {}): Mailer {
  const opened = openMailer({ db: database.db, clock, secretKey: KEY, publicUrl: PANEL, random: () => 0.5, ...options })
  closing.unshift(() => opened.close())
  return opened
}

const password = (secret: string) => storeSecret(database.db, now, 'password', smtpSealer(KEY).seal(secret))

function queue(to: string, { name = 'Ann', expires = now + 86_400_000 }: { name?: string; expires?: number } = {}): Promise<void> {
  const values = { name, link: `${PANEL}/password-recovery?token=SECRET` }
  return openMailQueue(KEY).add(database.db, now, { event: 'set_password', to: { email: to, language: 'en' }, values, expires })
}

async function tick(of: Mailer): Promise<number> {
  const started = await of.tick()
  await of.idle()
  return started
}

const rows = () =>
  database.db
    .selectFrom('mail')
    .select(['recipient', 'status', 'attempts', 'error', 'next_at', 'sealed', 'subject', 'uuid'])
    .orderBy('id')
    .execute()

test('a message arrives as text and as HTML with its link, and what filled it is cleared', async () => {
  const { received } = await server()
  await queue('ann@people.org')
  expect(await tick(mailer())).toBe(1)
  const [sent] = await rows()
  expect(sent).toMatchObject({ status: 'sent', attempts: 1, error: '', sealed: null, subject: 'Your account at Ohma' })
  expect(received).toHaveLength(1)
  expect(received[0]).toMatchObject({ from: 'hello@network.org', to: ['ann@people.org'] })
  const raw = readable(received[0]?.raw)
  expect(raw).toContain(`Message-ID: <${sent?.uuid}@network.org>`)
  expect(raw).toContain('Content-Type: text/plain')
  expect(raw).toContain(`Set your password: ${PANEL}/password-recovery?token=SECRET`)
  expect(raw).toContain(`href="${PANEL}/password-recovery?token=SECRET"`)
  expect(raw).toContain('Auto-Submitted: auto-generated')
})

test('a refusal is final at once, in the words of the server, and can be sent again as long as it is of use', async () => {
  const { answers, received } = await server()
  answers.set('gone@people.org', { code: 550, text: '5.1.1 No such user here', at: 'recipient' })
  await queue('gone@people.org', { expires: now + 10 * MINUTE })
  const worker = mailer()
  await tick(worker)
  expect((await rows())[0]).toMatchObject({ status: 'refused', attempts: 1, error: 'recipient_refused: 550 5.1.1 No such user here' })
  now += MINUTE
  expect(await tick(worker)).toBe(0)

  answers.clear()
  const [row] = await rows()
  expect(await requeueMail(database.db, now, [row?.uuid ?? ''])).toHaveLength(1)
  await tick(worker)
  expect(received).toHaveLength(1)
  expect((await rows())[0]).toMatchObject({ status: 'sent', sealed: null })

  answers.set('late@people.org', { code: 554, text: '5.7.1 Rejected as spam', at: 'data' })
  await queue('late@people.org', { expires: now + 10 * MINUTE })
  await tick(worker)
  now += 11 * MINUTE
  await tidyMail(database.db, now)
  const [, late] = await rows()
  expect(late).toMatchObject({ status: 'refused', sealed: null, error: 'message_refused: 554 5.7.1 Rejected as spam' })
  expect(await requeueMail(database.db, now, [late?.uuid ?? ''])).toHaveLength(0)
})

test('a delay is tried again after growing pauses, under the same id, and goes then', async () => {
  const { answers, received } = await server()
  answers.set('busy@people.org', { code: 451, text: '4.7.1 Greylisted, come back later', at: 'recipient' })
  await queue('busy@people.org')
  const worker = mailer()
  await tick(worker)
  const [first] = await rows()
  expect(first).toMatchObject({ status: 'waiting', attempts: 1, error: 'recipient_refused: 451 4.7.1 Greylisted, come back later' })
  expect(first?.next_at.getTime()).toBe(now + MINUTE / 2)
  now += MINUTE / 4
  expect(await tick(worker)).toBe(0)
  now += MINUTE / 4
  await tick(worker)
  expect((await rows())[0]?.next_at.getTime()).toBe(now + 2 * MINUTE)
  answers.clear()
  now += 2 * MINUTE
  await tick(worker)
  const [sent] = await rows()
  expect(sent).toMatchObject({ status: 'sent', attempts: 3, error: '' })
  expect(received[0]?.raw).toContain(`Message-ID: <${sent?.uuid}@network.org>`)
})

test('what is delayed until it is of no use has failed, what nobody could send has expired', async () => {
  const { answers } = await server()
  answers.set('busy@people.org', { code: 451, text: '4.3.0 Later', at: 'data' })
  await queue('busy@people.org', { expires: now + 20_000 })
  await tick(mailer())
  expect((await rows())[0]).toMatchObject({ status: 'failed', error: 'message_refused: 451 4.3.0 Later' })

  await setUp({ host: '' })
  await queue('ann@people.org', { expires: now + MINUTE })
  expect(await tick(mailer())).toBe(0)
  await tidyMail(database.db, now)
  expect((await rows())[1]).toMatchObject({ status: 'waiting' })
  now += MINUTE
  await tidyMail(database.db, now)
  expect((await rows())[1]).toMatchObject({ status: 'expired', sealed: null })
})

test.each(['tls', 'starttls'] as const)('%s encrypts, and signs in with the stored password', async (security) => {
  const { received } = await server({ security, password: 'right', user: 'robot' })
  await password('right')
  await queue('ann@people.org')
  await tick(mailer({ ca: LOCALHOST_CA }))
  expect(received[0]).toMatchObject({ secure: true, user: 'robot' })
})

test('without encryption there is no sending where it is asked for, and nothing is said of the message', async () => {
  const { received, port } = await server({ security: 'none' })
  await setUp({ host: 'localhost', port, security: 'starttls' })
  await queue('ann@people.org')
  await tick(mailer({ ca: LOCALHOST_CA }))
  expect((await rows())[0]?.error).toMatch(/^no_starttls/)
  expect((await rows())[0]?.status).toBe('waiting')
  expect(received).toEqual([])
})

test.each([
  ['an unknown authority', 'localhost', undefined, 'certificate_untrusted'],
  ['another name', 'other', OTHER_CA, 'certificate_other_name'],
] as const)('a certificate of %s is refused, and the message waits', async (_what, certificate, ca, reason) => {
  for (const security of ['tls', 'starttls'] as const) {
    await database.db.deleteFrom('mail').execute()
    const { received } = await server({ security, certificate })
    await queue('ann@people.org')
    await tick(mailer(ca === undefined ? {} : { ca }))
    const [row] = await rows()
    expect(row?.error, security).toMatch(new RegExp(`^${reason}`))
    expect(row?.status).toBe('waiting')
    expect(received).toEqual([])
  }
})

test('a wrong password of ours is no refusal of the message', async () => {
  await server({ security: 'tls', password: 'right', user: 'robot' })
  await password('wrong')
  await queue('ann@people.org')
  await tick(mailer({ ca: LOCALHOST_CA }))
  const [row] = await rows()
  expect(row).toMatchObject({ status: 'waiting' })
  expect(row?.error).toMatch(/^sign_in_refused: 535 5.7.8 Wrong user or password/)
})

test('two workers send each message once, and no more in a minute than allowed', async () => {
  const { received, port } = await server()
  await setUp({ host: 'localhost', port, security: 'none', per_minute: 7 })
  for (let index = 0; index < 10; index++) await queue(`person${index}@people.org`)
  const workers = [mailer(), mailer()]
  for (let round = 0; round < 4; round++) await Promise.all(workers.map(tick))
  expect(received).toHaveLength(7)
  now += MINUTE + 1
  await Promise.all(workers.map(tick))
  expect(received.flatMap(({ to }) => to).toSorted()).toEqual(Array.from({ length: 10 }, (_none, index) => `person${index}@people.org`))
})

test('a worker that dies with a message loses none: it goes when the lease is over', async () => {
  const { received } = await server()
  await queue('ann@people.org')
  // taken, and never heard of again
  expect(await claimMail(database.db, now, { limit: 1, perMinute: 10, leaseMs: 5 * MINUTE })).toHaveLength(1)
  const worker = mailer()
  expect(await tick(worker)).toBe(0)
  now += 5 * MINUTE
  expect(await tick(worker)).toBe(1)
  expect(received).toHaveLength(1)
  expect((await rows())[0]).toMatchObject({ status: 'sent', attempts: 2 })
})

test('a worker that dies after the server took the message sends it again under the same id', async () => {
  const { received } = await server()
  await queue('ann@people.org')
  // the very moment between the answer of the server and the commit
  await sql`create function die() returns trigger language plpgsql as 'begin raise exception ''the process is gone''; end'`.execute(
    database.db,
  )
  await sql`create trigger die before update on mail for each row when (new.status <> 'waiting') execute function die()`.execute(
    database.db,
  )
  await tick(mailer())
  await sql`drop function die cascade`.execute(database.db)
  expect(received).toHaveLength(1)
  expect((await rows())[0]).toMatchObject({ status: 'waiting' })
  now += 6 * MINUTE
  await tick(mailer())
  const ids = received.map(({ raw }) => /^Message-ID: (.+)$/m.exec(raw)?.[1]?.trim())
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
})

test('what strangers call themselves becomes neither a header, nor markup, nor a link', async () => {
  const { received } = await server()
  await database.db
    .insertInto('mail_template')
    .values({
      event: 'set_password',
      language: 'en',
      subject: 'For {name}',
      body: 'Hello {name}\n\n[Go]({link})',
      updated_at: new Date(now),
    })
    .execute()
  await queue('ann@people.org', {
    name: 'Eve\r\nBcc: all@people.org <img src=x onerror=alert(1)> [x](https://evil.org) **b** {link} win.evil.org',
  })
  await tick(mailer())
  await database.db.deleteFrom('mail_template').execute()
  const raw = readable(received[0]?.raw)
  expect(received[0]?.to).toEqual(['ann@people.org'])
  expect(raw).not.toMatch(/^Bcc:/m)
  expect(raw).toContain('Hello Eve Bcc:')
  const html = raw.slice(raw.indexOf('<!doctype'))
  expect(html).not.toContain('<img src=x')
  expect(html).toContain('&#60;img src=x')
  expect(raw).not.toContain('<strong>b')
  expect(raw).not.toContain('evil.org')
  expect(raw).not.toMatch(/href="https:\/\/[^"]*evil/)
})

test('neither does the subject of a ticket, or who wrote in it', async () => {
  const { received } = await server()
  const values = {
    name: 'Ann',
    author: 'Eve at win.evil.org',
    number: '7',
    subject: 'See https://evil.org/win',
    text: 'Hello',
    link: `${PANEL}/tickets`,
  }
  await openMailQueue(KEY).add(database.db, now, { event: 'ticket_message', to: { email: 'ann@people.org', language: 'en' }, values })
  await tick(mailer())
  const raw = readable(received[0]?.raw)
  expect(raw).toContain('See https')
  expect(raw).not.toContain('evil.org')
})

test('addresses that are kept for examples are never handed over', async () => {
  const { received } = await server()
  for (const to of ['ann@partners.example', 'bob@example.com', 'eve@sub.test']) await queue(to)
  await tick(mailer())
  expect(received).toEqual([])
  expect((await rows()).map(({ status, error }) => [status, error])).toEqual(
    Array.from({ length: 3 }, () => ['refused', 'reserved_address']),
  )
})

test('messages of more than 90 days ago leave the log', async () => {
  await server()
  await queue('ann@people.org')
  await tick(mailer())
  now += 91 * 86_400_000
  await queue('bob@people.org')
  expect(await deleteOldMail(database.db, now)).toBe(1)
  expect((await rows()).map(({ recipient }) => recipient)).toEqual(['bob@people.org'])
})

/** A message with its encodings undone, as far as these tests read it. */
function readable(raw = ''): string {
  return raw
    .replace(/\r\n/g, '\n')
    .split(/\n(?=--)/)
    .map((part) => (/quoted-printable/i.test(part) ? unquoted(part) : /base64/i.test(part) ? unbased(part) : part))
    .join('\n')
}

function unquoted(part: string): string {
  const bytes = part.replace(/=\n/g, '').replace(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

function unbased(part: string): string {
  const [head = '', body = ''] = part.split(/\n\n(.*)/s)
  return `${head}\n\n${Buffer.from(body, 'base64').toString('utf8')}`
}

test('a document goes along as it was handed out', async () => {
  const { received } = await server()
  const bytes = Buffer.from('%PDF-1.7 as it was handed out')
  const kept = { kind: 'advertiser_invoice' as const, subject_id: 1, number: 'INV-2026-1', bytes, sha256: bytes, made_at: new Date(now) }
  const { id: documentId } = await database.db.insertInto('document').values(kept).returning('id').executeTakeFirstOrThrow()
  const values = { name: 'Acme', number: 'INV-2026-1', amount: '10 USD', due: '2026-11-01', days: '20' }
  await openMailQueue(KEY).add(database.db, now, {
    event: 'invoice_overdue',
    to: { email: 'pay@acme.org', language: 'en' },
    values,
    documentId,
  })
  expect(await tick(mailer())).toBe(1)
  const raw = received[0]?.raw ?? ''
  expect(raw).toContain('Content-Type: application/pdf; name=INV-2026-1.pdf')
  const sent = /filename=INV-2026-1\.pdf\r\n(?:[\w-]+:.*\r\n)*\r\n([\s\S]*?)\r\n--/.exec(raw)?.[1] ?? ''
  expect(Buffer.from(sent, 'base64').equals(bytes)).toBe(true)
})
