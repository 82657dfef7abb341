import { addAmounts, fromUnits, toUnits } from '#contract/money/amount.ts'
import type { PayoutResultRow } from '#contract/money/payout.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { feeJudge } from '#server/features/money/invoice/judge-fee.service.ts'
import { readResult } from './format/read-result.ts'
import type { Result, ResultRow, Whole } from './format/result-row.ts'
import { getFile, payoutsByReference, payoutsOfFile, sentOfAmounts, takenNumbers } from './payout.queries.ts'
import { openHeld, type Secret } from './plan.service.ts'
import { isReference } from './reference.ts'

export type Becomes = 'settled' | 'failed' | 'returned'
type Matched = {
  format: Result['format']
  rows: (PayoutResultRow & { uuid: string | null; otherwise: PayoutResultRow['note'] })[]
  others: number
}
/** What is said of one payment; `doubt` is what of it has to be confirmed. */
type Said = ResultRow & { doubt?: 'amount_differs' | 'same_account' }

/**
 * What a result says of our payments: by reference, else by amount and account, which is a question. `others` counts the entries of a
 * statement that are none of ours. Throws `invalid_input` where it is no result.
 */
export async function matchResult(db: Db, secret: Secret, content: string): Promise<Matched> {
  const result = readResult(content)
  if (result === null)
    throw new AppError('invalid_input', {
      fields: { content: 'This is neither a pain.002, a camt.05x, nor a table with the columns reference and status' },
    })
  const wholes = await saidOfWholes(db, result)
  const said = [...(await withAccounts(db, secret, result.rows)), ...wholes.said]
  const known = await payoutsByReference(
    db,
    said.map(({ reference }) => reference),
  )
  // a statement tells of rent and wages too: of what does not bear a reference of ours it is only counted how much there is
  const ours = said.filter(({ reference }) => !result.isStatement || known.has(reference) || isReference(reference))
  const shared = sharedIds(ours)
  const taken = await takenNumbers(
    db,
    ours.flatMap(({ externalId }) => externalId || []),
  )
  const seen = new Set<string>()
  const judge = feeJudge(db, secret.now)
  const rows: Matched['rows'] = []
  for (const row of ours) {
    const payout = known.get(row.reference)
    const net = payout === undefined ? null : fromUnits(toUnits(payout.amount) - toUnits(payout.charged))
    const isAgain = row.reference !== '' && seen.has(row.reference)
    seen.add(row.reference)
    const asked = row.status === 'pending' || row.status === 'unknown' ? null : row.status
    const becomes = payout === undefined || asked === null ? null : becomesOf(payout, asked)
    // one transfer of a bank for many payments names each by its reference too
    const externalId = shared.has(row.externalId) ? `${row.externalId.slice(0, 70)} ${row.reference}`.slice(0, 100) : row.externalId
    const isTaken = payout !== undefined && externalId !== payout.external_id && taken.has(`${payout.source_id} ${externalId}`)
    const wrong = payout === undefined || row.fee === null ? null : await judge(row.fee, payout, row.feeCurrency)
    const fee =
      row.feeWrong !== undefined || wrong === 'decimals' || wrong === 'too_much'
        ? 'fee_wrong'
        : wrong === null
          ? null
          : (`fee_${wrong}` as const)
    const noted = (its: typeof fee) =>
      isAgain ? 'twice' : becomes !== null && isTaken ? 'number_taken' : noteOf(row, payout, { becomes, ours: net, fee: its })
    rows.push({
      uuid: payout?.uuid ?? null,
      reference: row.reference,
      affiliate: payout?.affiliate ?? '',
      amount: row.amount,
      said_currency: row.amount === null ? '' : row.currency,
      ours: net,
      currency: payout?.currency ?? null,
      said: row.said,
      becomes,
      external_id: externalId,
      fee: row.feeWrong ?? row.fee ?? '0',
      fee_currency: row.fee === null ? '' : row.feeCurrency,
      fee_booked: payout?.fee_currency ?? null,
      reason: row.reason,
      note: noted(fee),
      otherwise: noted(null),
    })
  }
  return { format: result.format, rows, others: said.length - ours.length + wholes.others }
}

/**
 * What a payment of a state can become of what is said: one that comes back before it was said to have arrived has failed, and one of a file
 * that was taken back may have been paid all the same.
 */
export function becomesOf({ state, recalled }: { state: string; recalled: boolean }, said: Becomes): Becomes | null {
  if (recalled) return said === 'settled' ? 'settled' : null
  if (state === 'sent') return said === 'returned' ? 'failed' : said
  return state === 'settled' && said === 'returned' ? 'returned' : null
}

/** Numbers that a result gives to several of our payments. */
function sharedIds(rows: readonly ResultRow[]): ReadonlySet<string> {
  const by = Map.groupBy(rows, ({ externalId }) => externalId)
  return new Set([...by].flatMap(([id, its]) => (id !== '' && new Set(its.map(({ reference }) => reference)).size > 1 ? [id] : [])))
}

