import { useTranslation } from '#web/i18n/use-translation.ts'
import type { LeadSimulation } from '#contract/leads/lead-simulation.ts'
import { dateTime, integer } from '#web/format.ts'
import { useZone } from '#web/kit/show/zone.tsx'

/** Why one is passed over, with the figures of that moment. */
export function Why({ of: { check, detail } }: { of: Pick<LeadSimulation['members'][number], 'check' | 'detail'> }) {
  const { t } = useTranslation('offer')
  const { t: cap } = useTranslation('cap')
  const clock = useZone()
  if (check === null) return null
  // of the product itself, whichever offer
  const own = detail['of'] === 'product'
  if (check === 'state') return t(`lead.state.${(detail['state'] ?? 'paused') as 'paused'}`) // one of the states of a member
  if (check === 'hours') {
    const opens = detail['opens_at']
    if (opens === undefined) return t(own ? 'lead.why.hoursOwnNever' : 'lead.why.hoursNever')
    return t(own ? 'lead.why.hoursOwn' : 'lead.why.hours', { opens: dateTime(opens, clock), zone: detail['zone'] ?? '' })
  }
  if (check === 'cap') {
    const [period = 'day', zone = ''] = (detail['name'] ?? '').split(' ')
    return t(own ? 'lead.why.capOwn' : 'lead.why.cap', {
      period: cap(`period.${period as 'day'}`), // one of the periods of a cap
      used: integer(detail['used'] ?? '0'),
      limit: integer(detail['limit'] ?? '0'),
      zone,
    })
  }
  return t(`lead.why.${check}` as 'lead.why.geo', { country: '', ...detail }) // the others name nothing
}
