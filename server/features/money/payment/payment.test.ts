import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  paymentMethodApi,
  paymentSetting,
  paymentSettingApi,
  type MethodChange,
  type PaymentKind,
  type PaymentSystem,
} from '#contract/money/payment.ts'
import { Secret, TOTP } from 'otpauth'
import { secondFactorApi } from '#contract/people/second-factor.ts'
import { constantApi } from '#contract/network/constant.ts'
import { hashPassword } from '#server/platform/secret.ts'
import { readConfig } from '#server/platform/config.ts'
import { openSealer } from '#server/platform/seal.ts'
import { waiting } from '#test/support/fault/stand-still.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { maskedOf, readMethod } from './check.service.ts'

const PASSWORD = 'correct horse battery'
const IBAN = 'DE89 3704 0044 0532 0130 00'
const TRON = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const LOCK = 48 * 3_600_000
let api: TestApi
let hash: string
let affiliate: Caller
beforeAll(async () => {
  api = await startApi({ env: { TRUST_PROXY: '127.0.0.1' } })
  hash = await hashPassword(PASSWORD)
})
afterAll(() => api.close())
beforeEach(async () => {
  for (const table of ['mail', 'setting'] as const) await api.db.deleteFrom(table).execute()
  const value = JSON.stringify({ host: 'mail.example', sender_email: 'hello@network.example' })
  await api.db.insertInto('setting').values({ key: 'smtp', value }).execute()
  affiliate = await api.as('affiliate')
  await api.db.updateTable('account').set({ password_hash: hash }).where('id', '=', affiliate.accountId).execute()
})

const systemOf = (kind: PaymentKind): PaymentSystem => ({ ...paymentSetting.defaults.systems[0]!, kind, code: kind })
const list = async (of = affiliate) => (await of.call(paymentMethodApi.list)).data.list
const ask = (change: MethodChange, password = PASSWORD, of = affiliate) => of.call(paymentMethodApi.ask, { body: { change, password } })
/** The code of the last mail, which is taken away with it. */
async function mailed(): Promise<string> {
  const row = await api.db.deleteFrom('mail').where('event', '=', 'payment_method_code').returning('sealed').executeTakeFirst()
  const key = readConfig({ DATABASE_URL: api.databaseUrl }, 'test').secretKey
  const values = JSON.parse(openSealer(key, 'mail').open(row?.sealed ?? Buffer.alloc(0))) as { code: string; method: string }
  return values.code
}
/** A code for a change, where one is needed. */
async function codeFor(change: MethodChange): Promise<string> {
  if ((await affiliate.call(paymentMethodApi.list)).data.confirmed_by !== 'mail') return ''
  return (await ask(change)).status === 200 ? mailed() : ''
}
const save = async (system: string, values: Record<string, string>, uuid: string | null = null, password = PASSWORD) => {
  const code = await codeFor({ kind: 'save', uuid, system, values })
  return affiliate.call(paymentMethodApi.save, { body: { uuid, system, values, password, code } })
}
const remove = async (uuid: string) => {
  const code = await codeFor({ kind: 'remove', uuid })
  return affiliate.call(paymentMethodApi.remove, { params: { uuid }, body: { password: PASSWORD, code } })
}
const sepa = (iban = IBAN) => ({ holder: 'Ann Miller', iban })

