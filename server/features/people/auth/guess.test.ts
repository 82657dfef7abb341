import { afterAll, beforeAll, expect, test } from 'vitest'
import { authApi } from '#contract/people/auth.ts'
import { PASSWORD, withPassword } from '#test/support/make/password.ts'
import { timeLogins } from '#test/support/fault/login-timing.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi({ env: { TRUST_PROXY: '127.0.0.1' } })
})
afterAll(() => api.close())

const logIn = async (email: string, password: string, address: string) => {
  const answer = await fetch(`${api.url}${authApi.login.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ email, password }),
  })
  await answer.arrayBuffer()
  return answer.status
}
const makeOwner = async () => withPassword(api.db, await api.as('manager'))
/** So many passwords were compared with the account's: each is written down once it was. */
const tried = async ({ accountId }: Caller) =>
  (await api.db.selectFrom('sign_in').select('id').where('account_id', '=', accountId).where('outcome', '=', 'wrong_password').execute())
    .length

/** Three hundred guesses, fifty at a time. */
async function guess(email: string, addressOf: (number: number) => string): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {}
  for (let begun = 0; begun < 300; begun += 50) {
    const answers = await Promise.all(Array.from({ length: 50 }, (_none, index) => logIn(email, 'a guess', addressOf(begun + index))))
    for (const status of answers) statuses[status] = (statuses[status] ?? 0) + 1
  }
  return statuses
}

test.each([
  ['one address', () => '198.51.100.77'],
  ['one /64', (number: number) => `2001:db8:7:7:${(number * 7919).toString(16).slice(-4)}::${number.toString(16)}`],
])(
  'of three hundred guesses at one account from %s ten passwords are tried, and the owner comes in meanwhile',
  { timeout: 60_000 },
  async (_from, addressOf) => {
    const owner = await makeOwner()
    expect(await logIn(owner.email, PASSWORD, '203.0.113.20')).toBe(200)
    expect(await guess(owner.email, addressOf)).toEqual({ 422: 10, 429: 290 })
    expect(await tried(owner)).toBe(10)
    expect(await logIn(owner.email, PASSWORD, addressOf(1)), 'the guesser has no luck with the right one either').toBe(429)
    expect(await logIn(owner.email, PASSWORD, '203.0.113.20')).toBe(200)
    expect(await logIn(owner.email, PASSWORD, '203.0.113.21'), 'nor has the owner to wait somewhere new').toBe(200)
  },
)

test('a sign-in takes as long for an address nobody has', { timeout: 120_000 }, async () => {
  // 500 of each, within 5 %, in guess.torture.ts: here other tests run beside
  const apart = await timeLogins(api, 80, { share: 0.25, within: 0.15 })
  expect(apart).toBeLessThan(0.15)
})
