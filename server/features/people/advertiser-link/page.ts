import { escape } from '#server/features/network/mail/markup.ts'

type Language = 'en' | 'uk'

/** The words of the advertiser's page. */
export const WORDS = {
  title: { en: 'Results of your offers', uk: 'Результати ваших оферів' },
  from: { en: 'From', uk: 'Від' },
  to: { en: 'To', uk: 'До' },
  show: { en: 'Show', uk: 'Показати' },
  days: { en: 'By day and offer', uk: 'За днями та оферами' },
  conversions: { en: 'Conversions', uk: 'Конверсії' },
  csv: { en: 'Save as CSV', uk: 'Зберегти як CSV' },
  none: { en: 'Nothing happened in these days.', uk: 'За ці дні нічого не сталося.' },
  newest: { en: 'The newest 200 are shown; the file holds up to 10,000.', uk: 'Показано 200 найновіших; у файлі — до 10 000.' },
  zone: { en: 'Days of the zone', uk: 'Дні часового поясу' },
  gone: { en: 'This link is no longer valid', uk: 'Це посилання більше не діє' },
  goneText: { en: 'Ask your manager for a new one.', uk: 'Попросіть у свого менеджера нове.' },
  later: { en: 'Statistics cannot be reached at the moment', uk: 'Статистика зараз недоступна' },
  laterText: { en: 'Nothing is lost. Please try again in a minute.', uk: 'Нічого не втрачено. Спробуйте за хвилину.' },
  busy: { en: 'Too many requests', uk: 'Забагато запитів' },
  busyText: { en: 'Please wait a minute.', uk: 'Зачекайте хвилину.' },
  day: { en: 'Day', uk: 'День' },
  time: { en: 'Time', uk: 'Час' },
  offer: { en: 'Offer', uk: 'Офер' },
  goal: { en: 'Goal', uk: 'Ціль' },
  transaction: { en: 'Transaction', uk: 'Транзакція' },
  status: { en: 'Status', uk: 'Статус' },
  clicks: { en: 'Clicks', uk: 'Кліки' },
  pending: { en: 'Pending', uk: 'Очікують' },
  hold: { en: 'On hold', uk: 'На холді' },
  approved: { en: 'Approved', uk: 'Підтверджені' },
  declined: { en: 'Declined', uk: 'Відхилені' },
  click: { en: 'Click ID', uk: 'ID кліку' },
  amount: { en: 'Amount', uk: 'Сума' },
  pendingAmount: { en: 'Still pending', uk: 'Ще очікує' },
  pay: { en: 'You pay', uk: 'До сплати' },
  total: { en: 'Total', uk: 'Разом' },
  totals: { en: 'Totals', uk: 'Підсумки' },
  number: { en: 'Conversions', uk: 'Конверсії' },
  payText: {
    en: 'You pay for what is approved or on hold. What is pending waits for a decision; what is declined costs nothing. Totals are rounded once, so rows may differ from them by a hundredth.',
    uk: 'Ви платите за підтверджене та те, що на холді. Те, що очікує, ще чекає на рішення; відхилене нічого не коштує. Підсумки округлено один раз, тому сума рядків може відрізнятися на соту.',
  },
  invoices: { en: 'Invoices', uk: 'Рахунки' },
  invoicesText: { en: 'The last 50, the newest first.', uk: 'Останні 50, найновіші зверху.' },
  invoice: { en: 'Invoice', uk: 'Рахунок' },
  date: { en: 'Date', uk: 'Дата' },
  due: { en: 'Due', uk: 'Сплатити до' },
  open: { en: 'Open', uk: 'Не сплачено' },
  document: { en: 'Document', uk: 'Документ' },
  overdue: { en: 'overdue', uk: 'прострочено' },
  creditNote: { en: 'Credit note', uk: 'Кредит-нота' },
  currency: { en: 'Currency', uk: 'Валюта' },
} as const satisfies Record<string, Record<Language, string>>
export type Word = keyof typeof WORDS

/** A table: its head, its rows, those that sum them up, and the columns that stand at the right. */
export type Table = { head: string[]; rows: string[][]; totals: string[][]; numbers: ReadonlySet<number> }

/** A table as it stands on the page. */
export function table({ head, rows, totals, numbers }: Table): string {
  const cell = (tag: 'th' | 'td') => (text: string, index: number) =>
    `<${tag}${numbers.has(index) ? ' class="n"' : ''}>${escape(text)}</${tag}>`
  const lines = (of: string[][]) => of.map((row) => `<tr>${row.map(cell('td')).join('')}</tr>`).join('')
  const foot = totals.length === 0 ? '' : `<tfoot>${lines(totals)}</tfoot>`
  return `<div class="scroll" tabindex="0"><table><thead><tr>${head.map(cell('th')).join('')}</tr></thead><tbody>${lines(rows)}</tbody>${foot}</table></div>`
}

/** A page by itself: it needs no script, sets no cookie, and wants to be found by nobody. */
export function page(language: Language, title: string, body: string): string {
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex,nofollow"><meta name="color-scheme" content="light dark"><title>${escape(title)}</title>
<style>:root{--line:color-mix(in srgb,currentColor 18%,transparent)}body{font:15px/1.5 system-ui,sans-serif;max-width:1100px;margin:0 auto;padding:2rem 1.25rem}h1{font-size:1.5rem;margin:.2rem 0}h2{font-size:1.1rem;margin:2rem 0 .5rem}.soft{opacity:.75}form{display:flex;flex-wrap:wrap;gap:.75rem;align-items:end;margin:1.25rem 0}label{display:grid;gap:.2rem;font-size:.85rem}input,button{font:inherit;padding:.45rem .7rem;border:1px solid var(--line);border-radius:.4rem;background:none;color:inherit;min-height:2.75rem;box-sizing:border-box}button{font-weight:600;cursor:pointer}.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;white-space:nowrap}th,td{text-align:left;padding:.45rem .8rem;border-bottom:1px solid var(--line)}th{font-size:.85rem}.n{text-align:right}tfoot td{font-weight:600}@media(max-width:32rem){th,td{padding:.45rem .35rem}.scroll table{font-size:.85rem}}</style></head><body><main>${body}</main></body></html>`
}