describe('what cannot be an account is refused at its field', () => {
  test.each([
    ['sepa', 'iban', IBAN, 'DE89370400440532013000'],
    ['sepa', 'iban', 'DE89 3704 0044 0532 0130 01', null],
    ['sepa', 'iban', 'XX89 3704 0044 0532 0130 00', null],
    ['bank', 'account', 'ua21 3223 1300 0002 6007 2335 6600 1', 'UA213223130000026007233566001'],
    ['bank', 'account', 'UA213223130000026007233566002', null],
    ['bank', 'account', '19-2000145399/0800', '19-2000145399/0800'],
    // of a country without IBANs
    ['bank', 'account', 'us12 3456', 'US123456'],
    ['bank', 'account', '0012 3456 789', '00123456789'],
    ['bank', 'account', 'x', null],
    ['bank', 'account', '=1+1', null],
    ['sepa', 'bic', 'cobadeff', 'COBADEFF'],
    ['sepa', 'bic', 'COBADE', null],
    ['usdt_trc20', 'address', TRON, TRON],
    ['usdt_trc20', 'address', TRON.replace('R', 'S'), null],
    ['usdt_trc20', 'address', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', null],
    // ERC-55's own example
    ['usdt_erc20', 'address', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['usdt_erc20', 'address', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['usdt_erc20', 'address', '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', null],
    ['usdt_erc20', 'address', `0x${'0'.repeat(40)}`, null],
    ['usdt_erc20', 'address', '0xdAC17F958D2ee523a2206206994597C13D831ec7', null],
    ['paypal', 'email', ' Ann@Example.com ', 'ann@example.com'],
    ['paypal', 'email', 'ann@', null],
    ['capitalist', 'account', 'u0100651', 'U0100651'],
    ['capitalist', 'account', '0100651', null],
  ] as const)('%s %s %s', (kind, field, typed, kept) => {
    const { errors, kept: read } = readMethod(systemOf(kind), { [field]: typed.trim() })
    expect([read[field] ?? null, `values.${field}` in errors]).toEqual([kept, kept === null])
  })

  test.each([
    ['usdt_trc20', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'the token USDT itself'],
    ['usdt_erc20', '0xdAC17F958D2ee523a2206206994597C13D831ec7', 'the token USDT itself'],
    // by mistake in the other network's field
    ['usdt_trc20', '0xdAC17F958D2ee523a2206206994597C13D831ec7', 'the token USDT itself'],
    ['usdt_trc20', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', 'nobody'],
    ['usdt_erc20', `0x${'0'.repeat(40)}`, 'nobody'],
    ['usdt_erc20', `0x${'0'.repeat(36)}dEaD`, 'nobody'],
    ['usdt_erc20', `0x${'0'.repeat(39)}`, 'a letter or digit is wrong or missing'],
  ] as const)('%s %s, where money would be lost, with why', (kind, address, why) => {
    const { errors, kept } = readMethod(systemOf(kind), { address })
    expect([kept, errors['values.address']]).toEqual([{}, expect.stringContaining(why)])
  })

  test('what is shown of a method is too little to use it', () => {
    expect(maskedOf(systemOf('sepa'), { holder: 'Ann', iban: 'DE89370400440532013000' })).toBe('DE89 ••• 3000')
    expect(maskedOf(systemOf('paypal'), { email: 'ann@example.com' })).toBe('a•••@example.com')
    expect(maskedOf(systemOf('usdt_trc20'), { address: TRON })).toBe('TJRa ••• RTv8')
  })
})

test('the first method is good at once; a changed one, another one and a new first one wait 48 hours', async () => {
  expect((await save('sepa', sepa())).status).toBe(200)
  const [first] = await list()
  expect(first).toMatchObject({ system: 'sepa', masked: 'DE89 ••• 3000', locked_until: null, offered: true })
  const locked = new Date(api.clock.now() + LOCK).toISOString()
  await save('usdt_trc20', { address: TRON })
  const both = await list()
  expect(both.map(({ locked_until }) => locked_until)).toEqual([null, locked])
  await save('sepa', sepa('GB82 WEST 1234 5698 7654 32'), first?.uuid)
  expect((await list())[0]).toMatchObject({ masked: 'GB82 ••• 5432', locked_until: locked })

  api.clock.advance(1000)
  const order = async (uuids: string[]) => {
    const code = await codeFor({ kind: 'order', uuids })
    return affiliate.call(paymentMethodApi.order, { body: { uuids, password: PASSWORD, code } })
  }
  expect((await order([first?.uuid ?? ''])).status).toBe(409)
  expect((await order(both.map(({ uuid }) => uuid).toReversed())).status).toBe(200)
  const later = new Date(api.clock.now() + LOCK).toISOString()
  expect((await list()).map(({ system, locked_until }) => [system, locked_until])).toEqual([
    ['usdt_trc20', later],
    ['sepa', locked],
  ])
  const tron = both[1]?.uuid ?? ''
  expect((await remove(tron)).status).toBe(200)
  expect((await list()).map(({ system, locked_until }) => [system, locked_until])).toEqual([['sepa', later]])
  const mails = await api.db.selectFrom('mail').select(['event', 'recipient']).execute()
  expect(mails).toEqual(Array.from({ length: 5 }, () => ({ event: 'payment_method_changed', recipient: affiliate.email })))
  // each says what is true of it
  const key = readConfig({ DATABASE_URL: api.databaseUrl }, 'test').secretKey
  const sealed = await api.db.selectFrom('mail').select('sealed').orderBy('id').execute()
  const paid = sealed.map((row) => {
    const values = JSON.parse(openSealer(key, 'mail').open(row.sealed ?? Buffer.alloc(0))) as { paid: string }
    return values.paid.replace(/ at .*/, '')
  })
  const day = (at: string) => new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'Europe/Kyiv' }).format(new Date(at))
  const until = (at: string) => `Nothing is paid there before ${day(at)}`
  expect(paid).toEqual(['Payouts go there from now on.', until(locked), until(locked), until(later), until(later)])
})

test('a change takes the password, is sealed, and is nobody else’s', async () => {
  const guess = await save('sepa', sepa(), null, 'a guess')
  expect(Object.keys(guess.fields)).toEqual(['password'])
  expect(Object.keys((await save('sepa', { iban: IBAN, swift: 'x' })).fields).toSorted()).toEqual(['values.holder', 'values.swift'])
  expect((await save('nothing', {})).fields).toHaveProperty('system')
  const made = (await save('sepa', sepa())).data.uuid
  const { rows } = { rows: await api.db.selectFrom('payment_method').selectAll().execute() }
  expect(JSON.stringify(rows.map(({ sealed, ...row }) => [sealed.toString('latin1'), row]))).not.toContain('DE89370400440532013000')
  const entry = await api.db
    .selectFrom('audit')
    .select('after')
    .where('action', '=', 'payment_method')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  expect(JSON.stringify(entry)).not.toContain('0532013')

  const stranger = await api.as('affiliate')
  await api.db.updateTable('account').set({ password_hash: hash }).where('id', '=', stranger.accountId).execute()
  expect(await list(stranger)).toEqual([])
  const theirs = { params: { uuid: made }, body: { password: PASSWORD } }
  expect((await stranger.call(paymentMethodApi.remove, theirs)).status).toBe(404)
  const replaced = await stranger.call(paymentMethodApi.save, { body: { uuid: made, system: 'sepa', values: sepa(), password: PASSWORD } })
  expect(replaced.status).toBe(404)
  expect((await (await api.as('admin')).call(paymentMethodApi.list)).status).toBe(403)
})

test('where a second factor is set, every change takes a code of it beside the password, and each code once', async () => {
  const begun = await affiliate.call(secondFactorApi.begin, { body: { password: PASSWORD } })
  const app = new TOTP({ secret: Secret.fromBase32(begun.data.secret) })
  const code = () => app.generate({ timestamp: api.clock.now() })
  expect((await affiliate.call(secondFactorApi.confirm, { body: { code: code() } })).status).toBe(200)
  expect((await affiliate.call(paymentMethodApi.list)).data.confirmed_by).toBe('factor')
  api.clock.advance(30_000)
  const add = (proof: object) =>
    affiliate.call(paymentMethodApi.save, { body: { uuid: null, system: 'sepa', values: sepa(), password: PASSWORD, ...proof } })
  expect((await add({})).fields).toHaveProperty('code')
  expect((await add({ code: '000000' })).fields).toHaveProperty('code')
  expect((await add({ code: code(), password: 'nope' })).fields).toHaveProperty('password')
  expect(await list()).toEqual([])
  expect((await add({ code: code() })).status).toBe(200)
  const [method] = await list()
  const remove = (proof: object) =>
    affiliate.call(paymentMethodApi.remove, { params: { uuid: method!.uuid }, body: { password: PASSWORD, ...proof } })
  expect((await remove({})).fields).toHaveProperty('code')
  expect((await remove({ code: code() })).fields, 'a code is used up').toHaveProperty('code')
  api.clock.advance(30_000)
  expect((await remove({ code: code() })).status).toBe(200)
  expect(await list()).toEqual([])
})

test('who removes every method and adds one waits too: only the very first is good at once', async () => {
  await save('usdt_trc20', { address: TRON })
  for (const { uuid } of await list()) await remove(uuid)
  expect(await list()).toEqual([])
  await save('sepa', sepa())
  expect((await list())[0]?.locked_until).not.toBeNull()
})

test('of two who add the first method at once, from wherever, one is free, the other takes a code', async () => {
  const saveFrom = async (address: string, system: string, values: Record<string, string>) => {
    const body = JSON.stringify({ uuid: null, system, values, password: PASSWORD, code: '' })
    const headers = { authorization: `Bearer ${affiliate.token}`, 'content-type': 'application/json', 'x-forwarded-for': address }
    return (await fetch(`${api.url}${paymentMethodApi.save.path}`, { method: paymentMethodApi.save.method, headers, body })).status
  }
  // nobody's method is written before both have come as far as they come without each other
  const { both } = await api.db.transaction().execute(async (trx) => {
    await trx
      .selectFrom('affiliate')
      .select('id')
      .where('id', '=', affiliate.affiliateId ?? 0)
      .forUpdate()
      .execute()
    const asked = [saveFrom('198.51.100.1', 'sepa', sepa()), saveFrom('198.51.100.2', 'paypal', { email: 'ann@example.com' })]
    await waiting(api.db, 2)
    return { both: asked }
  })
  expect((await Promise.all(both)).toSorted()).toEqual([200, 422])
  expect(await list()).toHaveLength(1)
})

describe('without a second factor a change is confirmed by a code of a mail', () => {
  const paypal = (email = 'ann@example.com') => ({ kind: 'save' as const, uuid: null, system: 'paypal', values: { email } })
  const add = (code: string, change = paypal()) => {
    const { kind: _kind, ...body } = change
    return affiliate.call(paymentMethodApi.save, { body: { ...body, password: PASSWORD, code } })
  }
  beforeEach(async () => {
    await save('sepa', sepa())
    expect((await affiliate.call(paymentMethodApi.list)).data.confirmed_by).toBe('mail')
  })

  test('of this very change, within 15 minutes, and once, also when two arrive at once', async () => {
    expect((await add('')).fields).toHaveProperty('code')
    await ask(paypal())
    const code = await mailed()
    expect(code).toMatch(/^\d{4} \d{4}$/)
    expect((await add(code, paypal('eve@example.com'))).fields).toEqual({ code: 'This code is for another change: ask for one for this' })
    const both = await Promise.all([add(code), add(code)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422])
    await ask(paypal())
    const late = await mailed()
    api.clock.advance(15 * 60_000)
    expect((await add(late)).fields).toHaveProperty('code')
  })

  test('which five wrong tries end, and another code ends too; without the password nobody tries', async () => {
    await ask(paypal())
    const first = await mailed()
    await ask(paypal())
    const code = await mailed()
    if (first !== code) expect((await add(first)).fields).toEqual({ code: 'This is not the code of the last mail' })
    const wrong = code === '0000 0000' ? '11111111' : '00000000'
    const guess = await affiliate.call(paymentMethodApi.save, {
      body: { uuid: null, system: 'paypal', values: {}, password: 'guess', code },
    })
    expect(guess.status).not.toBe(200)
    for (let tries = 0; tries < 5; tries++) await add(wrong)
    expect((await add(code)).fields).toEqual({ code: 'There is no code that is still good: ask for another' })
    expect(await list()).toHaveLength(1)
  })

  test('which is not mailed for what cannot be, nor to strangers, and where nothing is mailed only a second factor confirms', async () => {
    expect((await ask({ ...paypal(), values: { email: 'ann@' } })).fields).toHaveProperty(['values.email'])
    expect((await ask(paypal(), 'a guess')).fields).toHaveProperty('password')
    const [first] = await list()
    const stranger = await api.as('affiliate')
    await api.db.updateTable('account').set({ password_hash: hash }).where('id', '=', stranger.accountId).execute()
    expect((await ask({ kind: 'remove', uuid: first?.uuid ?? '' }, PASSWORD, stranger)).status).toBe(404)
    expect(await api.db.selectFrom('mail').select('id').where('event', '=', 'payment_method_code').execute()).toEqual([])
    await api.db.deleteFrom('setting').where('key', '=', 'smtp').execute()
    expect((await affiliate.call(paymentMethodApi.list)).data.confirmed_by).toBe('nothing')
    expect(Object.keys((await ask(paypal())).errors)).toEqual(['1146'])
    expect(Object.keys((await add('')).errors)).toEqual(['1146'])
  })
})

test('the systems an admin offers are those affiliates choose from and the constants name', async () => {
  const admin = await api.as('admin')
  const { data } = await admin.call(paymentSettingApi.settings)
  const [bank, ...others] = data.systems
  const own = {
    ...bank!,
    code: 'points',
    kind: 'own',
    name: 'Points',
    fields: [{ name: 'Card', check: 'digits', required: true }],
  } as const
  const put = (systems: PaymentSystem[]) => admin.call(paymentSettingApi.updateSettings, { body: { ...data, systems } })
  expect((await put([bank!, bank!])).fields).toHaveProperty(['systems.1.code'])
  expect((await put([{ ...own, fields: [] }])).fields).toHaveProperty(['systems.0.fields'])
  expect((await put([{ ...bank!, currencies: ['ZZZ'], minimums: {} }])).fields).toHaveProperty('systems')
  expect((await put([{ ...bank!, minimums: { USD: '50' } }])).fields).toHaveProperty(['systems.0.minimums.USD'])
  expect((await put([{ ...bank!, minimums: { EUR: '-1' } }])).fields).toHaveProperty(['systems.0.minimums.EUR'])
  expect((await put([own as unknown as PaymentSystem, { ...bank!, active: false }, ...others])).status).toBe(200)
  expect(Object.keys((await admin.call(constantApi.all)).data.payment_systems).slice(0, 2)).toEqual(['points', 'bank'])
  expect((await save('sepa', sepa())).fields).toHaveProperty('system')
  expect((await save('points', { Card: '12' })).fields).toHaveProperty(['values.Card'])
  expect((await save('points', { Card: '1234 5678' })).status).toBe(200)
})

test('each system has a minimum of its own for each of its currencies; an affiliate is told those that hold for it', async () => {
  const admin = await api.as('admin')
  const affiliate = await api.as('affiliate')
  const { data } = await admin.call(paymentSettingApi.settings)
  const wise = data.systems.find(({ code }) => code === 'wise')!
  const systems = [{ ...wise, currencies: ['USD', 'EUR', 'UAH'], minimums: { USD: '50', UAH: '2000' } }]
  const saved = await admin.call(paymentSettingApi.updateSettings, {
    body: { ...data, systems, minimums: [{ currency: 'EUR', amount: '75' }] },
  })
  expect(saved.status).toBe(200)
  const own = (await affiliate.call(paymentMethodApi.list)).data
  expect(own.currency).toBe('USD')
  // where the system says nothing, the network does
  expect(own.systems.map(({ minimums }) => minimums)).toEqual([{ USD: '50', EUR: '75', UAH: '2000' }])
})
