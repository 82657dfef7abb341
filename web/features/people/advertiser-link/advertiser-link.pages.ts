import type { Pages } from '#web/shell/page.ts'
import type english from './advertiser-link.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    advertiserLink: typeof english
  }
}

/** It has no screen of its own: a tab of the advertiser. */
export const pages: Pages<never> = {}
