import type { CallStatus } from '#contract/leads/call-status.ts'
import type { IntegrationSpec } from '#contract/leads/integration-spec.ts'
import type { LeadParts } from '#server/features/leads/session/receive.service.ts'
import type { FindClick } from '#server/features/traffic/click/click.queries.ts'
import { isOffered } from '#server/rules/lead/states.ts'
import { normalStatus, readStatus, wordsOf } from '#server/rules/lead/integration/status-word.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { authorityOf } from '../authority/authority.queries.ts'
import { freePassedOn, updateSession } from '../send/send.queries.ts'
import { ended } from '../send/settle.service.ts'
import { suppressPerson } from '../suppression/person-suppression.service.ts'
import { keepBooking } from '../stuck/keep.service.ts'
import { earned, hasGoal, typeOf } from './book.queries.ts'
import { bookingOf, bookLead, clickOf, goalCode, paysLeads, type LeadGoal } from './book.service.ts'
import { whichDeposit, type Deposit } from './deposit.service.ts'
import { confirmSend, getLead, insertStatus, lastStatus, listDeposits, lockLead, standingOf, type SentLead } from './status.queries.ts'
import { findMeaning, noteWord } from './word.queries.ts'

/**
 * What an advertiser says of a lead, as it was read; `amount` with its currency behind it where that was said, `transaction` what it calls
 * a payment. `again`: it said so before and was told that all is well, so that nobody hears of what cannot be booked now.
 */
export type ToldStatus = { raw: string; isSale: boolean; amount: string; transaction?: string; again?: boolean }
/**
 * repeat: it said so before; unknown: nobody has said what its word means, and nothing follows; noted: staff test, nothing follows either.
 * Nothing follows where it cannot be told how much it is (amount), which deposit (deposit_unclear), or whose (deposit_taken), nor where
 * somebody pays for a lead that went to somebody else after it gave no answer in time (sold_elsewhere).
 */
export type Applied = 'repeat' | 'unknown' | 'noted' | 'applied' | Unapplied
const UNAPPLIED = ['amount', 'deposit_unclear', 'deposit_taken', 'sold_elsewhere'] as const
type Unapplied = (typeof UNAPPLIED)[number]
/** What a person adds to what was told: which deposit it is, and what is written in the transaction that applies it. */
export type ByPerson = { deposit: Deposit | null; within: (trx: Trx) => Promise<void> }

/** What the words of call centres come to: money, money taken back, nothing more. */
export const SOLD: ReadonlySet<CallStatus> = new Set(['sale', 'shipped', 'delivered'])
export const TAKEN_BACK: ReadonlySet<CallStatus> = new Set(['returned', 'cancelled'])
/** The sale itself was none: it is taken back, whatever else was told of the lead. */
const TAINTED: ReadonlySet<CallStatus> = new Set(['spam_fraud', 'under_age'])
export const OVER: ReadonlySet<CallStatus> = new Set([
  'not_interested',
  'other_company',
  'unreachable',
  'invalid_data',
  'language_or_geo',
  'under_age',
  'do_not_call',
  'duplicate',
  'spam_fraud',
  'returned',
  'cancelled',
])

/**
 * The lead itself was none: who buys leads does not pay for it. That somebody had no interest is not among them. None is trash, which an
 * advertiser could not take back.
 */
const VOID: ReadonlySet<CallStatus> = new Set([
  'unreachable',
  'language_or_geo',
  'duplicate',
  'returned',
  'cancelled',
  'invalid_data',
  'under_age',
  'spam_fraud',
])

/**
 * Applies what an advertiser said of one of its leads: once for each change, in one transaction with what is booked for it. A word
 * nobody has mapped is kept and bills nothing; a deposit beats whatever the word says, but where that is fraud a person decides. A send
 * nobody knew the answer of was taken, where its advertiser speaks of it.
 */
