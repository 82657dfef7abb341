import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { readClickId, type ClickIdKeys } from '#server/rules/click/click-id.ts'
import { rejectionNames } from '#server/rules/conversion/dialect/naming.ts'
import { kindOf } from '#server/rules/conversion/postback-names.ts'
import { understand, withoutEventNumber, type NotUnderstood, type PostbackWord } from '#server/rules/conversion/postback-meaning.ts'
import { identitiesOf } from '../../conversion/apply-report.service.ts'
import { goalsOfClick, lockIdentities } from '../../conversion/conversion-row.queries.ts'
import { loadTerms, type Goal, type OfferTerms } from '../../conversion/terms.queries.ts'
import { currencyExists } from '#server/features/money/currency/currency.queries.ts'
import type { IncomingSettings } from './incoming.queries.ts'
import { problemOf, type PostbackFields } from './parse.service.ts'
import type { Identified, Interpreted } from './interpreted.ts'
import { interpretRefund } from './shop.service.ts'
import { isLost } from '#server/rules/conversion/conversion-status.ts'
import { declinedByAdvertiser } from '#server/rules/conversion/reason.ts'
import { sharesAmount } from '#server/rules/offer/payout.ts'

/** Where these are the matter, the click id may stand where nobody reads. */
const HIDES_THE_CLICK: ReadonlySet<string> = new Set(['body_nested', 'body_unread', 'body_invalid', 'body_list', 'method_unread'])

/** The terms of an offer as they are now; undefined where it is gone. */
export type TermsOf = (offerId: number) => Promise<OfferTerms | undefined>

/** Whose click a postback is about, out of the click id alone and the offer it names. */
export async function identify(
  db: DbOrTrx,
  keys: ClickIdKeys,
  fields: PostbackFields,
  termsOf: TermsOf = async (offerId) => (await loadTerms(db, [offerId])).get(offerId),
): Promise<Identified | NotUnderstood> {
  const { problem } = fields
  if (problem !== null && ((fields.click_id === '' && HIDES_THE_CLICK.has(problem.reason)) || kindOf(problem.parameter) === 'click_id'))
    return problemOf(fields, problem)
  if (fields.click_id === '') {
    // only we can have made it, so that it says where it should stand
    const other = fields.said.find(({ kind, value }) => kind === 'other' && readClickId(value.toLowerCase(), keys) !== null)
    if (other !== undefined) return { refusal: 'click_id_elsewhere', parameter: other.name, detail: other.name }
    if (readClickId(fields.txn_id.toLowerCase(), keys) !== null)
      return { refusal: 'click_id_elsewhere', parameter: 'txn_id', detail: 'the transaction id' }
    return { refusal: 'click_id_missing' }
  }
  const parts = readClickId(fields.click_id, keys)
  if (parts === null) return { refusal: 'click_id_unknown' }
  const terms = await termsOf(parts.offerId)
  return terms === undefined ? { refusal: 'offer_unknown' } : { parts, terms }
}

/**
 * What a postback says: goal, status and amount as it was sent, none of them guessed; `applyReport` converts it. One that
 * names no goal is about the conversion of its click that has its transaction, else about the default goal. Refused are a
 * transaction of several goals, and a decline of nothing where the click has conversions of other goals.
 */
