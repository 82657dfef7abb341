import { randomUUID } from 'node:crypto'
import { authApi } from '#contract/people/auth.ts'
import { hashPassword } from '#server/platform/secret.ts'
import type { TestApi } from '../run/api.ts'

/**
 * How far apart, as a part of one, a sign-in with a wrong password takes for addresses somebody has and for those nobody has: `rounds` of
 * each, by turns, so that whatever else the machine does meets both alike. Told by what a share of each took at most: of half, medians;
 * of a quarter where they are few, for other work only makes some later. While they lie further apart than `within`, so many rounds are
 * added, twice at most: beside other tests a quarter of eighty strays by 7 %, a difference that is there stays. Each try comes from
 * another network, so that none is slowed down; the API has to trust the test as a proxy.
 */
export async function timeLogins(api: TestApi, rounds: number, { share, within }: { share: 0.5 | 0.25; within: number }): Promise<number> {
  const password_hash = await hashPassword('nobody tries this one')
  const people = await Promise.all(Array.from({ length: Math.ceil((3 * rounds) / 10) }, () => api.as('affiliate')))
  await api.db.updateTable('account').set({ password_hash }).execute()
  const took = { known: [] as number[], unknown: [] as number[] }
  let network = 0
  const time = async (email: string) => {
    network += 1
    const begun = performance.now()
    const answer = await fetch(`${api.url}${authApi.login.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.${network >> 8}.${network & 255}.1` },
      body: JSON.stringify({ email, password: 'a guess' }),
    })
    await answer.arrayBuffer()
    if (answer.status !== 422) throw new Error(`a guess was answered ${answer.status}`)
    return performance.now() - begun
  }
  const tell = () => {
    const [known, unknown] = [mostOf(took.known, share), mostOf(took.unknown, share)]
    return Math.abs(known - unknown) / unknown
  }
  for (let round = -5; round < 3 * rounds; round++) {
    if (round > 0 && round % rounds === 0 && tell() < within) break
    const [known, unknown] = [people[(round + 5) % people.length]?.email ?? '', `${randomUUID()}@example.com`]
    // by turns, for the second of two may be the quicker
    const first = round % 2 === 0
    const one = await time(first ? known : unknown)
    const other = await time(first ? unknown : known)
    // the first of all warm up
    if (round < 0) continue
    took.known.push(first ? one : other)
    took.unknown.push(first ? other : one)
  }
  return tell()
}

function mostOf(values: number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? 0
}
