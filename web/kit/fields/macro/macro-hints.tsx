import { Input } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { MacroHint } from '#web/kit/fields/macro/forgotten.ts'

/** What may be a mistake in a text with macros, below its field. */
export function MacroHints({ hints }: { hints: readonly MacroHint[] }) {
  const { t } = useTranslation('kit')
  return hints.map((hint) => (
    <Input.Description key={hint.code} c="var(--ohma-waiting)" mt={4}>
      {t(`macro.hint.${hint.code}`, { text: hint.text })}
    </Input.Description>
  ))
}
