import type { z } from 'zod'
import { accountsOf, accountType, type AccountKind, type AccountOwner } from '#contract/money/account.ts'
import { amountText, fromUnits, toUnits } from '#contract/money/amount.ts'
import type { ledgerApi, ledgerEntry } from '#contract/money/ledger.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { Scope } from '#server/access/scope.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { dayIn, periodOf } from '#server/rules/zone-day.ts'
import { countEntries, listAccounts, sumPaid, listEntries, ownerNumber, sourceNumber, type Owner } from './entry.queries.ts'
import { trialMonth } from './trial-month.service.ts'
import { listStored, listTrial } from './trial.queries.ts'

export type Audience = 'staff' | 'affiliate'
type Asked = z.output<typeof ledgerApi.ownEntries.body>

/** The number of an affiliate or advertiser in scope. Throws `not_found`. */
export async function findOwner(db: Db, scope: Scope, owner: Owner, uuid: string): Promise<number> {
  const id = await ownerNumber(db, scope, owner, uuid)
  if (id === undefined) throw new AppError('not_found')
  return id
}

/** What somebody has on each account, in the order of the chart. */
export async function showAccounts(
  db: Db,
  owner: Owner,
  ownerId: number,
  audience: Audience,
): Promise<CallOutput<typeof ledgerApi.accounts>> {
  const kinds = accountsOf(owner, audience)
  const [rows, paid] = await Promise.all([listAccounts(db, kinds, ownerId), owner === 'affiliate' ? sumPaid(db, ownerId) : []])
  const list = rows.map(({ kind, currency, balance }) => ({ kind, currency, amount: asShown(kind, balance) }))
  return {
    list: list.toSorted((a, b) =>
      a.currency < b.currency ? -1 : a.currency > b.currency ? 1 : kinds.indexOf(a.kind) - kinds.indexOf(b.kind),
    ),
    paid: paid.map(({ currency, amount }) => ({ currency, amount: amountText(amount) })),
  }
}

/**
 * A page of the entries of somebody's accounts by when they happened, the newest first. The balance beside each is that of the accounts asked for together,
 * as it was after it; an affiliate's own are told without who decided, and documents
 * of advertisers only to who reads billing.
 */
export async function showEntries(
  db: Db,
  now: number,
  { owner, ownerId, audience, readsBilling = false }: { owner: AccountOwner; ownerId: number; audience: Audience; readsBilling?: boolean },
  asked: Asked,
): Promise<CallOutput<typeof ledgerApi.entries>> {
  const kinds = kindsAsked(asked.kind, owner, audience)
  const [from, until] = await monthAsked(db, asked.month)
  const to = new Date(Math.min(Date.parse(asked.until ?? new Date(now + 1).toISOString()), until.getTime()))
  if (asked.after !== null && !/^\d{1,18}$/.test(asked.after)) throw new AppError('bad_request', { fields: { after: 'Not a cursor' } })
  const accounts = { kinds, ownerId, currency: asked.currency }
  const page = {
    count: asked.count,
    page: asked.page,
    after: asked.after,
    from,
    to,
    withParty: owner === 'network' || owner === 'source',
    withDocuments: readsBilling,
  }
  const [rows, list] = await Promise.all([countEntries(db, accounts, page), listEntries(db, accounts, page)])
  return {
    list: list.map((row): z.output<typeof ledgerEntry> => ({
      id: row.id,
      kind: row.kind,
      at: row.at.toISOString(),
      booked_at: row.booked_at.toISOString(),
      event: row.event,
      amount: asShown(row.kind, row.amount),
      balance: asShown(row.kind, fromUnits(toUnits(row.balance) - toUnits(row.newer))),
      conversion: row.conversion,
      invoice: row.invoice && { ...row.invoice, id: audience === 'staff' ? row.invoice.id : null },
      receipt: row.receipt,
      note: row.note ?? '',
      party: row.party,
      actor: audience === 'staff' ? row.actor : null,
    })),
    summary: { rows },
    until: to.toISOString(),
    after: list.length < asked.count ? null : (list.at(-1)?.id ?? null),
  }
}

