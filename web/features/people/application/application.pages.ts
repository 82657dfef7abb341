import type { Pages } from '#web/shell/page.ts'
import type english from './application.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    application: typeof english
  }
}

/** It has no screen of its own: a tab of the affiliate, and a dialog of the list. */
export const pages: Pages<never> = {}
