import type { Pages } from '#web/shell/page.ts'
import type english from './affiliate-cap.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    affiliateCap: typeof english
  }
}

/** It has no screen of its own: a tab of the affiliate. */
export const pages: Pages<never> = {}
