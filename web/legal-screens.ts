import type { LegalKind } from '#contract/network/legal.ts'
import type { ScreenId } from '#contract/screens.ts'

/** Where guests read each text. */
export const LEGAL_SCREENS = { terms: 'legalTerms', agreement: 'legalAgreement', privacy: 'legalPrivacy' } as const satisfies Record<
  LegalKind,
  ScreenId
>
