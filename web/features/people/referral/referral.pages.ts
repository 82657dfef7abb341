import { loadLateTexts } from '#web/i18n/language.ts'
import type { Pages } from '#web/shell/page.ts'
import type english from './referral.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    referral: typeof english
  }
}

export const pages: Pages<'settingsReferrals' | 'settingsReferralsOwn'> = {
  settingsReferrals: {
    page: async () =>
      (await Promise.all([import('#web/features/people/referral/referral-settings.tsx'), loadLateTexts('referral')]))[0].ReferralSettings,
  },
  settingsReferralsOwn: {
    page: async () =>
      (await Promise.all([import('#web/features/people/referral/own-referrals.tsx'), loadLateTexts('referral')]))[0].OwnReferrals,
  },
}
