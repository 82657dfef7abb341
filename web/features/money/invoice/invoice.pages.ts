import type english from './invoice.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    invoice: typeof english
  }
}

/** The screens of money stand in `web/money-screens.ts`: several features show themselves on them. */
export const pages = {}
