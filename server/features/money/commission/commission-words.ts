import type { DocumentLanguage } from '#contract/money/document.ts'
import { inLanguage } from '#server/features/money/document/words.ts'

const WORDS = {
  title: ['Commission statement', 'Виписка про винагороду'],
  manager: ['Manager', 'Менеджер'],
  terms: ['Commission', 'Винагорода'],
  of_profit: ['of profit', 'від прибутку'],
  of_payout: ['of payout', 'від виплат'],
  zone: ['Time zone', 'Часовий пояс'],
  made: ['Made on', 'Складено'],
  account: ['Account at the end of the month', 'Акаунт на кінець місяця'],
  affiliate: ['Affiliate', 'Партнер'],
  advertiser: ['Advertiser', 'Рекламодавець'],
  revenue: ['Revenue', 'Дохід'],
  payout: ['Payout', 'Виплати'],
  costs: ['Other costs', 'Інші витрати'],
  base: ['Base', 'База'],
  total: ['Sum of the base', 'Разом база'],
  commission: ['Commission', 'Винагорода'],
  below_zero: [
    'The base is below zero: nothing is due, and nothing is carried over.',
    'База від’ємна: винагороди немає, і борг не переноситься.',
  ],
  changes: ['Given to somebody else within the month', 'Передано протягом місяця'],
  nobody: ['nobody', 'ніхто'],
  hash: ['SHA-256 of this statement as JSON', 'SHA-256 цієї виписки у JSON'],
} as const satisfies Record<string, readonly [english: string, ukrainian: string]>

/** A word of a statement of commission in the language of documents. */
export function commissionWord(word: keyof typeof WORDS, language: DocumentLanguage): string {
  return inLanguage(WORDS[word], language)
}
