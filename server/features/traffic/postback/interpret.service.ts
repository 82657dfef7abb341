import type { ConversionStatus } from '#contract/traffic/conversion.ts'
import type { PostbackRefusal } from '#contract/traffic/postback.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { readClickId, type ClickIdKeys, type ClickIdParts } from '#server/rules/click/click-id.ts'
import { STATUS_WORDS } from '#server/rules/conversion/conversion-status.ts'
import type { Report } from '../conversion/draft.service.ts'
import type { ReportedFor } from '../conversion/apply-report.service.ts'
import { loadTerms, type OfferTerms } from '../conversion/terms.queries.ts'
import { currencyExists } from '#server/features/money/currency/currency.queries.ts'
import type { IncomingSettings } from './incoming.queries.ts'
import type { PostbackFields } from './parse.service.ts'

export type Identified = { parts: ClickIdParts; terms: OfferTerms }
export type Interpreted = { of: ReportedFor; report: Report }
type Refused = { refusal: PostbackRefusal }

/** Whose click a postback is about, out of the click id alone and the offer it names. */
export async function identify(db: DbOrTrx, keys: ClickIdKeys, fields: PostbackFields): Promise<Identified | Refused> {
  if (fields.click_id === '') return { refusal: 'click_id_missing' }
  const parts = readClickId(fields.click_id, keys)
  if (parts === null) return { refusal: 'click_id_unknown' }
  const terms = (await loadTerms(db, [parts.offerId])).get(parts.offerId)
  return terms === undefined ? { refusal: 'offer_unknown' } : { parts, terms }
}

/** What a postback says: goal, status and amount, as it was sent; `applyReport` converts it. */
export async function interpret(
  db: DbOrTrx,
  { parts, terms }: Identified,
  fields: PostbackFields,
  settings: IncomingSettings,
): Promise<Interpreted | Refused> {
  const goal = terms.goals.find((one) =>
    fields.goal === '' ? one.is_default && !one.retired : one.code.toLowerCase() === fields.goal.toLowerCase(),
  )
  if (goal === undefined) return { refusal: 'goal_unknown' }
  const status = statusOf(fields.status, settings)
  if (status === null) return { refusal: 'status_unknown' }
  if (fields.txn_id.length > 255) return { refusal: 'transaction_id_invalid' }
  const amount = fields.amount === '' ? null : fields.amount
  if (amount !== null && !/^\d{1,12}(\.\d{1,8})?$/.test(amount)) return { refusal: 'amount_invalid' }
  const currency = fields.currency === '' ? null : fields.currency
  if (currency !== null && currency !== terms.currency && !(await currencyExists(db, currency))) return { refusal: 'currency_unknown' }
  const transactionId = fields.txn_id === '' ? null : fields.txn_id
  const endsBadly = status === 'declined' || status === 'trash'
  return {
    of: { terms, goal, clickId: fields.click_id, clickAt: parts.at, transactionId },
    report: { status, amount, currency, transactionId, reason: endsBadly ? fields.reason || 'by_postback' : '' },
  }
}

/** No status given means approved. */
function statusOf(word: string, settings: IncomingSettings): ConversionStatus | null {
  if (word === '') return 'approved'
  const own = Object.entries(settings.statuses).find(([name]) => name.toLowerCase() === word)
  return own?.[1] ?? (Object.hasOwn(STATUS_WORDS, word) ? (STATUS_WORDS[word] ?? null) : null)
}
