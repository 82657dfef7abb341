import { loadLateTexts } from '#web/i18n/language.ts'
import type { Pages } from '#web/shell/page.ts'
import type english from './payment.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    payment: typeof english
  }
}

const loaded = () =>
  Promise.all([import('#web/payment-screens.ts'), ...(['payment', 'document', 'payout'] as const).map(loadLateTexts)]).then(
    ([screens]) => screens,
  )

export const pages: Pages<'settingsPayments' | 'settingsPaymentsOwn'> = {
  settingsPayments: { page: async () => (await loaded()).paymentScreens.staff },
  settingsPaymentsOwn: { page: async () => (await loaded()).paymentScreens.own },
}
