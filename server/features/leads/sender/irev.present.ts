import { AppError } from '#server/platform/errors.ts'
import { readIrev } from '#server/rules/lead/sender/irev.ts'
import { isSaidYes, textOf } from '#server/rules/lead/sender/read-lead.ts'
import { saleWord } from '#server/rules/lead/sender/sale-words.ts'
import type { CallStatus } from '#contract/leads/call-status.ts'
import { isTaken, refusalOf, type SenderDialect } from './dialect.ts'
import { bodyOf } from './read-sent.ts'

const MOST = 500
const MOST_PAGES = 10_000
/** What its clients ask for by: of the first what became of leads, of the second those with a deposit alone. */
const GOAL_TYPES = [
  { uuid: '6b1f3c52-0a57-4d5e-9c1b-2f7a86c0e001', name: 'lead' },
  { uuid: '6b1f3c52-0a57-4d5e-9c1b-2f7a86c0e002', name: 'ftd' },
] as const

/** IREV-like systems, affiliate API v2. Who took a lead is no matter of the sender's: the advertiser's fields stay empty. */
export const irevDialect: SenderDialect = {
  sendTo: ['/api/affiliates/v2/leads', '/affiliates/v2/leads'],
  constants: { urls: ['/api/affiliates/v2/goal-types', '/affiliates/v2/goal-types'], list: GOAL_TYPES },
  pullFrom: { method: 'GET', urls: ['/api/affiliates/v2/leads', '/affiliates/v2/leads'] },
  // without a word for the scheme; some clients add one
  keyOf: (headers) => (headers.authorization ?? '').replace(/^Bearer +/i, ''),
  affiliate: 'affiliate_id',
  read: readIrev,
  answer: (reply, row, login) =>
    isTaken(row)
      ? reply.code(200).send({ lead_uuid: row.uuid, auto_login_url: login, advertiser_uuid: '', advertiser_name: '' })
      : refused(reply, 422, row.status, refusalOf(row)),
  refuse: refused,
  asked: (request, now) => {
    const query = bodyOf(request.query)
    const fields: Record<string, string> = {}
    const since = dateOf(query.created_from)
    const until = textOf(query.created_to) === '' ? new Date(now + 1) : dateOf(query.created_to)
    if (since === undefined) fields.created_from = 'A moment such as 2026-11-21T09:30:00Z'
    if (until === undefined) fields.created_to = 'A moment such as 2026-11-21T09:30:00Z'
    if (isSaidYes(query.is_test)) fields.is_test = 'Ask without it'
    const goal = textOf(query.goal_type_uuid) ?? '?'
    if (goal !== '' && !GOAL_TYPES.some(({ uuid }) => uuid === goal.toLowerCase())) fields.goal_type_uuid = 'One of those goal-types lists'
    const page = numberOf(query.page, 1, MOST_PAGES)
    const count = numberOf(query.per_page, 100, MOST)
    if (page === undefined) fields.page = 'The number of a page'
    if (count === undefined) fields.per_page = `1 to ${MOST}`
    if (since === undefined || until === undefined || page === undefined || count === undefined || Object.keys(fields).length > 0)
      throw new AppError('invalid_input', { fields })
    return { from: since, to: until, page, count, sold: goal.toLowerCase() === GOAL_TYPES[1].uuid }
  },
  tell: (reply, { list }) =>
    reply.send(
      list.map((row) => ({
        uuid: row.uuid,
        lead_uuid: row.uuid,
        leadUuid: row.uuid,
        saleStatus: row.sold_at === null ? saleWord(row.call_status as CallStatus | null) : 'Depositor', // nothing else is written
        hasFTD: row.sold_at === null ? 0 : 1,
        country_code: row.country,
        aff_sub5: row.external_id ?? '',
        isTest: row.status === 'test',
        createdAt: row.received_at.toISOString(),
        ...(row.sold_at !== null && { ftdAt: row.sold_at.toISOString() }),
      })),
    ),
}

function refused(...[reply, status, code, text]: Parameters<SenderDialect['refuse']>) {
  return reply.code(status).send({ code: status, type: code, message: text, data: { errorType: code, errorMessage: text } })
}

function dateOf(value: unknown): Date | undefined {
  const text = textOf(value) ?? ''
  const at = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)
  return /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d))?$/.test(text) && !Number.isNaN(at.getTime()) ? at : undefined
}

function numberOf(value: unknown, usual: number, most: number): number | undefined {
  const number = Number(textOf(value) || String(usual))
  return Number.isInteger(number) && number >= 1 && number <= most ? number : undefined
}
