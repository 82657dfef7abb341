import { Group, Stack } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { ApiOfferDetail } from '#contract/leads/api-offer.ts'
import type { LeadSimulation } from '#contract/leads/lead-simulation.ts'
import { dateTime, money } from '#web/format.ts'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import { Why } from './lead-why.tsx'
import classes from './lead.module.css'

const TONES = { first: 'good', next: 'info', never: 'muted', passed_over: 'bad' } as const

type ResultProps = { of: LeadSimulation; offer: Pick<ApiOfferDetail, 'currency' | 'goals'> }

/** Who would be asked, in their order, and what each would bring. */
export function SimulationResult({ of: { refused, members, kept_until }, offer: { currency, goals } }: ResultProps) {
  const titles = new Map(goals.map(({ code, title }) => [code, title]))
  const { t } = useTranslation('offer')
  const clock = useZone()
  const sold = members.some(({ turn }) => turn === 'first')
  const outcome = refused !== null ? 'refused' : sold ? 'asked' : kept_until !== null ? 'kept' : 'unsold'
  return (
    <Stack gap="sm" aria-live="polite">
      <Group gap="6px 12px">
        <StatusBadge tone={outcome === 'asked' ? 'good' : outcome === 'kept' ? 'waiting' : 'bad'} label={t(`lead.outcome.${outcome}`)} />
        {refused !== null && <span>{t(`lead.refused.${refused}`)}</span>}
        {outcome === 'kept' && kept_until !== null && <span>{t('lead.keptUntil', { until: dateTime(kept_until, clock) })}</span>}
      </Group>
      {refused !== null && members.length > 0 && <p className="ohma-soft">{t('lead.wouldBe')}</p>}
      {members.length === 0 && <p className="ohma-soft">{t('lead.noProducts')}</p>}
      <ol className={classes.steps} aria-label={t('lead.order')}>
        {members.map((member, index) => (
          <li key={member.uuid}>
            <strong>
              {index + 1}. {member.product.name}
            </strong>
            <span className="ohma-soft">
              {member.advertiser.name} · {t('lead.group', { number: member.group })}
            </span>
            <StatusBadge tone={TONES[member.turn]} label={t(`lead.turn.${member.turn}`)} />
            <span className={`ohma-soft ${classes.why}`}>
              <Why of={member} />
              {member.check === null &&
                member.prices
                  .map((row) =>
                    row.payout === null
                      ? t('lead.brings', { goal: titles.get(row.goal) ?? row.goal, price: money(row.price, currency) })
                      : t('lead.bringsAndPays', {
                          goal: titles.get(row.goal) ?? row.goal,
                          price: money(row.price, currency),
                          payout: money(row.payout, currency),
                        }),
                  )
                  .join(' · ')}
            </span>
          </li>
        ))}
      </ol>
    </Stack>
  )
}
