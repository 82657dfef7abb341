import { POSTBACK_REFUSALS } from '#contract/traffic/postback-outcome.ts'
import { fieldText } from '#web/i18n/language.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'

type Code = keyof typeof POSTBACK_REFUSALS

/** Why a row of results was not taken, in the language on the screen: as postbacks are refused, or in a sentence of the import. */
export function useRowReason(): (reason: string) => string {
  const { t } = useTranslation('postbackLog')
  return (reason) => {
    const refusal = refusalIn(reason)
    if (refusal === null) return fieldText(reason)
    return `${t(`reason.${refusal.code}`)}${refusal.detail}`
  }
}

/** The refusal a sentence is, and what it adds in brackets; null = it is another sentence. */
export function refusalIn(reason: string): { code: Code; detail: string } | null {
  for (const [code, { text }] of Object.entries(POSTBACK_REFUSALS) as [Code, { text: string }][])
    // its own keys
    if (reason === text || reason.startsWith(`${text} (`)) return { code, detail: reason.slice(text.length) }
  return null
}
