import { printedAmount, printedDay } from '#server/features/money/document/print-text.ts'
import { escape } from '#server/features/network/mail/markup.ts'
import type { invoicesOf } from './advertiser-link.queries.ts'
import type { Word } from './page.ts'

type Invoice = Awaited<ReturnType<typeof invoicesOf>>[number]

/** The issued invoices of an advertiser and their credit notes, each with its PDF; '' where there is none. */
export function invoiceTable(
  invoices: readonly Invoice[],
  { t, language, today }: { t: (word: Word) => string; language: 'en' | 'uk'; today: string },
): string {
  if (invoices.length === 0) return ''
  const head = (['invoice', 'date', 'due', 'amount', 'open', 'document'] as const).map(
    (word) => `<th${word === 'amount' || word === 'open' ? ' class="n"' : ''}>${escape(t(word))}</th>`,
  )
  const money = (amount: string, { decimals, currency }: Invoice) =>
    `${printedAmount(amount, { decimals, sign: '' }, language)} ${escape(currency)}`
  const rows = invoices.map((one) => {
    const isOverdue = one.open !== null && Number(one.open) > 0 && one.due_day !== null && one.due_day < today
    return `<tr><td>${one.kind === 'note' ? `${escape(t('creditNote'))} ` : ''}${escape(one.number)}</td><td>${printedDay(one.day, language)}</td>
<td>${one.due_day === null ? '' : printedDay(one.due_day, language)}${isOverdue ? ` (${escape(t('overdue'))})` : ''}</td>
<td class="n">${one.kind === 'note' ? '−' : ''}${money(one.total, one)}</td><td class="n">${one.open === null ? '' : money(one.open, one)}</td>
<td><a href="?${one.kind}=${one.uuid}" aria-label="PDF ${escape(one.number)}">PDF</a></td></tr>`
  })
  return `<h2>${escape(t('invoices'))}</h2><p class="soft">${escape(t('invoicesText'))}</p>
<div class="scroll" tabindex="0"><table><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}
