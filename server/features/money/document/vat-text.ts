import { companySetting, type Company, type DocumentLanguage } from '#contract/money/document.ts'
import { inLanguage } from './words.ts'

const { reverse_charge_text, outside_text } = companySetting.defaults
/** What the texts of the settings are in Ukrainian as long as nobody has written others. */
const UKRAINIAN = new Map([
  [reverse_charge_text, 'Директива 2006/112/EC, ст. 44 і 196'],
  [outside_text, 'місце постачання послуг за кордоном (Директива 2006/112/EC, ст. 44)'],
])

/**
 * What a document must say of VAT (money.md 6). The words a law quotes stay English in every language; `exemption` is the provision that
 * exempts the supplier.
 */
export function vatText(
  category: 'S' | 'AE' | 'E' | 'O',
  { company, exemption, language }: { company: Company; exemption: string; language: DocumentLanguage },
): string[] {
  const known = (text: string) => (language === 'uk' ? (UKRAINIAN.get(text) ?? text) : text)
  // what was quoted, in Ukrainian what it means, and the provision after the sign that leads to it
  const quoted = (english: string, ukrainian: string, sign: '.' | ':', provision: string) => [
    [`"${english}"${language === 'en' ? '' : ` (${ukrainian})`}${sign}`, provision].filter(Boolean).join(' '),
  ]
  if (category === 'AE') return quoted('Reverse charge', 'податок сплачує покупець', '.', known(company.reverse_charge_text))
  if (category === 'E') return quoted('Exempt from VAT', 'звільнено від ПДВ', ':', exemption)
  if (category === 'O') return quoted('Not subject to VAT', 'не є об’єктом ПДВ', ':', exemption || known(company.outside_text))
  return []
}

/** How long whoever gets the document may object to it, and that silence accepts it (directive 2006/112/EC, art. 224). */
export function objectionText(days: number, language: DocumentLanguage): string {
  const ukrainian = new Intl.PluralRules('uk').select(days) === 'one' ? 'дня' : 'днів'
  return inLanguage(
    [
      `You may object to this document within ${days} ${days === 1 ? 'day' : 'days'} of receiving it; without an objection it counts as accepted.`,
      `Ви можете заперечити проти цього документа протягом ${days} ${ukrainian} після отримання; без заперечень він вважається прийнятим.`,
    ],
    language,
  )
}
