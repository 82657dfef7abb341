import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { readClickId, type ClickIdKeys, type ClickIdParts } from '#server/rules/click/click-id.ts'
import { kindOf } from '#server/rules/conversion/postback-names.ts'
import { understand, type NotUnderstood } from '#server/rules/conversion/postback-meaning.ts'
import type { Report } from '../../conversion/draft.service.ts'
import type { ReportedFor } from '../../conversion/apply-report.service.ts'
import { loadTerms, type OfferTerms } from '../../conversion/terms.queries.ts'
import { currencyExists } from '#server/features/money/currency/currency.queries.ts'
import type { IncomingSettings } from './incoming.queries.ts'
import { problemOf, type PostbackFields } from './parse.service.ts'
import { declinedByAdvertiser } from '#server/rules/conversion/reason.ts'

export type Identified = { parts: ClickIdParts; terms: OfferTerms }
export type Interpreted = { of: ReportedFor; report: Report }

/** Where these are the matter, the click id may stand where nobody reads. */
const HIDES_THE_CLICK: ReadonlySet<string> = new Set(['body_nested', 'body_unread', 'body_invalid', 'body_list', 'method_unread'])

/** Whose click a postback is about, out of the click id alone and the offer it names. */
export async function identify(db: DbOrTrx, keys: ClickIdKeys, fields: PostbackFields): Promise<Identified | NotUnderstood> {
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
  const terms = (await loadTerms(db, [parts.offerId])).get(parts.offerId)
  return terms === undefined ? { refusal: 'offer_unknown' } : { parts, terms }
}

/** What a postback says: goal, status and amount as it was sent, none of them guessed; `applyReport` converts it. */
export async function interpret(
  db: DbOrTrx,
  { parts, terms }: Identified,
  fields: PostbackFields,
  settings: IncomingSettings,
): Promise<Interpreted | NotUnderstood> {
  if (fields.problem !== null) return problemOf(fields, fields.problem)
  const currency = fields.currency === '' ? null : fields.currency
  const meant = understand(fields.said, {
    goals: terms.goals,
    words: terms.postback_words,
    statuses: settings.statuses,
    unnamedStatus: terms.no_status_approved ? 'approved' : 'pending',
    currency: currency ?? terms.currency,
  })
  if ('refusal' in meant) return meant
  const { goal, status, statusNamed, amount } = meant
  if (fields.txn_id.length > 255) return { refusal: 'transaction_id_invalid' }
  if (goal.repeatable && fields.txn_id === '') return { refusal: 'transaction_id_missing' }
  if (currency !== null && currency !== terms.currency && !(await currencyExists(db, currency))) return { refusal: 'currency_unknown' }
  const transactionId = fields.txn_id === '' ? null : fields.txn_id
  const endsBadly = status === 'declined' || status === 'trash'
  return {
    of: { terms, goal, clickId: fields.click_id, clickAt: parts.at, transactionId },
    report: { status, statusNamed, amount, currency, transactionId, reason: endsBadly ? declinedByAdvertiser(fields.reason) : '' },
  }
}