/** The same of the network itself, or of a source it pays from. Throws `not_found`. */
export async function showNetworkEntries(
  db: Db,
  now: number,
  { source_uuid, ...asked }: z.output<typeof ledgerApi.networkEntries.body>,
): Promise<CallOutput<typeof ledgerApi.networkEntries>> {
  if (source_uuid === null) return showEntries(db, now, { owner: 'network', ownerId: 0, audience: 'staff', readsBilling: true }, asked)
  const ownerId = await sourceNumber(db, source_uuid)
  if (ownerId === undefined) throw new AppError('not_found')
  return showEntries(db, now, { owner: 'source', ownerId, audience: 'staff', readsBilling: true }, asked)
}

/** The trial balance of a month in the zone of the network. */
export async function showTrial(
  db: Db,
  now: number,
  asked: z.output<typeof ledgerApi.trial.body>,
): Promise<CallOutput<typeof ledgerApi.trial>> {
  const { time_zone } = await getGeneralSettings(db)
  const month = asked.month ?? monthIn(now, time_zone)
  const { rows, amounts, list } = await listTrial(db, await trialMonth(db, now, month, time_zone), asked)
  return { list: list.map(withTexts), summary: { rows, totals: { amounts: amounts.map(withTexts), month } } }
}

/** Months that were stored, without their figures. */
export async function showStoredTrials(db: Db): Promise<CallOutput<typeof ledgerApi.storedTrials>> {
  return { list: (await listStored(db, null)).map(({ json: _json, made_at, ...row }) => ({ ...row, made_at: made_at.toISOString() })) }
}

/** One of them to the byte. Throws `not_found`. */
export async function showStoredTrial(db: Db, uuid: string): Promise<CallOutput<typeof ledgerApi.storedTrial>> {
  const row = (await listStored(db, uuid)).find((one) => one.uuid === uuid)
  if (row === undefined || row.json === null) throw new AppError('not_found')
  return { ...row, json: row.json, made_at: row.made_at.toISOString() }
}

/** The database writes zero as it likes. */
function withTexts<Row extends { opening: string; debits: string; credits: string; closing: string }>(row: Row): Row {
  const { opening, debits, credits, closing } = row
  return { ...row, opening: amountText(opening), debits: amountText(debits), credits: amountText(credits), closing: amountText(closing) }
}

/** Kinds that are asked for, of those the audience may see; all where none is named. They must grow on the same side to have one balance. */
function kindsAsked(asked: readonly AccountKind[], owner: AccountOwner, audience: Audience): AccountKind[] {
  const allowed = accountsOf(owner, audience)
  const kinds = asked.length === 0 ? allowed.filter((kind) => accountType(kind).side === 'credit' && !accountType(kind).memo) : [...asked]
  if (kinds.some((kind) => !allowed.includes(kind))) throw new AppError('bad_request', { fields: { kind: 'Not an account of theirs' } })
  if (new Set(kinds.map((kind) => accountType(kind).side)).size > 1)
    throw new AppError('bad_request', { fields: { kind: 'Accounts that grow on different sides have no balance together' } })
  return kinds
}

async function monthAsked(db: Db, month: string | null): Promise<[Date | null, Date]> {
  if (month === null) return [null, new Date('9999-01-01T00:00:00Z')]
  return monthOf(month, (await getGeneralSettings(db)).time_zone)
}

/** A month by the moments of a zone: when it begins, and when the next one does. */
function monthOf(month: string, zone: string): [Date, Date] {
  const { starts, ends } = periodOf('month', Date.parse(`${month}-15T12:00:00Z`), zone)
  return [new Date(starts), new Date(ends)]
}

function monthIn(at: number, zone: string): string {
  return dayIn(at, zone).slice(0, 7)
}

/** An amount of the books as people read it: above zero on the side on which its account grows. */
function asShown(kind: AccountKind, amount: string): string {
  const units = toUnits(amount)
  return fromUnits(accountType(kind).side === 'debit' ? units : -units)
}
