import type { z } from 'zod'
import type { lineChange } from '#contract/money/line-change.ts'
import { reasonOf } from '#web/conversion-words.ts'
import { UNKNOWN } from '#web/format.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Moment } from '#web/kit/show/moment.tsx'

type Change = z.output<typeof lineChange> | null

/** Why the conversion of a line has become something else, by whom or what, and when. */
export function ChangeCause({ change }: { change: Change }) {
  const { t } = useTranslation('conversion')
  if (change === null) return UNKNOWN
  const { reason, by, origin, at } = change
  return (
    <>
      {reason !== '' && <>{reasonOf(t, reason)} · </>}
      {by === '' ? t(`origin.${origin}`) : by} · <Moment at={at} />
    </>
  )
}

/** The same as text of a file. */
export function changeText(change: Change): string | undefined {
  return change === null ? undefined : [change.reason, change.by || change.origin, change.at].filter((part) => part !== '').join(', ')
}
