import type { KeyScope } from '#contract/people/key-scope.ts'
import { insertKey } from '#server/features/people/api-key/api-key.queries.ts'
import { insertSignIn } from '#server/features/people/sign-in/sign-in.queries.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { hashToken } from '#server/platform/secret.ts'
import type { Random } from './random.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const CHROME = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36'
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15'

/** Where they sit, what they hold in their hand on the way, and who tries passwords. */
const OFFICE = ['91.198.36.14', CHROME] as const
const HOME = ['176.36.12.80', MAC] as const
const PHONE = ['93.183.203.10', SAFARI] as const
const GUESSER = ['185.220.101.33', FIREFOX] as const

type Key = {
  email: string
  name: string
  scopes: KeyScope[]
  allowed_ips: string[]
  made: number
  used: number | null
  days: number | null
}
const KEYS: readonly Key[] = [
  {
    email: 'admin@ohma.example',
    name: 'Accounting export',
    scopes: ['traffic.read', 'money.read'],
    allowed_ips: ['91.198.36.0/24'],
    made: 41,
    used: 0.2,
    days: 365,
  },
  { email: 'admin@ohma.example', name: 'Old dashboard', scopes: ['traffic.read'], allowed_ips: [], made: 96, used: 12, days: 90 },
  {
    email: 'affiliate@partners.example',
    name: 'Tracker sync',
    scopes: ['offers.read', 'traffic.read'],
    allowed_ips: [],
    made: 23,
    used: 0.05,
    days: null,
  },
]

/** A month of sign-ins of those whose logins are printed, and the API keys some of them have. */
export async function makeSignIns(db: DbOrTrx, random: Random, now: number, emails: readonly string[]): Promise<void> {
  const accounts = await db
    .selectFrom('account')
    .select(['id', 'email'])
    .where('email', 'in', [...emails])
    .orderBy('id')
    .execute()
  for (const { id, email } of accounts) {
    for (let day = 28; day > 0; day--) {
      const at = now - day * DAY + Math.floor(random.next() * 2 * HOUR)
      const [address, device] = day % 9 === 4 ? PHONE : day % 6 === 2 ? HOME : OFFICE
      const entry = { account_id: id, device, address, way: 'password' as const }
      if (random.next() < 0.12) await insertSignIn(db, { ...entry, at: new Date(at - 20_000), outcome: 'wrong_password' })
      if (random.next() < 0.6) await insertSignIn(db, { ...entry, at: new Date(at), outcome: 'in', new_device: day === 22 })
      if (day === 11)
        for (let guess = 0; guess < 4; guess++) {
          const [from, by] = GUESSER
          const time = new Date(at + 5 * HOUR + guess * 3_000)
          await insertSignIn(db, { ...entry, device: by, address: from, at: time, outcome: 'wrong_password' })
        }
    }
    for (const { name, scopes, allowed_ips, made, used, days } of KEYS.filter((key) => key.email === email)) {
      const created = now - made * DAY
      // of what is no key: nobody calls by it
      const hash = hashToken(`${email} ${name}`)
      await insertKey(db, {
        account_id: id,
        name,
        scopes,
        allowed_ips,
        token_hash: hash,
        hint: hash.toString('base64url').slice(0, 4),
        created_at: new Date(created),
        expires_at: days === null ? null : new Date(created + days * DAY),
        last_used_at: used === null ? null : new Date(now - used * DAY),
        last_address: used === null ? '' : '91.198.36.20',
      })
    }
  }
}
