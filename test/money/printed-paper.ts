/** What a printed invoice or credit note says, read off its lines as a person reads it. */
export type PrintedPaper = {
  what: 'invoice' | 'credit note'
  number: string
  /** Of a credit note the number it takes back. */
  credits: string | null
  currency: string
  /** The first and the last day of its supply. */
  supply: string
  /** The amounts of its lines. */
  amounts: string[]
  net: string
  vat: string
  total: string
}

const ENGLISH = {
  invoice: ['Invoice', 'Payout statement'],
  'credit note': 'Credit note',
  // one that adds: a credit note below zero
  correction: 'Correction invoice',
  credits: /^(?:Credit note for|Correction of) (\S+) of/,
  number: 'Number',
  period: 'Period of supply',
  amount: /^Amount, (\w+)$/,
  net: 'Net',
  vat: /^VAT [\d.]+ %$/,
  total: 'Total',
  toPay: { invoice: 'To pay', 'credit note': 'Credited' },
  sum: /^(−?)\p{Sc}?(\d{1,3}(?:,\d{3})*)(?:\.(\d+))?(?: [^\d]+)?$/u,
}
type Words = typeof ENGLISH
const UKRAINIAN: Words = {
  invoice: ['Рахунок', 'Виписка про виплату'],
  'credit note': 'Кредит-нота',
  correction: 'Коригувальний рахунок',
  credits: /^(?:Кредит-нота|Коригування) до (\S+) від/,
  number: 'Номер',
  period: 'Період надання послуг',
  amount: /^Сума, (\w+)$/,
  net: 'Разом без ПДВ',
  vat: /^ПДВ [\d,]+ %$/,
  total: 'Усього',
  toPay: { invoice: 'До сплати', 'credit note': 'Скориговано на' },
  sum: /^(−?)(\d{1,3}(?: \d{3})*)(?:,(\d+))?(?: [^\d]+)?$/u,
}
const both = (english: string, ukrainian: string) => `${english} / ${ukrainian}`
/** In both languages one after the other; amounts as in English. */
const BOTH: Words = {
  invoice: ENGLISH.invoice.map((title, at) => both(title, UKRAINIAN.invoice[at] ?? '')),
  'credit note': both(ENGLISH['credit note'], UKRAINIAN['credit note']),
  correction: both(ENGLISH.correction, UKRAINIAN.correction),
  credits: /^(?:Credit note for \/ Кредит-нота|Correction of \/ Коригування) до (\S+) of/,
  number: both(ENGLISH.number, UKRAINIAN.number),
  period: both(ENGLISH.period, UKRAINIAN.period),
  // the currency may go on in the next line
  amount: /^Amount \/ Сума,(?: (\w+))?$/,
  net: both(ENGLISH.net, UKRAINIAN.net),
  vat: /^VAT \/ ПДВ [\d.]+ %$/,
  total: both(ENGLISH.total, UKRAINIAN.total),
  toPay: {
    invoice: both(ENGLISH.toPay.invoice, UKRAINIAN.toPay.invoice),
    'credit note': both(ENGLISH.toPay['credit note'], UKRAINIAN.toPay['credit note']),
  },
  sum: ENGLISH.sum,
}
const ALL = [ENGLISH, UKRAINIAN, BOTH]
const OFFSET = /^(?:Paid in advance|Сплачено наперед)/

/** Reads it: a label stands once and beside it its amount, and what is to be paid is the total. Throws in words where it is not so. */
export function readPaper(lines: readonly string[][]): PrintedPaper {
  // beside the name of the network, where it is no larger; a long one goes on in the next line
  const says = (text: string) =>
    lines.some((line) => line.some((cell) => cell === text || (cell.includes(' / ') && text.startsWith(`${cell} `))))
  const adds = ALL.some((one) => says(one.correction))
  const isNote = ALL.some((one) => says(one['credit note']))
  const words = ALL.find((one) => (adds ? says(one.correction) : isNote ? says(one['credit note']) : one.invoice.some(says)))
  const signed = (amount: string) => (!adds || /^[0.]+$/.test(amount) ? amount : amount.startsWith('-') ? amount.slice(1) : `-${amount}`)
  if (words === undefined) throw new Error(`no title: ${JSON.stringify(lines.slice(0, 4))}`)
  const what = isNote || adds ? 'credit note' : 'invoice'
  const sum = (label: string | RegExp) => {
    const found = lines.filter(([first = '']) => (typeof label === 'string' ? first === label : label.test(first)))
    if (found.length > 1) throw new Error(`${String(label)} stands ${found.length} times`)
    if (found[0] !== undefined && found[0].length !== 2)
      throw new Error(`beside ${String(label)} stands ${found[0].slice(1).join(' and ')}`)
    return found[0] === undefined ? null : amountIn(words, found[0][1] ?? '')
  }
  const [net, total, due] = [sum(words.net), sum(words.total), sum(words.toPay[isNote ? 'credit note' : 'invoice'])]
  if (net === null || total === null || due === null) throw new Error(`a sum is not printed: ${net} ${total} ${due}`)
  if (due !== total && !lines.some(([first = '']) => OFFSET.test(first))) throw new Error(`${due} to be paid of ${total}`)
  const below = (label: string) => {
    const at = lines.findIndex((line) => line.includes(label))
    return lines[at + 1]?.[lines[at]?.indexOf(label) ?? 0] ?? ''
  }
  const head = lines.findIndex((line) => words.amount.test(line.at(-1) ?? ''))
  const end = lines.findIndex(([first]) => first === words.net)
  const named = words.amount.exec(lines[head]?.at(-1) ?? '')?.[1]
  // what a line of its own holds is the rest of a description
  const rows = lines.slice(head + (named === undefined ? 2 : 1), end).filter((line) => line.length > 1)
  return {
    what,
    number: below(words.number),
    credits: lines.map(([first = '']) => words.credits.exec(first)?.[1]).find(Boolean) ?? null,
    currency: named ?? lines[head + 1]?.at(-1) ?? '',
    supply: daysIn(below(words.period)),
    amounts: rows.map((line) => signed(amountIn(words, line.at(-1) ?? ''))),
    net: signed(net),
    vat: signed(sum(words.vat) ?? '0'),
    total: signed(total),
  }
}

/** `−€1,234.50` or `−1 234,50 €` as `-1234.50`. */
function amountIn({ sum }: Words, text: string): string {
  const [, minus, whole, fraction = ''] = sum.exec(text) ?? []
  if (whole === undefined) throw new Error(`no amount: ${text}`)
  return `${minus === '' ? '' : '-'}${whole.replace(/\D/g, '')}${fraction === '' ? '' : `.${fraction}`}`
}

/** `1 Jul 2026 – 31 Jul 2026` or `01.07.2026 – 31.07.2026` as `2026-07-01 – 2026-07-31`; one day is both. */
function daysIn(text: string): string {
  const [from = '', to = from] = text.split(' – ')
  return `${dayIn(from)} – ${dayIn(to)}`
}

function dayIn(text: string): string {
  const [, day, month, year] = /(\d{2})\.(\d{2})\.(\d{4})$/.exec(text) ?? []
  return day === undefined ? new Date(`${/\d+ \w+ \d{4}$/.exec(text)?.[0]} UTC`).toISOString().slice(0, 10) : `${year}-${month}-${day}`
}
