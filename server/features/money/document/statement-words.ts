import type { DocumentLanguage } from '#contract/money/document.ts'
import { inLanguage } from './words.ts'

type Texts = Readonly<Record<string, readonly [english: string, ukrainian: string]>>

/** What a statement says beside what every document does. */
const WORDS = {
  title: ['Account statement', 'Виписка з рахунку'],
  month: ['Month', 'Місяць'],
  zone: ['Time zone', 'Часовий пояс'],
  made: ['Made on', 'Складено'],
  affiliate: ['Partner', 'Партнер'],
  balances: ['Balances and what moved them', 'Залишки та рух коштів'],
  opening: ['At the beginning of the month', 'На початок місяця'],
  closing: ['At the end of the month', 'На кінець місяця'],
  entries: ['Entries', 'Проводки'],
  invoices: ['Invoices of the month', 'Рахунки за місяць'],
  payments: ['Payments of the month', 'Виплати за місяць'],
  nothing: ['Nothing was booked until the end of this month.', 'До кінця цього місяця нічого не проведено.'],
  number: ['Number', 'Номер'],
  day: ['Date', 'Дата'],
  due: ['Due', 'Сплатити до'],
  total: ['Total', 'Усього'],
  amount: ['Amount', 'Сума'],
  external_id: ['Bank reference', 'Номер операції'],
  hash: ['SHA-256 of this statement as JSON', 'SHA-256 цієї виписки у JSON'],
  previous: ['SHA-256 of the statement before', 'SHA-256 попередньої виписки'],
} as const satisfies Texts

const ACCOUNTS: Texts = {
  affiliate_hold: ['On hold', 'У холді'],
  affiliate_available: ['Available', 'Доступно'],
  affiliate_correction: ['Corrections', 'Коригування'],
  affiliate_bonus: ['Bonuses', 'Бонуси'],
  affiliate_referral: ['Referral commission', 'Реферальна комісія'],
  affiliate_invoiced: ['On invoices', 'У рахунках'],
  affiliate_transit: ['On the way', 'У дорозі'],
  affiliate_prepaid: ['Paid in advance', 'Сплачено авансом'],
  affiliate_pending: ['Waits for the advertiser', 'Очікує рекламодавця'],
}

const EVENTS: Texts = {
  payout: ['Payout', 'Виплата'],
  payout_reversal: ['Payout taken back', 'Виплату сторновано'],
  hold_release: ['Released from hold', 'Звільнено з холду'],
  pending: ['Waits for the advertiser', 'Очікує рекламодавця'],
  pending_reversal: ['Waits no more', 'Більше не очікує'],
  invoice_lines: ['Put on an invoice', 'Внесено до рахунка'],
  invoice_freed: ['Freed from an invoice', 'Знято з рахунка'],
  invoice_vat: ['VAT of an invoice', 'ПДВ рахунка'],
  invoice_vat_back: ['VAT taken back', 'ПДВ сторновано'],
  invoice_offset: ['Prepaid used', 'Аванс зараховано'],
  invoice_offset_back: ['Prepaid given back', 'Аванс повернуто'],
  credit_note: ['Credit note', 'Кредит-нота'],
  payment_sent: ['Payment sent', 'Виплату надіслано'],
  payment_settled: ['Payment arrived', 'Виплата надійшла'],
  payment_failed: ['Payment did not arrive', 'Виплата не надійшла'],
  payment_returned: ['Payment came back', 'Виплата повернулася'],
  payment_fee: ['Fee of a payment', 'Комісія за виплату'],
  bonus: ['Bonus', 'Бонус'],
  bonus_void: ['Bonus taken back', 'Бонус скасовано'],
  correction: ['Correction', 'Коригування'],
  correction_void: ['Correction taken back', 'Коригування скасовано'],
  opening: ['Balance brought over', 'Перенесений баланс'],
  opening_void: ['Balance brought over taken back', 'Перенесений баланс скасовано'],
  given_up: ['Debt given up', 'Борг списано'],
  given_up_void: ['Debt stands again', 'Списання боргу скасовано'],
  forfeited: ['Balance forfeited', 'Баланс анульовано'],
  forfeited_void: ['Balance given back', 'Анулювання балансу скасовано'],
  referral: ['Referral commission', 'Реферальна комісія'],
}

/** A word of a statement in the language of documents. */
export function statementWord(word: keyof typeof WORDS, language: DocumentLanguage): string {
  return inLanguage(WORDS[word], language)
}

/** What an account of an affiliate is called on a statement. */
export function accountName(kind: string, language: DocumentLanguage): string {
  return inLanguage(ACCOUNTS[kind] ?? [kind, kind], language)
}

/** What moved it. What has no words yet is called as the books call it. */
export function eventName(kind: string, language: DocumentLanguage): string {
  return inLanguage(EVENTS[kind] ?? [kind, kind], language)
}
