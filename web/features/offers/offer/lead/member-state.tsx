import { useTranslation } from '#web/i18n/use-translation.ts'
import type { ApiOfferMember } from '#contract/leads/api-offer.ts'
import { dateTime } from '#web/format.ts'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { useZone } from '#web/kit/show/zone.tsx'

/** Until somebody does something, no lead comes in by the clock. */
const WRONG: ReadonlySet<ApiOfferMember['hindered']> = new Set(['credit_blocked', 'blocked'])

/** Whether a member takes leads now; if not, why, and until when where that is known. */
export function MemberState({ of: { hindered, hindered_until: until } }: { of: Pick<ApiOfferMember, 'hindered' | 'hindered_until'> }) {
  const { t } = useTranslation('offer')
  const zone = useZone()
  const timed = hindered === 'closed' || hindered === 'full' || hindered === 'resting'
  const label =
    timed && until !== null
      ? t(`lead.hinderedUntil.${hindered}`, { until: dateTime(until, zone, { yearless: true }) })
      : t(`lead.hindered.${hindered ?? 'none'}`)
  return <StatusBadge tone={hindered === null ? 'good' : WRONG.has(hindered) ? 'bad' : 'waiting'} label={label} />
}
