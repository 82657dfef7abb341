import type { Pages } from '#web/shell/page.ts'
import type english from './inbox.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    inbox: typeof english
  }
}

/** It stands on the dashboard of staff. */
export const pages: Pages<never> = {}
