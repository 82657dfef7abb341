import { describe, expect, test } from 'vitest'
import { textOfPdf } from '#test/support/pdf.ts'
import { companySetting } from '#contract/money/document.ts'
import { drawDocument } from './draw.ts'
import { printedAmount, printedText } from './print-text.ts'
import type { Printed } from '#server/rules/printed.ts'
import { vatText } from './vat-text.ts'

const INVOICE: Printed = {
  language: 'en',
  title: 'invoice',
  marks: ['self_billing'],
  number: 'SB-12-2026-3',
  day: '2026-11-21',
  period: { from: '2026-10-01', to: '2026-10-31' },
  due: '2026-12-15',
  credits: null,
  look: { name: 'Ohma', logo: null, colour: '#4361ee' },
  supplier: { name: 'ФОП Шевченко', address: ['вул. Хрещатик, 1', '01001 Київ'], country: 'UA', vatId: '', registration: '3012345678' },
  customer: { name: 'Żółw Media', address: ['ul. Długa 5'], country: 'PL', vatId: 'PL5260250274', registration: '' },
  currency: { code: 'EUR', sign: '€', decimals: 2 },
  groups: [
    { description: 'Summer · Lead', quantity: 1234, price: '3.5', amount: '4319.0000' },
    { description: 'Correction', quantity: null, price: null, amount: '-12.5' },
  ],
  net: '4306.5000',
  vat: { rate: '23.000', amount: '990.5000' },
  total: '5297.0000',
  offset: '97',
  toPay: '5200',
  texts: ['"Reverse charge"'],
  note: 'Дякуємо: € $ ₴ zł',
  paidTo: 'SEPA DE89 ••• 3000',
  chain: '',
  made: new Date('2026-11-21T10:00:00Z'),
}
const read = async (changes: Partial<Printed> = {}) => (await textOfPdf(await drawDocument({ ...INVOICE, ...changes }))).join('\n')

describe('a document as PDF', () => {
  test('says its totals, parties and texts, and the letters of both languages are in it', async () => {
    const text = await read()
    for (const part of ['SB-12-2026-3', '€4,306.50', 'VAT 23 %', '€990.50', '€5,297.00', '−€97.00', '€5,200.00', '4,319.00', '−12.50'])
      expect(text).toContain(part)
    for (const part of ['Self-billing', '1 Oct 2026 – 31 Oct 2026', '15 Dec 2026', 'ФОП Шевченко', 'Żółw Media', 'Poland', 'PL5260250274'])
      expect(text).toContain(part)
    expect(text).toContain('Дякуємо: € $ ₴ zł')
    expect(text).toContain('Page 1 of 1')
  })

  test('speaks Ukrainian, or both languages', async () => {
    const uk = await read({ language: 'uk' })
    for (const part of ['Рахунок', 'Рахунок складено покупцем (Self-billing)', '5 297,00 €', 'До сплати', 'Сторінка 1 з 1', 'Польща'])
      expect(uk).toContain(part)
    const both = await read({ language: 'both', title: 'credit_note', credits: { number: 'SB-12-2026-1', day: '2026-10-01' } })
    for (const part of ['Credit note / Кредит-нота', 'SB-12-2026-1', 'Credited / Скориговано на', 'Poland / Польща'])
      expect(both).toContain(part)
  })

  test('says nothing of VAT or a number where there is none', async () => {
    const text = await read({ title: 'statement', marks: [], number: null, vat: null, offset: '0' })
    expect(text).toContain('Payout statement')
    expect(text).not.toMatch(/SB-12|VAT 2|Paid in advance|Self-billing/)
  })

  test('goes on over pages and counts them', async () => {
    const groups = Array.from({ length: 200 }, (_, at) => ({ description: `Offer ${at} `.repeat(5), quantity: 1, price: '1', amount: '1' }))
    const pages = await textOfPdf(await drawDocument({ ...INVOICE, groups }))
    expect(pages.length).toBeGreaterThan(3)
    expect(pages.at(-1)).toContain(`Page ${pages.length} of ${pages.length}`)
    expect(pages[1]).toContain('Unit price')
  })

  test('prints text of people as text: no markup, no hidden letters, no file and no address is opened', async () => {
    const hostile = '{{x}} <b>bold</b> \u202Etxt.exe file:///etc/passwd http://127.0.0.1/ ' + 'a'.repeat(300)
    const text = await read({ note: hostile, supplier: { ...INVOICE.supplier, name: hostile } })
    expect(text).toContain('<b>bold</b>')
    expect(text).not.toMatch(/\u202E|root:/)
    expect(printedText('a\u202Eb\u0000c')).toBe('abc')
  })
})

test('an amount is printed with the decimals of its currency, and never rounded away', () => {
  expect(printedAmount('1234567.5', { decimals: 2, sign: '' }, 'en')).toBe('1,234,567.50')
  expect(printedAmount('1234567', { decimals: 0, sign: '¥' }, 'en')).toBe('¥1,234,567')
  expect(printedAmount('-0.125', { decimals: 3, sign: 'KD' }, 'uk')).toBe('−0,125\u00a0KD')
  expect(printedAmount('0.0125', { decimals: 2, sign: '', asPrice: true }, 'en')).toBe('0.0125')
  expect(() => printedAmount('0.001', { decimals: 2, sign: '' }, 'en')).toThrow('more decimals')
})

test('what the law quotes stays English, with its meaning before the provision, which is Ukrainian until somebody writes another', () => {
  const company = companySetting.defaults
  const said = (category: 'S' | 'AE' | 'E' | 'O', language: 'en' | 'uk') => vatText(category, { company, exemption: 'ст. 297', language })
  expect(said('AE', 'en')).toEqual(['"Reverse charge". Directive 2006/112/EC, art. 44 and 196'])
  expect(said('AE', 'uk')).toEqual(['"Reverse charge" (податок сплачує покупець). Директива 2006/112/EC, ст. 44 і 196'])
  expect(said('E', 'uk')).toEqual(['"Exempt from VAT" (звільнено від ПДВ): ст. 297'])
  const own = { ...company, outside_text: 'our own words' }
  expect(vatText('O', { company: own, exemption: '', language: 'uk' })).toEqual(['"Not subject to VAT" (не є об’єктом ПДВ): our own words'])
  expect(said('S', 'uk')).toEqual([])
})
