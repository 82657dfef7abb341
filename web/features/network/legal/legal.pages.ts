import type { LegalKind } from '#contract/network/legal.ts'
import { withinChunkTimeout } from '#web/chunk.ts'
import { loadPanelTexts } from '#web/i18n/language.ts'
import type { Pages } from '#web/shell/page.ts'
import type english from './legal.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    legal: typeof english
  }
}

const load = async (kind: LegalKind) =>
  (await withinChunkTimeout(() => Promise.all([import('#web/features/network/legal/legal-pages.tsx'), loadPanelTexts()])))[0].LEGAL_PAGES[
    kind
  ]

export const pages: Pages<'legalTerms' | 'legalAgreement' | 'legalPrivacy'> = {
  legalTerms: { page: () => load('terms') },
  legalAgreement: { page: () => load('agreement') },
  legalPrivacy: { page: () => load('privacy') },
}
