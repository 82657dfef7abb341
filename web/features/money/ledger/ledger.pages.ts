import type english from './ledger.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    ledger: typeof english
  }
}

/** The ledger has no screen of its own: it stands on those of others. */
export const pages = {}
