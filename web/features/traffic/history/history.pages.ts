import type { Pages } from '#web/shell/page.ts'
import type english from './history.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    history: typeof english
  }
}

/** It has no screen: it stands in a dialog of the conversions. */
export const pages: Pages<never> = {}
