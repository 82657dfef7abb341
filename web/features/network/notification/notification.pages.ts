import type { Pages } from '#web/shell/page.ts'
import type english from './notification.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    notification: typeof english
  }
}

/** It has no screen: it stands in a dialog of the account menu. */
export const pages: Pages<never> = {}
