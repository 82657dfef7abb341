import { describe, expect, test } from 'vitest'
import { USUAL_INTEGRITY, type IntegrityAction, type IntegritySettings } from '#contract/leads/integrity.ts'
import { isHosting } from './hosting.ts'
import { listedValues, readListed } from './blacklist.ts'
import { mailboxOf, meantDomain } from './email.ts'
import { codesOf, judgeLead } from './judge.ts'
import type { LeadSnapshot } from './snapshot.ts'

const NOW = Date.parse('2026-11-24T12:00:00Z')
const HOME = { country: 'IT', asn: 3269, network: 'Telecom Italia (AS3269)', hosting: false, reserved: false }
const LEAD: LeadSnapshot = {
  country: 'IT',
  phone: '+393331784652',
  email: 'anna.rossi@gmail.com',
  ip: '79.20.1.2',
  userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1',
  address: HOME,
  before: null,
  recent: { ip: 0, device: 0, affiliate: 0 },
  listed: [],
}
const STRICT: IntegritySettings = {
  ...USUAL_INTEGRITY,
  telephone: { action: 'flag', mobile_only: true },
  duplicate: { action: 'flag', days: 30, within: 'network', most: 2 },
  velocity: { action: 'flag', minutes: 60, per_ip: 3, per_device: 2, per_affiliate: 5 },
}
const found = (changes: Partial<LeadSnapshot>, settings = STRICT) =>
  judgeLead({ ...LEAD, ...changes }, settings, NOW).parts.map((part) => part.found)

describe('what is found about a lead', () => {
  test.each<[string, Partial<LeadSnapshot>, string[]]>([
    ['nothing of a usual one', {}, []],
    ['six times a digit', { phone: '+393331111118' }, ['phone_repeats']],
    ['five times a digit', { phone: '+393341111128' }, []],
    ['two digits four times', { phone: '+393321212121' }, ['phone_repeats']],
    ['seven digits up', { phone: '+393391234567' }, ['phone_sequence']],
    ['seven digits down', { phone: '+393398765432' }, ['phone_sequence']],
    ['six digits up', { phone: '+393331234569' }, []],
    ['a fixed line where only mobile ones count', { phone: '+390632118465' }, ['phone_line']],
    ['a toll-free line', { phone: '+39800123459' }, ['phone_line']],
    ['a telephone of another country', { phone: '+34612784659' }, ['phone_country']],
    ['no telephone', { phone: '' }, []],
    ['an address for minutes', { email: 'a@mailinator.com' }, ['email_disposable']],
    ['below its domain too', { email: 'a@x.y.yopmail.com' }, ['email_disposable']],
    ['not one that ends alike', { email: 'anna@notmailinator.com' }, []],
    ['letters that changed places', { email: 'anna@gmial.com' }, ['email_typo']],
    ['a letter too few', { email: 'anna@gmail.co' }, ['email_typo']],
    ['a provider that is one letter off', { email: 'anna@ymail.com' }, []],
    ['an office', { email: 'info+x@azienda.it' }, ['email_role']],
    ['a program', { userAgent: 'python-requests/2.32' }, ['ip_program']],
    ['a machine for hire', { address: { ...HOME, hosting: true } }, ['ip_hosting']],
    ['an address nobody has', { address: { ...HOME, country: '', reserved: true } }, ['ip_reserved']],
    ['an address of elsewhere', { address: { ...HOME, country: 'VN' } }, ['geo_ip']],
    ['an address nobody knows the country of', { address: { ...HOME, country: '' } }, ['geo_unknown']],
    ['no tables', { address: null }, ['ip_unknown', 'geo_unknown']],
    ['no address', { ip: '', address: null }, ['ip_missing']],
    ['once before', { before: { count: 1, by: 'email', lastAt: NOW, sameAffiliate: true } }, []],
    ['twice before', { before: { count: 2, by: 'email', lastAt: NOW, sameAffiliate: true } }, ['duplicate']],
    ['the third from an address', { recent: { ip: 2, device: 0, affiliate: 0 } }, []],
    ['the fourth', { recent: { ip: 3, device: 0, affiliate: 0 } }, ['velocity_ip']],
    ['of a device and an affiliate', { recent: { ip: 0, device: 2, affiliate: 5 } }, ['velocity_device', 'velocity_affiliate']],
    ['what is listed', { listed: [{ kind: 'domain', field: 'email', entry: 'e' }] }, ['blacklisted']],
  ])('%s', (_what, changes, expected) => expect(found(changes)).toEqual(expected))

  test('offices and fixed lines count only where the offer says so', () => {
    const mild = { ...STRICT, telephone: { ...STRICT.telephone, mobile_only: false }, mail: { ...STRICT.mail, roles: false } }
    expect(found({ email: 'info@azienda.it', phone: '+390632118465' }, mild)).toEqual([])
  })

  test('clouds are known by their numbers', () => expect([16509, 24940, 3269].map(isHosting)).toEqual([true, true, false]))
})

