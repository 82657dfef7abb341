import type english from './payout.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    payout: typeof english
  }
}

/** Payout files stand on the screen of billing (`web/billing-screen.tsx`), and where they leave from in the settings of payments. */
export const pages = {}