export async function applyStatus(
  parts: LeadParts & { findClick: FindClick },
  send: SentLead,
  { statuses }: Pick<IntegrationSpec, 'statuses'>,
  told: ToldStatus,
  source: 'pull' | 'push',
  now: number,
  by?: ByPerson,
): Promise<Applied> {
  const transaction = told.transaction ?? ''
  const raw = told.raw.slice(0, 200)
  const money = readMoney(told.amount)
  const amount = money === null || money.amount === null ? '' : told.amount.trim()
  const isSame = (last: Awaited<ReturnType<typeof lastStatus>>) =>
    last !== undefined && last.raw === raw && last.sale === told.isSale && last.amount === amount && last.status !== null
  const early = await lastStatus(parts.db, send.id, transaction)
  // most of what is pulled says nothing new: it needs no lock
  if (by === undefined && send.status !== 'ambiguous' && isSame(early) && early?.noted === false) return 'repeat'
  const click = await clickOf(parts, await getLead(parts.db, send.session_id))
  const word = normalStatus(raw)
  const said = readStatus(raw, wordsOf(statuses, send.type))
  const meaning = told.isSale ? 'sale' : (said ?? (await findMeaning(parts.db, send.integration_id, word)))
  // whoever tells by itself hears of it and tells again
  const strict = source === 'push' && told.again !== true
  if (strict && money === null && (meaning === undefined || SOLD.has(meaning))) return 'amount'
  const at = new Date(now)
  const applied = parts.db.transaction().execute(async (trx): Promise<Applied> => {
    const lead = await lockLead(trx, send.session_id)
    await by?.within(trx)
    const standing = await standingOf(trx, send.id)
    if (standing === 'elsewhere' && meaning !== undefined && SOLD.has(meaning)) throw new NothingFollows('sold_elsewhere')
    if (standing === 'over' || (standing === 'elsewhere' && meaning !== undefined)) return 'repeat'
    const testing = (await authorityOf(trx, lead.affiliate_id, lead.offer_id, true)) === 'testing'
    const last = await lastStatus(trx, send.id, transaction)
    // a word nobody knows may mean money: it waits, and takes nothing from who has the lead
    const confirmed = standing === 'has' && (await confirmSend(trx, send.id, at))
    if (!confirmed && isSame(last) && (testing || last?.noted === false)) return 'repeat'
    const book = bookOf(trx, lead, send, click, { ...(money ?? NO_MONEY), strict }, now)
    if (confirmed) {
      const over = isOffered(lead.status) ? ended(now) : { changed_at: at }
      if (!lead.test) await updateSession(trx, lead.id, { status: 'accepted', reason: '', ...over })
      await freePassedOn(trx, lead.id)
      await book('accepted', 'approved')
    }
    if (meaning === undefined) {
      await noteWord(trx, send.integration_id, { word, raw }, at)
      const known = last?.raw === raw && last.status === null
      if (!known) await insertStatus(trx, { send_id: send.id, at, source, raw, word, status: null, sale: false, amount, transaction })
      return 'unknown'
    }
    const row = { send_id: send.id, at, source, raw, status: meaning, sale: told.isSale, amount, transaction }
    if (testing) {
      await insertStatus(trx, { ...row, noted: true })
      return 'noted'
    }
    const deposit =
      SOLD.has(meaning) || TAKEN_BACK.has(meaning)
        ? await depositOf(trx, lead, send, { ...row, none: saysNothing(told.amount) }, by?.deposit ?? null)
        : 'first'
    if (deposit === 'unclear' || deposit === 'taken') throw new NothingFollows(`deposit_${deposit}`)
    if (deposit === 'nothing') throw new NothingFollows('amount')
    await applyMeaning(trx, parts.secretKey, lead, { meaning, deposit, row, at }, book)
    // both at once: paid and fraud. The money stands until a person says which
    if (told.isSale && said !== undefined && TAINTED.has(said) && !lead.test)
      await keepBooking(trx, send.uuid, bookingOf({ goal: 'paid', status: 'declined', amount: null }), 'deposit_and_fraud', at)
    return 'applied'
  })
  return applied.catch((error: unknown) => {
    if (error instanceof NothingFollows) return error.outcome
    throw error
  })
}

