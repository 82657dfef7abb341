import type { Pages } from '#web/shell/page.ts'
import type english from './import.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    import: typeof english
  }
}

/** It has no screen of its own: a drawer over the lists of affiliates and of advertisers. */
export const pages: Pages<never> = {}