export async function interpret(
  db: DbOrTrx,
  identified: Identified,
  sent: PostbackFields,
  settings: IncomingSettings,
): Promise<Interpreted | NotUnderstood> {
  if (sent.problem !== null) return problemOf(sent, sent.problem)
  const { terms } = identified
  if (sent.refund !== undefined) return interpretRefund(db, identified, sent)
  const { said, number } = withoutEventNumber(sent.said, { goals: terms.goals, words: wordsOf(terms) })
  const fields = { ...sent, said, txn_id: sent.txn_id || number }
  if (terms.goals.length < 2 || namesGoal(terms, fields, settings)) return read(db, identified, terms.goals, fields, settings)
  const transactionId = fields.txn_id === '' ? null : fields.txn_id
  const aboutOne = async (at: DbOrTrx): Promise<Interpreted | NotUnderstood> => {
    const converted = await goalsOfClick(at, fields.click_id)
    const named = transactionId === null ? [] : converted.filter((one) => one.transaction_id === transactionId)
    const codes = (of: typeof converted) =>
      [...new Set(of.map(({ goal_id }) => terms.goals.find(({ id }) => id === goal_id)?.code))].join(', ')
    if (named.length > 1)
      return {
        refusal: 'ambiguous',
        parameter: 'txn_id',
        detail: `txn_id=${fields.txn_id.slice(0, 60)} is of ${codes(named)}: name the goal`,
      }
    const goals = terms.goals.map((one): Goal => {
      const isMeant = one.id === named[0]?.goal_id
      return named.length === 0 ? one : { ...one, is_default: isMeant, retired: one.retired && !isMeant }
    })
    const meant = await read(at, identified, goals, fields, settings)
    if ('refusal' in meant || named.length > 0) return meant
    const declinesNothing =
      meant.report.statusNamed && isLost(meant.report.status) && converted.every(({ goal_id }) => goal_id !== meant.of.goal.id)
    if (declinesNothing && converted.length > 0)
      return { refusal: 'goal_unknown', parameter: 'goal', detail: `no goal named; the click has conversions of ${codes(converted)}` }
    return meant
  }
  const meant = await aboutOne(db)
  if ('refusal' in meant) return meant
  const underLocks = async (trx: Trx) => {
    await lockIdentities(trx, identitiesOf(terms, terms.goals, fields.click_id, transactionId))
    return aboutOne(trx)
  }
  return { ...meant, underLocks }
}

/** Whether a postback names a goal at all, were there no default one to fall back on. */
function namesGoal(terms: OfferTerms, fields: PostbackFields, settings: IncomingSettings): boolean {
  const goals = terms.goals.map((one) => ({ ...one, is_default: false }))
  const meant = understand(fields.said, askedOf(terms, goals, fields, settings))
  return !('refusal' in meant && meant.refusal === 'goal_unknown' && meant.parameter === undefined)
}

/** The advertiser's own words, and after them those of its dialect. */
function wordsOf({ postback_words, spoken }: OfferTerms): PostbackWord[] {
  return spoken?.dialect ? [...postback_words, ...spoken.dialect.words] : postback_words
}

function askedOf(terms: OfferTerms, goals: readonly Goal[], { currency }: PostbackFields, { statuses }: IncomingSettings) {
  return {
    goals,
    words: wordsOf(terms),
    statuses,
    unnamedStatus: terms.no_status_approved ? ('approved' as const) : ('pending' as const),
    currency: currency === '' ? terms.currency : currency,
    currencyNamed: currency !== '',
    statusIsEvent: terms.spoken?.dialect?.preset === 'keitaro',
    firstIsDefault: terms.spoken?.dialect?.preset === 'affise',
    rejections: rejectionNames(terms.spoken?.dialect),
    sharing: new Set(
      goals.filter(({ id }) => terms.rules.some((rule) => rule.goal_id === id && sharesAmount(rule))).map(({ code }) => code),
    ),
  }
}

/** What a postback says by itself; a goal it does not name is the default one. */
async function read(
  db: DbOrTrx,
  { parts, terms }: Identified,
  goals: readonly Goal[],
  fields: PostbackFields,
  settings: IncomingSettings,
): Promise<Interpreted | NotUnderstood> {
  const currency = fields.currency === '' ? null : fields.currency
  const meant = understand(fields.said, askedOf(terms, goals, fields, settings))
  if ('refusal' in meant) return meant
  const { goal, status, statusNamed, amount, stated } = meant
  if (fields.txn_id.length > 255) return { refusal: 'transaction_id_invalid' }
  if (goal.repeatable && fields.txn_id === '') return { refusal: 'transaction_id_missing' }
  if (currency !== null && currency !== terms.currency && !(await currencyExists(db, currency))) return { refusal: 'currency_unknown' }
  const transactionId = fields.txn_id === '' ? null : fields.txn_id
  return {
    of: { terms, goal, clickId: fields.click_id, clickAt: parts.at, transactionId },
    report: {
      status,
      statusNamed,
      amount,
      ...(stated !== undefined && { stated }),
      currency,
      transactionId,
      reason: isLost(status) ? declinedByAdvertiser(fields.reason) : '',
    },
    fields,
  }
}
