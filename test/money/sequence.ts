import { sql } from 'kysely'
import type { Db } from '#server/platform/pg/database.ts'
import { answer, type Answer, type Ask } from './ask.ts'
import { choose, type Wish } from './choose.ts'
import { foretell, type Made } from './model/model.ts'
import { emptyModel, type Model } from './model/state.ts'
import type { World } from './world.ts'

/** One thing after the other, and after each the product must have answered as the model does and stand where it stands. Answers how many were asked. */
export async function follow(world: World, wishes: readonly Wish[]): Promise<{ asked: number; done: number; codes: Set<string> }> {
  const { db } = world
  const model = emptyModel(world)
  const codes = new Set<string>()
  const told: string[] = []
  let done = 0
  let asked = 0
  let last: Ask | null = null
  for (const [at, wished] of wishes.entries()) {
    world.now += 1000
    // now and then the very same call arrives again
    const ask: Ask = wished.stale && wished.flag && last !== null ? last : await choose(world, db, wished)
    last = ask
    asked++
    const by = world.staff[wished.by]!
    const is = await answer(world, db, by, ask)
    const made = await madeBy(db, ask, is)
    const expected = foretell(model, world, { account: by.accountId, now: world.now }, ask, made)
    const text = JSON.stringify(ask)
    told.push(`${at} ${text} → ${is.done ? 'done' : is.code}`)
    const same = is.done === expected.done && (is.done || expected.done || is.code === expected.code)
    if (!same)
      throw new Error(
        `step ${at}: the model says ${JSON.stringify(expected)}, the product ${JSON.stringify(is)}\n${told.slice(-12).join('\n')}`,
      )
    const what = 'moved' in ask && ask.moved !== null ? `${ask.do} exchanged` : ask.do
    codes.add(is.done ? `${what} done` : `${what} ${is.code}`)
    if (is.done) done++
    const differ = await differences(db, model)
    if (differ.length > 0) throw new Error(`step ${at}: balances differ: ${differ.join('; ')}\n${told.slice(-12).join('\n')}`)
  }
  return { asked, done, codes }
}

async function differences(db: Db, model: Model): Promise<string[]> {
  const { rows } = await sql<{ key: string; units: string }>`
    select kind || ' ' || owner_id || ' ' || currency as key, trunc(balance * 100000000)::text as units from ledger_account where balance <> 0`.execute(
    db,
  )
  const found = new Map(rows.map(({ key, units }) => [key, BigInt(units)]))
  const keys = new Set([...found.keys(), ...model.books.keys()])
  const accounts = [...keys].flatMap((key) => {
    const [expected, is] = [model.books.get(key) ?? 0n, found.get(key) ?? 0n]
    return expected === is ? [] : [`${key}: ${expected} expected, ${is} found`]
  })
  return [...accounts, ...(await rowsThatDiffer(db, model))]
}

/** The states and open amounts of all documents too. */
async function rowsThatDiffer(db: Db, model: Model): Promise<string[]> {
  const { rows } = await sql<{ uuid: string; told: string }>`
    select uuid, status || ' ' || (deleted_at is not null) || ' ' || revision || ' ' || trim_scale(open) || ' ' || trim_scale(total) as told from invoice
    union all
    select uuid, status || ' ' || (deleted_at is not null) || ' ' || revision || ' ' || trim_scale(open) || ' ' || trim_scale(total) from advertiser_invoice`.execute(
    db,
  )
  const say = (one: { status: string; deleted: boolean; revision: number; open: bigint; total: bigint }) =>
    `${one.status} ${one.deleted} ${one.revision} ${plain(one.open)} ${plain(one.total)}`
  const expected = new Map([...model.invoices, ...model.bills].map(([uuid, one]) => [uuid, say(one)]))
  const wrong = rows.flatMap(({ uuid, told }) =>
    expected.get(uuid) === told ? [] : [`${uuid}: ${expected.get(uuid) ?? 'nothing'} expected, ${told} found`],
  )
  return rows.length === expected.size ? wrong : [...wrong, `${expected.size} documents expected, ${rows.length} found`]
}

function plain(units: bigint): string {
  const text = units.toString().padStart(9, '0')
  return `${text.slice(0, -8)}.${text.slice(-8)}`.replace(/\.?0+$/, '')
}

/** What was made, as the model names it: by whose it is. */
async function madeBy(db: Db, ask: Ask, is: Answer): Promise<Made> {
  const uuids = is.done && ask.do !== 'decide' && ask.do !== 'report' ? is.made : []
  const invoices =
    uuids.length === 0
      ? []
      : await db.selectFrom('invoice').select(['uuid', 'affiliate_id as affiliate', 'currency']).where('uuid', 'in', uuids).execute()
  const payouts =
    ask.do !== 'file' || uuids.length === 0
      ? []
      : await db
          .selectFrom('payout as o')
          .innerJoin('payout_file as f', 'f.id', 'o.file_id')
          .select(['o.uuid', 'o.affiliate_id as affiliate'])
          .where('f.uuid', 'in', uuids)
          .execute()
  return { invoices, payouts, uuid: uuids[0] ?? 'foreseen' }
}
