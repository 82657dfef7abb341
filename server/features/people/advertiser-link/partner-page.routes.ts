import type { FastifyReply } from 'fastify'
import { uuid } from '#contract/fields.ts'
import { reportDay } from '#contract/traffic/period.ts'
import type { HttpApp, RouteParts } from '#server/access/implement.ts'
import { readInvoice, readNote } from '#server/features/money/document/advertiser-document.service.ts'
import type { File } from '#server/features/money/document/keep.service.ts'
import { escape } from '#server/features/network/mail/markup.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { attachmentOf } from '#server/platform/files/document.ts'
import { AppError } from '#server/platform/errors.ts'
import { hashToken } from '#server/platform/secret.ts'
import { dayIn } from '#server/rules/zone-day.ts'
import { resolvePeriod } from '#server/statistics/period.ts'
import { csvForPeople } from '#server/platform/csv.ts'
import { isWithinLimit, limitLine } from '../auth/limit.service.ts'
import { conversionsOf, invoicesOf, openLink, totalsOf } from './advertiser-link.queries.ts'
import { figuresOf } from './figures.service.ts'
import { page, table, WORDS, type Table, type Word } from './page.ts'
import { invoiceTable } from './partner-invoices.ts'
import { conversionTable, dayTable, totalTable } from './partner-tables.ts'

const SHOWN = 200
const SAVED = 10_000
const MOST_INVOICES = 50
/** So many days at once. */
const MOST_DAYS = 92
const DAY = 86_400_000

type Asked = {
  Params: { token: string }
  Querystring: { from?: unknown; to?: unknown; csv?: unknown; invoice?: unknown; note?: unknown }
}

/**
 * What an advertiser sees by its link: results of the own offers, by day and one by one, to look at and as CSV. A link that is over,
 * revoked or never was is answered alike. A page of its own that works without the app.
 */
export function routes(app: HttpApp, { db, clickhouse }: RouteParts): void {
  const { clock } = app
  app.server.get<Asked>('/partner/:token', async (request, reply) => {
    const { language, partner_title, time_zone: zone } = await getGeneralSettings(db)
    const t = (word: Word) => WORDS[word][language]
    const plain = (status: number, title: Word, text: Word) =>
      send(reply, status, page(language, partner_title, `<h1>${t(title)}</h1><p>${t(text)}</p>`))
    const now = clock.now()
    try {
      await limitLine(db, now, 'advertiser_link', request.ip)
      const { token } = request.params
      const advertiser = token.length > 100 ? undefined : await openLink(db, hashToken(token), new Date(now))
      if (advertiser === undefined) return await plain(404, 'gone', 'goneText')
      if (!(await isWithinLimit(db, now, 'advertiser_link', `link ${advertiser.advertiser_id}`)))
        return await plain(429, 'busy', 'busyText')
      const id = advertiser.advertiser_id
      const [asked, note] = [uuid.safeParse(request.query.invoice).data, uuid.safeParse(request.query.note).data]
      if (asked !== undefined) return await pdf(reply, await readInvoice(db, now, asked, { advertiserId: id }))
      if (note !== undefined) return await pdf(reply, await readNote(db, now, note, { advertiserId: id }))
      const { from, to, range } = periodOf(request.query, zone, now)
      const conversions = (most: number) => conversionsOf(db, advertiser.advertiser_id, range, most)
      const days = () => figuresOf({ db, clickhouse }, now, { advertiserId: advertiser.advertiser_id, zone, from, to })

      const totals = () => totalsOf(db, advertiser.advertiser_id, range)

      if (request.query.csv === 'days') return await file(reply, `days-${from}-${to}`, dayTable(await days(), t))
      if (request.query.csv === 'conversions') {
        const [rows, sums] = await Promise.all([conversions(SAVED), totals()])
        return await file(reply, `conversions-${from}-${to}`, conversionTable(rows, sums, t, zone))
      }
      const [byDay, one, sums, invoices] = await Promise.all([days(), conversions(SHOWN), totals(), invoicesOf(db, id, MOST_INVOICES)])
      const saved = (what: string) => `<p><a href="?from=${from}&amp;to=${to}&amp;csv=${what}">${t('csv')}</a></p>`
      const none = `<p>${t('none')}</p>`
      const body = `<p class="soft">${escape(partner_title)}</p><h1>${escape(advertiser.name)}</h1><p class="soft">${t('title')}. ${t('zone')}: ${escape(zone.replaceAll('_', ' '))}</p>
<form method="get"><label>${t('from')}<input type="date" name="from" value="${from}" required></label><label>${t('to')}<input type="date" name="to" value="${to}" required></label><button type="submit">${t('show')}</button></form>
${sums.length === 0 ? '' : `<h2>${t('totals')}</h2><p class="soft">${t('payText')}</p>${table(totalTable(sums, t))}`}
<h2>${t('days')}</h2>${byDay.days.length === 0 ? none : table(dayTable(byDay, t)) + saved('days')}
<h2>${t('conversions')}</h2>${one.length === 0 ? none : table(conversionTable(one, [], t, zone)) + saved('conversions')}${one.length === SHOWN ? `<p class="soft">${t('newest')}</p>` : ''}
${invoiceTable(invoices, { t, language, today: dayIn(now, zone) })}`
      return await send(reply, 200, page(language, `${advertiser.name} · ${partner_title}`, body))
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return await plain(404, 'gone', 'goneText')
      if (error instanceof AppError && error.code === 'too_many_attempts') return await plain(429, 'busy', 'busyText')
      if (error instanceof AppError && (error.code === 'statistics_away' || error.code === 'report_too_heavy'))
        return await plain(503, 'later', 'laterText')
      throw error
    }
  })
}

/** The days asked for, or the last thirty; no more than a quarter, and what is no day is none. */
function periodOf(asked: Asked['Querystring'], zone: string, now: number) {
  const usual = (back: number) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date(now - back * DAY))
  const [first, last] = [reportDay.safeParse(asked.from), reportDay.safeParse(asked.to)]
  const named = first.success && last.success && first.data <= last.data && Date.parse(last.data) - Date.parse(first.data) < MOST_DAYS * DAY
  const [from, to] = named ? [first.data, last.data] : [usual(29), usual(0)]
  const { range } = resolvePeriod({ preset: 'custom', from, to, first_day: 'monday' }, zone, now)
  return { from, to, range: { from: new Date(range.from), to: new Date(range.to) } }
}

function send(reply: FastifyReply, status: number, html: string) {
  return reply.status(status).type('text/html; charset=utf-8').header('x-robots-tag', 'noindex, nofollow').send(html)
}

/** A document, to be saved. */
function pdf(reply: FastifyReply, { name, bytes }: File) {
  return reply
    .type('application/pdf')
    .headers({ 'x-robots-tag': 'noindex, nofollow', 'cache-control': 'private, no-store', 'content-disposition': attachmentOf(name) })
    .send(Buffer.from(bytes))
}

/** A CSV file in which no cell is run as a formula. */
function file(reply: FastifyReply, name: string, { head, rows, totals }: Table) {
  return reply
    .type('text/csv; charset=utf-8')
    .header('x-robots-tag', 'noindex, nofollow')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .send(csvForPeople(head, [...rows, ...totals]))
}