function noteOf(
  row: Said,
  payout: { state: string; currency: string; recalled: boolean } | undefined,
  { becomes, ours, fee }: { becomes: Becomes | null; ours: string | null; fee: 'fee_wrong' | 'fee_currency' | 'fee_odd' | null },
): PayoutResultRow['note'] {
  if (payout === undefined) return 'unknown_reference'
  if (row.status === 'unknown') return 'unknown_status'
  if (row.status === 'pending') return 'nothing'
  if (becomes === null) return payout.state === row.status ? 'already' : 'not_possible'
  if (fee === 'fee_wrong' || fee === 'fee_currency') return fee
  if (row.amountWrong !== undefined) return 'amount_wrong'
  const isOther =
    (row.amount !== null && ours !== null && toUnits(row.amount) !== toUnits(ours)) ||
    (row.currency !== '' && row.currency !== payout.currency)
  // one answer is to one question
  if ([payout.recalled, isOther, fee !== null, row.doubt !== undefined].filter(Boolean).length > 1) return 'several'
  if (payout.recalled) return 'recalled'
  if (isOther) return 'amount_differs'
  return fee ?? row.doubt ?? null
}

/** Who says no reference of ours, but where so much went: the one payment on its way there, as a question. */
async function withAccounts(db: Db, secret: Pick<Secret, 'secretKey'>, rows: readonly ResultRow[]): Promise<Said[]> {
  const isBare = (row: ResultRow) => !isReference(row.reference) && row.account !== '' && row.amount !== null && row.status !== 'pending'
  const bare = rows.filter(isBare)
  if (bare.length === 0) return [...rows]
  const named = new Set(rows.map(({ reference }) => reference))
  const sent = (
    await sentOfAmounts(
      db,
      bare.flatMap(({ amount }) => amount ?? []),
    )
  ).filter(({ reference }) => !named.has(reference))
  // files of thousands of lines meet thousands of payments: each looks only at those that went where it says
  const whereTo = (amount: string, account: string) => `${toUnits(amount)} ${account}`
  const went = Map.groupBy(
    sent.flatMap((one) => accountsIn(openHeld(one.held, secret)).map((account) => ({ one, to: whereTo(one.net, account) }))),
    ({ to }) => to,
  )
  return rows.map((row) => {
    if (!isBare(row)) return row
    const its = (went.get(whereTo(row.amount ?? '0', plain(row.account))) ?? []).filter(
      ({ one }) => row.currency === '' || row.currency === one.currency,
    )
    const [only] = its
    return only === undefined || its.length > 1 ? row : { ...row, reference: only.one.reference, doubt: 'same_account' }
  })
}

/** Of what a method holds that by which a bank or wallet names where it went; each once, for two would look like two payments. */
function accountsIn(held: Readonly<Record<string, string>>): string[] {
  return [...new Set(['iban', 'account', 'email', 'address'].flatMap((field) => plain(held[field] ?? '') || []))]
}

function plain(account: string): string {
  return account.replace(/[\s-]/g, '').toLowerCase()
}

/** A bank that says one thing of a whole file says it of each of its payments; where its sum is another one than ours, of none for sure. */
async function saidOfWholes(db: Db, { wholes, isStatement }: Result): Promise<{ said: Said[]; others: number }> {
  const said: Said[] = []
  let others = 0
  for (const whole of wholes) {
    const its = await payoutsOfWhole(db, whole)
    if (its === undefined && !isStatement)
      throw new AppError('invalid_input', { fields: { content: 'It tells of a file that is not among ours' } })
    if (its === undefined) others++
    const { status, reason, amount, amountWrong, currency, said: word, fileId: _file, ...fee } = whole
    let isFirst = true
    const sum = addAmounts('0', ...(its ?? []).map(({ net }) => net))
    const isOther = amount !== null && toUnits(sum) !== toUnits(amount)
    for (const { reference, state } of its ?? [])
      if (reference !== null && (state !== 'settled' || status === 'returned')) {
        said.push({
          reference,
          status,
          said: word,
          amount: null,
          amountWrong,
          currency,
          // what was taken for the file is booked once
          ...(isFirst ? fee : { fee: null, feeCurrency: '' }),
          account: '',
          externalId: '',
          reason,
          ...(isOther && { doubt: 'amount_differs' as const }),
        })
        isFirst = false
      }
  }
  return { said, others }
}

/** The payments of the file a bank names, that left; undefined where it is none of ours. */
async function payoutsOfWhole(db: Db, { fileId }: Whole) {
  const uuid = /^[0-9a-f]{32}$/.test(fileId) ? fileId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : null
  const file = uuid === null ? undefined : await getFile(db, uuid)
  // of one that was taken back all have failed
  return file === undefined
    ? undefined
    : payoutsOfFile(db, file.id, file.state === 'recalled' ? ['failed', 'settled'] : ['sent', 'settled'])
}
