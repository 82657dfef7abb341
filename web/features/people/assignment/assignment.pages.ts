import type { Pages } from '#web/shell/page.ts'
import type english from './assignment.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    assignment: typeof english
  }
}

/** It has no screen of its own: a step of the lists of affiliates and of advertisers. */
export const pages: Pages<never> = {}
