import type { Pages } from '#web/shell/page.ts'
import type english from './dialect.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    dialect: typeof english
  }
}

/** It has no screen of its own: it stands on the advertiser's page. */
export const pages: Pages<never> = {}
