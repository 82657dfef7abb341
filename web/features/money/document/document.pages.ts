import type english from './document.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    document: typeof english
  }
}

/** The company stands in the settings of payments, VAT data of affiliates on their pages and in theirs. */
export const pages = {}
