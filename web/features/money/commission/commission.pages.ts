import type english from './commission.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    commission: typeof english
  }
}

/** What managers get is a part of /billing. */
export const pages = {}
