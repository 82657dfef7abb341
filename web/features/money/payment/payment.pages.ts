import { loadLateTexts } from '#web/i18n/language.ts'
import type { Pages } from '#web/shell/page.ts'
import type english from './payment.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    payment: typeof english
  }
}

const TEXTS = ['payment', 'document', 'payout'] as const

export const pages: Pages<'settingsPayments' | 'settingsPaymentsOwn'> = {
  settingsPayments: {
    page: async () =>
      (await Promise.all([import('#web/payment-settings-screen.tsx'), ...TEXTS.map(loadLateTexts)]))[0].PaymentSettingsScreen,
  },
  settingsPaymentsOwn: {
    page: async () =>
      (await Promise.all([import('#web/own-payment-settings-screen.tsx'), ...TEXTS.map(loadLateTexts)]))[0].OwnPaymentSettingsScreen,
  },
}
