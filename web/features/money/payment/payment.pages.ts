import { loadLateTexts } from '#web/i18n/language.ts'
import type { Pages } from '#web/shell/page.ts'
import type english from './payment.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    payment: typeof english
  }
}

export const pages: Pages<'settingsPayments' | 'settingsPaymentsOwn'> = {
  settingsPayments: {
    page: async () =>
      (await Promise.all([import('#web/features/money/payment/payment-settings.tsx'), loadLateTexts('payment')]))[0].PaymentSettings,
  },
  settingsPaymentsOwn: {
    page: async () => (await Promise.all([import('#web/features/money/payment/own-methods.tsx'), loadLateTexts('payment')]))[0].OwnMethods,
  },
}
