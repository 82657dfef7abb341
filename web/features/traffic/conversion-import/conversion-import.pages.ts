import type { Pages } from '#web/shell/page.ts'
import type english from './conversion-import.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    conversionImport: typeof english
  }
}

/** It has no screen of its own: a drawer over the list of conversions. */
export const pages: Pages<never> = {}
