import type english from './receivable.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    receivable: typeof english
  }
}

/** What advertisers owe has no screen of its own: it stands on those of billing and of an advertiser. */
export const pages = {}
