import { useTranslation } from '#web/i18n/use-translation.ts'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { wordsOf, type StatusLook } from '#web/kit/status/status-look.ts'

/** Where a thing stands, by its declared states. */
export function Status<Value extends string>({ of, value }: { of: StatusLook<Value, string>; value: Value }) {
  const { t } = useTranslation(of.texts)
  return <StatusBadge tone={of.tones[value]} label={wordsOf(t)(`${of.field}.${value}`)} />
}
