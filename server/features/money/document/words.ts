import type { DocumentLanguage } from '#contract/money/document.ts'

/** What documents say in each language; where a law quotes words, they stay English in both. */
const WORDS = {
  invoice: ['Invoice', 'Рахунок'],
  statement: ['Payout statement', 'Виписка про виплату'],
  credit_note: ['Credit note', 'Кредит-нота'],
  self_billing: ['Self-billing', 'Рахунок складено покупцем (Self-billing)'],
  copy: ['Copy', 'Копія'],
  draft: ['Draft: not issued yet', 'Чернетка: ще не виставлено'],
  correction_note: ['Correction invoice', 'Коригувальний рахунок'],
  credits: ['Credit note for', 'Кредит-нота до'],
  corrects: ['Correction of', 'Коригування до'],
  of_day: ['of', 'від'],
  number: ['Number', 'Номер'],
  day: ['Date', 'Дата'],
  period: ['Period of supply', 'Період надання послуг'],
  until: ['until', 'до'],
  due: ['Due', 'Сплатити до'],
  supplier: ['Supplier', 'Постачальник'],
  customer: ['Customer', 'Покупець'],
  vat_id: ['VAT ID', 'Податковий номер ПДВ'],
  registration: ['Registration no.', 'Реєстраційний номер'],
  description: ['Description', 'Опис'],
  quantity: ['Quantity', 'Кількість'],
  price: ['Unit price', 'Ціна'],
  amount: ['Amount', 'Сума'],
  net: ['Net', 'Разом без ПДВ'],
  vat: ['VAT', 'ПДВ'],
  vat_in: ['VAT in', 'ПДВ у валюті'],
  rate_of: ['Exchange rate of', 'Курс на'],
  official: ['Official number', 'Офіційний номер'],
  total: ['Total', 'Усього'],
  offset: ['Paid in advance', 'Сплачено наперед'],
  to_pay: ['To pay', 'До сплати'],
  to_credit: ['Credited', 'Скориговано на'],
  pay_to: ['Payment details', 'Реквізити для сплати'],
  paid_to: ['Paid to', 'Сплачується на'],
  chain: ['Head of the chain of conversions', 'Голова ланцюжка конверсій'],
  bonus: ['Bonus', 'Бонус'],
  correction: ['Correction', 'Коригування'],
  corrected: ['Correction of', 'Коригування до'],
  discount: ['Discount', 'Знижка'],
  minimum: ['Minimum', 'Мінімальна сума'],
  fee: ['Fee', 'Додаткова плата'],
  referral: ['Commission for referrals', 'Винагорода за рефералів'],
  others: ['Others', 'Інші'],
  note: ['Note', 'Примітка'],
} as const satisfies Record<string, readonly [english: string, ukrainian: string]>
export type Word = keyof typeof WORDS

/** A word in the language of a document; in both, one after the other. */
export function said(word: Word, language: DocumentLanguage): string {
  return inLanguage(WORDS[word], language)
}

/** An English and a Ukrainian text as a document says them. */
export function inLanguage([english, ukrainian]: readonly [string, string], language: DocumentLanguage): string {
  if (language === 'en' || english === ukrainian) return english
  return language === 'uk' ? ukrainian : `${english} / ${ukrainian}`
}

/** Which page of how many. */
export function pageOf(page: number, pages: number, language: DocumentLanguage): string {
  return inLanguage([`Page ${page} of ${pages}`, `Сторінка ${page} з ${pages}`], language)
}