/** Whether a word says that money came, or that it went back. */
export function isAboutMoney(meaning: CallStatus | undefined): boolean {
  return meaning !== undefined && (SOLD.has(meaning) || TAKEN_BACK.has(meaning) || TAINTED.has(meaning))
}

/** Whether nothing followed of what was told: somebody has to hear of it, or a person to settle it. */
export function isUnapplied(outcome: Applied): outcome is Unapplied {
  return UNAPPLIED.some((one) => one === outcome)
}

/** What a member of staff says of a lead; `expected` = what it was when it was looked at. */
export type StaffWord = { status: CallStatus; expected: CallStatus | null; note: string; accountId: number | null }

/**
 * Applies what staff say of a lead in its advertiser's place, with what `record` writes of it, in one transaction. Said twice it is said
 * once. It holds until the advertiser says something new. Throws `conflict`.
 */
export async function sayOfLead(
  parts: LeadParts & { findClick: FindClick },
  send: SentLead,
  { status, expected, note, accountId }: StaffWord,
  now: number,
  record: (trx: Trx, before: string | null) => Promise<void>,
): Promise<void> {
  const click = await clickOf(parts, await getLead(parts.db, send.session_id))
  await parts.db.transaction().execute(async (trx) => {
    const lead = await lockLead(trx, send.session_id)
    if (lead.call_status === status) return
    if ((await standingOf(trx, send.id)) !== 'has') throw new AppError('conflict')
    if (lead.call_status !== expected) throw new AppError('conflict')
    const at = new Date(now)
    const row = { send_id: send.id, at, source: 'staff' as const, raw: '', status, sale: false, note, account_id: accountId }
    await applyMeaning(
      trx,
      parts.secretKey,
      lead,
      { meaning: status, deposit: 'first', row, at },
      bookOf(trx, lead, send, click, { ...NO_MONEY, strict: false, by: accountId }, now),
    )
    await record(trx, lead.call_status)
  })
}

/** Why a report is refused for the amount it says, or for saying none. */
const OF_AMOUNT: ReadonlySet<string> = new Set(['amount_unknown', 'amount_invalid', 'amount_ambiguous', 'rate_missing'])
/** Undoes what was begun of it. */
class NothingFollows extends Error {
  readonly outcome: Unapplied
  constructor(outcome: Unapplied) {
    super(outcome)
    this.outcome = outcome
  }
}

type Book = (goal: LeadGoal, status: 'approved' | 'declined', transaction?: string) => Promise<string | undefined>
type Lead = Awaited<ReturnType<typeof lockLead>>
type Said = { meaning: CallStatus; deposit: Deposit; row: Parameters<typeof insertStatus>[1]; at: Date }

function bookOf(
  trx: Trx,
  lead: Lead,
  send: SentLead,
  click: Awaited<ReturnType<typeof clickOf>>,
  { strict, by, ...money }: Money & { strict: boolean; by?: number | null },
  now: number,
): Book {
  return async (goal, status, transaction = '') => {
    // an amount is what the deposit or sale came to, not the lead
    const report = { goal, status, transaction, ...(goal !== 'accepted' && status === 'approved' ? money : NO_MONEY), by }
    const booked = click === null ? undefined : await bookLead(trx, lead, send, click, report, now)
    if (strict && goal !== 'accepted' && booked?.outcome === 'refused' && OF_AMOUNT.has(booked.reason)) throw new NothingFollows('amount')
    return booked?.outcome
  }
}

/**
 * Which of its lead's deposits a payment is, or one that is taken back; what was taken back without a name of its own is the first. A deposit
 * of nothing is none.
 */
async function depositOf(
  trx: Trx,
  lead: Lead,
  send: SentLead,
  { status, none, ...payment }: { status: CallStatus; transaction: string; amount: string; none: boolean },
  said: Deposit | null,
): Promise<Deposit | 'unclear' | 'taken' | 'nothing'> {
  const type = await typeOf(trx, lead.offer_id)
  const code = type === undefined ? undefined : goalCode(type, 'again')
  // a parcel is one sale, however many papers it has
  if (code === undefined) return 'first'
  if (TAKEN_BACK.has(status)) {
    const known = await listDeposits(trx, send.id)
    // refunds have names of their own: one nobody knows is of the first
    return known.some((one) => one.transaction !== '' && one.transaction === payment.transaction && one.deposit === 'again')
      ? 'again'
      : 'first'
  }
  if (none) return 'nothing'
  return whichDeposit(trx, send, payment, { said, hasAgain: await hasGoal(trx, lead.offer_id, code) })
}

