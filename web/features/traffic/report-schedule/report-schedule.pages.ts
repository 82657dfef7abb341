import type { Pages } from '#web/shell/page.ts'
import type english from './report-schedule.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    reportSchedule: typeof english
  }
}

/** It has no screen: it stands in a dialog of the report. */
export const pages: Pages<never> = {}
