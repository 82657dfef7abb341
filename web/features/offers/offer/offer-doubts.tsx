import { Stack } from '@mantine/core'
import type { Say } from '#web/i18n/use-translation.ts'
import { ACTIVATION_WARNINGS, type ActivationWarning } from '#contract/offers/offer-fields.ts'
import { CallError } from '#web/api/call-error.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'

/** What a refused call wants to have confirmed of an offer; nothing where it was refused for anything else. */
export function doubtsIn(error: unknown): ActivationWarning[] {
  return error instanceof CallError ? ACTIVATION_WARNINGS.filter((one) => one in error.fields) : []
}

/** Asks whether an offer, or several, by their names, are meant so. */
export function confirmDoubts(
  t: Say<'offer'>,
  doubts: readonly ActivationWarning[],
  to: 'activate' | 'save',
  name: string,
): Promise<boolean> {
  const text = (
    <Stack gap={8}>
      {doubts.map((one) => (
        <p key={one}>{t(`doubt.${one}`)}</p>
      ))}
    </Stack>
  )
  return confirm({ title: t(`doubt.${to}.title`, { name }), text, action: t(`doubt.${to}.action`), danger: true })
}
