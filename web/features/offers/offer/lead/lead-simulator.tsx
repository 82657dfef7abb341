import { Button, Group, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { apiOfferApi, type ApiOfferDetail, type LeadSimulation } from '#contract/leads/api-offer.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { useSave } from '#web/api/query.ts'
import { dateTime, integer, money } from '#web/format.ts'
import { CountryField } from '#web/kit/fields/country-field.tsx'
import { MomentField } from '#web/kit/fields/day/moment-field.tsx'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import { PageColumns } from '#web/kit/page/page-columns.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import { momentAt } from '#web/zone-time.ts'
import classes from './lead.module.css'

type Question = { affiliate_uuid: string | null; geo: string | null; sub1: string; at: string | null }

/** Who would be asked to take a lead, and who is passed over and why. Nothing is stored or sent. */
export function LeadSimulator({ offer }: { offer: ApiOfferDetail }) {
  const { t } = useTranslation('offer')
  const { t: word } = useTranslation('dimension')
  const form = useForm<Question>({ mode: 'controlled', initialValues: { affiliate_uuid: null, geo: null, sub1: '', at: null } })
  const simulate = useSave(apiOfferApi.simulate)
  const labels = useRef(new Map<string, string>())
  const { affiliate_uuid: affiliate, geo, sub1, at } = form.values
  const asked = affiliate !== null && geo !== null
  const ask = () => {
    if (!asked) return
    simulate.mutate({
      params: { uuid: offer.uuid },
      body: { affiliate_uuid: affiliate, geo, sub1: sub1.trim(), ...(at !== null && { at: momentAt(at, offer.time_zone) }) },
    })
  }
  // a question is not an edit: the fields of the kit without the guard against losing it
  const of: SaveForm<Question> = {
    id: 'lead-simulator',
    form,
    values: form.values,
    submit: (event) => {
      event?.preventDefault()
      ask()
    },
    discard: () => form.reset(),
    saving: simulate.isPending,
    dirty: false,
    reload: undefined,
    problems: [],
    labels: labels.current,
  }
  return (
    <PageColumns first="form">
      <Panel title={t('lead.simulator')} text={t('lead.simulatorText')}>
        <form aria-label={t('lead.simulator')} onSubmit={of.submit}>
          <Stack gap={14}>
            <ReferenceField of={of} name="affiliate_uuid" label={t('affiliate')} endpoint={affiliateApi.list} required />
            <CountryField of={of} name="geo" label={word('geo')} required />
            <TextField of={of} name="sub1" label="sub1" />
            <MomentField
              of={of}
              name="at"
              label={t('simulator.at')}
              placeholder={t('simulator.now')}
              help={t('capZone', { zone: offer.time_zone.replaceAll('_', ' ') })}
            />
            <Button type="submit" disabled={!asked} loading={simulate.isPending} leftSection={<IconPlayerPlay size={16} aria-hidden />}>
              {t('simulator.run')}
            </Button>
          </Stack>
        </form>
      </Panel>
      <Panel title={t('simulator.result')}>
        {simulate.data ? <SimulationResult of={simulate.data} offer={offer} /> : <p className="ohma-soft">{t('lead.simulatorWaiting')}</p>}
      </Panel>
    </PageColumns>
  )
}

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

/** Why one is passed over, with the figures of that moment. */
export function Why({ of: { check, detail } }: { of: Pick<LeadSimulation['members'][number], 'check' | 'detail'> }) {
  const { t } = useTranslation('offer')
  const { t: cap } = useTranslation('cap')
  const clock = useZone()
  if (check === null) return null
  if (check === 'state') return t(`lead.state.${(detail['state'] ?? 'paused') as 'paused'}`) // one of the states of a member
  if (check === 'hours') {
    const opens = detail['opens_at']
    return opens === undefined
      ? t('lead.why.hoursNever')
      : t('lead.why.hours', { opens: dateTime(opens, clock), zone: detail['zone'] ?? '' })
  }
  if (check === 'cap') {
    const [period = 'day', zone = ''] = (detail['name'] ?? '').split(' ')
    return t('lead.why.cap', {
      period: cap(`period.${period as 'day'}`), // one of the periods of a cap
      used: integer(detail['used'] ?? '0'),
      limit: integer(detail['limit'] ?? '0'),
      zone,
    })
  }
  return t(`lead.why.${check}` as 'lead.why.geo', { country: '', ...detail }) // the others name nothing
}
