import { USUAL_INTEGRITY, type IntegritySettings } from '#contract/leads/integrity.ts'

/** The checks of an offer with what holds where it says nothing. */
export function settingsOf(kept: Partial<IntegritySettings>): IntegritySettings {
  return { ...USUAL_INTEGRITY, ...kept }
}
