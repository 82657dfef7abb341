import { loadLateTexts } from '#web/i18n/language.ts'

/** The texts of the log, and those in which it finds words for what tickets and news hold. */
export async function loadAuditTexts(): Promise<void> {
  await Promise.all([loadLateTexts('audit'), loadLateTexts('ticket'), loadLateTexts('news')])
}
