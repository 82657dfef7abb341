import type english from './request.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    request: typeof english
  }
}

/** Requests, runs and statements have no screen of their own: they are parts of /billing and /payments. */
export const pages = {}
