import { AppError } from '#server/platform/errors.ts'
import { countryOfPhone } from '#server/rules/lead/contact.ts'
import { textOf } from '#server/rules/lead/sender/read-lead.ts'
import { saleWord } from '#server/rules/lead/sender/sale-words.ts'
import { readTrackBox } from '#server/rules/lead/sender/trackbox.ts'
import type { CallStatus } from '#contract/leads/call-status.ts'
import { isTaken, refusalOf, type SenderDialect } from './dialect.ts'
import { bodyOf } from './read-sent.ts'

const PAGE = 500
const MOST_PAGES = 10_000

/** TrackBox-like systems: refusals are answered 200 too; dates are of UTC, as `metadata` says. */
export const trackBoxDialect: SenderDialect = {
  sendTo: ['/api/signup/procform'],
  pullFrom: { method: 'POST', urls: ['/api/pull/customers'] },
  keyOf: (headers) => String(headers['x-api-key'] ?? ''),
  affiliate: 'ai',
  read: (body) => readTrackBox(body, countryOfPhone),
  answer: (reply, row, login) =>
    isTaken(row)
      ? reply.send({
          status: true,
          data: login,
          addonData: { data: { id: row.id, customerId: row.id, uniqueid: row.uuid, loginURL: login } },
        })
      : reply.send({ status: false, code: 422, errorMessage: refusalOf(row), uniqueid: row.uuid }),
  refuse: (reply, status, _code, text) => reply.code(200).send({ status: false, code: status, errorMessage: text }),
  asked: (request) => {
    const { from, to, type, page } = bodyOf(request.body)
    const fields: Record<string, string> = {}
    const [since, until] = [dateOf(from), dateOf(to)]
    if (since === undefined) fields.from = 'A date such as 2026-11-21 09:30:00'
    if (until === undefined) fields.to = 'A date such as 2026-11-21 09:30:00'
    if (!['', '2', '3', '4'].includes(textOf(type) ?? '?')) fields.type = '2, 3 or 4'
    const asked = Number(textOf(page) || '1')
    if (!Number.isInteger(asked) || asked < 0 || asked > MOST_PAGES) fields.page = 'The number of a page'
    if (since === undefined || until === undefined || Object.keys(fields).length > 0) throw new AppError('invalid_input', { fields })
    // some begin with 0; 4 = deposits alone
    return { from: since, to: until, page: Math.max(1, asked), count: PAGE, sold: textOf(type) === '4' }
  },
  tell: (reply, { list, all }, { page }) =>
    reply.send({
      status: true,
      data: list.map((row) => ({
        customerData: {
          uniqueid: row.uuid,
          affclickid: row.external_id ?? '',
          country: row.country,
          date: timeOf(row.received_at),
          call_status: saleWord(row.call_status as CallStatus | null), // nothing else is written
          depositor: row.sold_at === null ? 0 : 1,
          ...(row.sold_at !== null && { first_depositDate: timeOf(row.sold_at) }),
        },
      })),
      meta: { page, lastPage: Math.max(1, Math.ceil(all / PAGE)), total: all },
      metadata: { timezone: 'UTC' },
    }),
}

/** `YYYY-MM-DD HH:mm:ss` or a day, of UTC; undefined = it is none. */
function dateOf(value: unknown): Date | undefined {
  const [, day, time = '00:00:00'] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d))?$/.exec(textOf(value) ?? '') ?? []
  const at = new Date(`${day}T${time}Z`)
  return day === undefined || Number.isNaN(at.getTime()) ? undefined : at
}

function timeOf(at: Date): string {
  return at.toISOString().slice(0, 19).replace('T', ' ')
}
