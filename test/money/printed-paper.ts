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

/** Reads it: a label stands once and beside it its amount, and what is to be paid is the total. Throws in words where it is not so. */
export function readPaper(lines: readonly string[][]): PrintedPaper {
  const says = (text: string) => lines.some(([first]) => first === text)
  const adds = says(ENGLISH.correction) || says(UKRAINIAN.correction)
  const isNote = says(ENGLISH['credit note']) || says(UKRAINIAN['credit note'])
  const words = [ENGLISH, UKRAINIAN].find((one) =>
    adds ? says(one.correction) : isNote ? says(one['credit note']) : one.invoice.some(says),
  )
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
  if (due !== total) throw new Error(`${due} to be paid of ${total}`)
  const below = (label: string) => {
    const at = lines.findIndex((line) => line.includes(label))
    return lines[at + 1]?.[lines[at]?.indexOf(label) ?? 0] ?? ''
  }
  const head = lines.findIndex((line) => words.amount.test(line.at(-1) ?? ''))
  const end = lines.findIndex(([first]) => first === words.net)
  return {
    what,
    number: below(words.number),
    credits: lines.map(([first = '']) => words.credits.exec(first)?.[1]).find(Boolean) ?? null,
    currency: words.amount.exec(lines[head]?.at(-1) ?? '')?.[1] ?? '',
    supply: daysIn(below(words.period)),
    amounts: lines.slice(head + 1, end).map((line) => signed(amountIn(words, line.at(-1) ?? ''))),
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