/** What follows a word: what is booked, and what becomes of the lead. */
async function applyMeaning(
  trx: Trx,
  secretKey: string | null,
  lead: Lead,
  { meaning, deposit, row, at }: Said,
  book: Book,
): Promise<void> {
  // who does not want to be called is offered to nobody any more
  if (meaning === 'do_not_call') await suppressPerson(trx, secretKey, at.getTime(), lead, { reason: 'dnc', source: 'call' })
  const goal = deposit === 'again' ? 'again' : 'paid'
  // what was never sold cannot be taken back: nothing is booked for it as declined
  const takesBack = (TAKEN_BACK.has(meaning) || TAINTED.has(meaning)) && lead.status === 'converted'
  const booked = SOLD.has(meaning)
    ? await book(goal, 'approved', row.transaction)
    : takesBack
      ? await book(goal, 'declined', row.transaction)
      : ''
  if (takesBack && TAINTED.has(meaning))
    for (const transaction of await laterDeposits(trx, row.send_id)) await book('again', 'declined', transaction)
  const itself = await bookItself(trx, lead, meaning, book)
  await insertStatus(trx, { ...row, booked: (booked || itself) ?? '', ...(SOLD.has(meaning) && { deposit }) })
  // one of several deposits that goes back leaves the lead with the others
  const ends = OVER.has(meaning) && (lead.status !== 'converted' || (takesBack && goal === 'paid'))
  const status = lead.test ? null : SOLD.has(meaning) ? 'converted' : ends ? 'closed' : null
  await updateSession(trx, lead.id, { call_status: meaning, ...(status !== null && { status }), changed_at: at })
}

/** Which deposits of a lead came after its first one, each by its name. */
async function laterDeposits(trx: Trx, sendId: string): Promise<Set<string>> {
  const known = await listDeposits(trx, sendId)
  return new Set(known.filter(({ deposit }) => deposit === 'again').map(({ transaction }) => transaction))
}

/**
 * Where leads themselves are paid, by their kind or by a price somebody set, what an advertiser says holds for that too: one that was none is declined, and approved again when
 * the advertiser thinks better of it. What a lead that came to a sale loses is the sale, unless it was none itself.
 */
async function bookItself(trx: Trx, lead: Lead, meaning: CallStatus, book: Book): Promise<string | undefined> {
  const wasVoid = lead.call_status !== null && VOID.has(lead.call_status as CallStatus) // nothing else is written
  if (VOID.has(meaning) === wasVoid) return undefined
  const type = await typeOf(trx, lead.offer_id)
  if (type === undefined || !(paysLeads(type) || (await earned(trx, lead.click_id, goalCode(type, 'accepted'))))) return undefined
  if (lead.status === 'converted' && goalCode(type, 'paid') !== undefined && !TAINTED.has(meaning)) return undefined
  return book('accepted', wasVoid ? 'approved' : 'declined')
}

/** Whether an amount was said, and it is none. */
function saysNothing(amount: string): boolean {
  return /\d/.test(amount) && readMoney(amount)?.amount === null
}

type Money = { amount: string | null; currency: string | null }
const NO_MONEY: Money = { amount: null, currency: null }

/** An amount above nothing as it is booked, where none was said without one; null = one was said, and nobody can tell how much it is. */
function readMoney(text: string): Money | null {
  const [, amount, currency = null] = /^(\d{1,10}(?:\.\d{1,8})?)(?: ([A-Z0-9]{3,10}))?$/.exec(text.trim()) ?? []
  if (amount !== undefined) return Number(amount) > 0 ? { amount, currency } : NO_MONEY
  return /\d/.test(text) ? null : NO_MONEY
}
