import type { LegalKind } from '#contract/network/legal.ts'
import type { Pages } from '#web/shell/page.ts'
import type english from './legal.en.json'
import type settings from './settings/legal-settings.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    legal: typeof english
    legalSettings: typeof settings
  }
}

const load = async (kind: LegalKind) => (await import('#web/features/network/legal/legal-pages.tsx')).LEGAL_PAGES[kind]

export const pages: Pages<'legalTerms' | 'legalAgreement' | 'legalPrivacy'> = {
  legalTerms: { page: () => load('terms') },
  legalAgreement: { page: () => load('agreement') },
  legalPrivacy: { page: () => load('privacy') },
}