describe('the verdict', () => {
  const with_ = (phone: IntegrityAction, email: IntegrityAction) =>
    judgeLead(
      { ...LEAD, phone: '+393331111118', email: 'a@mailinator.com' },
      { ...STRICT, telephone: { action: phone, mobile_only: false }, mail: { action: email, roles: false } },
      NOW,
    )
  test.each([
    ['off', 'off', 'clean', 0],
    ['flag', 'off', 'flagged', 60],
    ['flag', 'hold', 'held', 100],
    ['reject', 'hold', 'rejected', 100],
  ] as const)('phone %s and e-mail %s: %s', (phone, email, verdict, score) => expect(with_(phone, email)).toMatchObject({ verdict, score }))

  test('tells who sent it a code for what was refused, the list first, and nothing of the rest', () => {
    const lead = { ...LEAD, phone: '+393331111118', email: 'a@mailinator.com', listed: [{ kind: 'phone', field: 'phone', entry: 'e' }] }
    const { parts } = judgeLead(lead, { ...STRICT, telephone: { action: 'reject', mobile_only: false } }, NOW)
    expect(codesOf(parts, 'reject')).toEqual([
      { code: 'blacklisted', field: 'phone' },
      { code: 'invalid_phone', field: 'phone' },
    ])
  })

  test('says that nothing was looked at where all is off, and that what could not be looked at is nothing against it', () => {
    const off = Object.fromEntries(Object.entries(STRICT).map(([name, one]) => [name, { ...one, action: 'off' }])) as IntegritySettings // the same names
    expect(judgeLead({ ...LEAD, phone: '+393331111118' }, off, NOW)).toEqual({ parts: [], score: 0, verdict: 'unchecked' })
    const strict: IntegritySettings = { ...STRICT, ip: { action: 'reject' }, geo: { action: 'reject' } }
    expect(judgeLead({ ...LEAD, address: null }, strict, NOW)).toMatchObject({ verdict: 'clean', score: 0 })
  })
})

describe('the blacklist', () => {
  test.each([
    ['email', ' Jan.Doe+x@GoogleMail.com ', 'jandoe@gmail.com', 'j***@g***.com', null],
    ['phone', '+39 333 123 45 67', '+393331234567', '***567', null],
    ['domain', '@Bücher.example', 'xn--bcher-kva.example', 'xn--bcher-kva.example', null],
    ['domain', '*.mail.test', 'mail.test', 'mail.test', null],
    ['ip', '203.0.113.77/24', '203.0.113.0/24', '203.0.113.0/24', '203.0.113.0/24'],
    ['ip', '203.0.113.7', '203.0.113.7/32', '203.0.113.7', '203.0.113.7/32'],
    ['ip', '::ffff:203.0.113.7', '203.0.113.7/32', '203.0.113.7', '203.0.113.7/32'],
    ['ip', '2001:db8:1:2::9/64', '2001:db8:1:2::/64', '2001:db8:1:2::/64', '2001:db8:1:2::/64'],
    ['first_name', ' ＴＥＳＴ  Test ', 'test test', 't***', null],
  ] as const)('%s %s is compared as %s and shown as %s', (kind, text, canonical, shown, network) =>
    expect(readListed(kind, text)).toEqual({ canonical, shown, network }),
  )

  test.each([
    ['email', 'jan@'],
    ['phone', '333 123'],
    ['domain', 'localhost'],
    ['domain', '203.0.113.7'],
    ['ip', '203.0.113.300'],
    ['ip', '0.0.0.0/0'],
    ['ip', '::/0'],
    ['ip', '203.0.113.0/33'],
    ['last_name', '  '],
  ] as const)('%s %j is refused in words', (kind, text) => expect(readListed(kind, text)).toEqual({ mistake: expect.any(String) }))

  test('is asked for the mailbox, the telephone, each domain above and the names', () => {
    const values = listedValues({ email: 'j.d+1@gmail.com', phone: '+393331234567', firstName: 'Test', lastName: '' })
    expect(values.map(({ kind, canonical }) => `${kind} ${canonical}`)).toEqual([
      'email jd@gmail.com',
      'phone +393331234567',
      'domain gmail.com',
      'first_name test',
    ])
    expect(listedValues({ email: 'a@b.c.test', phone: '', firstName: '', lastName: '' }).map(({ canonical }) => canonical)).toEqual([
      'a@b.c.test',
      'b.c.test',
      'c.test',
    ])
    expect([mailboxOf('a.b+c@mail.example'), meantDomain('gmail.com')]).toEqual(['a.b@mail.example', undefined])
  })
})
