import { SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { recoldApi, type RecoldDetail, type RecoldLive } from '#contract/leads/recold.ts'
import { SKIP_REASONS } from '#contract/leads/recold-plan.ts'
import { query } from '#web/api/query.ts'
import { callReasonWords } from '#web/call-reason.ts'
import { Countdown } from '#web/features/leads/recold/countdown.tsx'
import { recoldBody, valuesOfRecold } from '#web/features/leads/recold/form-values.ts'
import { Preview } from '#web/features/leads/recold/preview.tsx'
import { ProgressBar } from '#web/features/leads/recold/progress-bar.tsx'
import { Projection } from '#web/features/leads/recold/projection.tsx'
import { dateTime, integer, money, UNKNOWN } from '#web/format.ts'
import { Chart } from '#web/kit/chart/chart.tsx'
import { timeLabels } from '#web/kit/chart/series.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Figure } from '#web/kit/show/figure/figure.tsx'
import { Figures } from '#web/kit/show/figure/figures.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import { wordsOf } from '#web/kit/status/status-look.ts'
import { useCan } from '#web/shell/access.ts'

/** How far a distribution is, told live; `children` gets the same answer. */
export function LivePanels({ of, children }: { of: RecoldDetail; children: (live: RecoldLive) => ReactNode }) {
  const { t } = useTranslation('recold')
  const can = useCan()
  const { uuid, projection, status } = of
  const found = useQuery({ ...query(recoldApi.live, { params: { uuid } }, { quiet: true }), refetchInterval: 60_000 })
  return (
    <QueryPage query={found} failed={t('live.failed')}>
      {(live) => (
        <>
          {status === 'draft' && can('cold.write') ? (
            // nothing was sent: what it would do is what Start is decided by
            <Preview of={recoldBody(valuesOfRecold(of))} />
          ) : (
            <>
              <Now of={live} projection={projection} />
              <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
                <Plan of={live} />
                <Stack gap="md" miw={0}>
                  <Skips of={live} />
                  <Errors of={live} />
                </Stack>
              </SimpleGrid>
            </>
          )}
          {children(live)}
        </>
      )}
    </QueryPage>
  )
}

function Now({ of, projection }: { of: RecoldLive; projection: RecoldDetail['projection'] }) {
  const { t } = useTranslation('recold')
  const zone = useZone()
  return (
    <Panel title={t(of.finished_at === null ? 'now' : 'outcome')} text={of.pause_reason === '' ? '' : t(`pause_reason.${of.pause_reason}`)}>
      <Figures width={120}>
        {of.finished_at === null ? (
          <>
            <Figure name={t('next')} value={<Countdown at={of.next_send_at} now={of.now} />} />
            {of.planned_end !== null && (
              <Figure name={t('planned_end')} about={t('planned_end.about')} value={dateTime(of.planned_end, zone, { yearless: true })} />
            )}
          </>
        ) : (
          <Figure name={t('finished_at')} value={<Moment at={of.finished_at} />} />
        )}
        <Figure name={t('last_send_at')} value={<Moment at={of.last_send_at} />} />
        <Figure name={t('accepted')} value={integer(of.counts.accepted)} />
        <Figure name={t('rejected')} value={integer(of.counts.rejected)} />
        <Figure name={t('skipped')} value={integer(of.counts.skipped)} />
        <Figure name={t('conversions')} value={integer(of.conversions)} />
        <Figure name={t('revenue')} value={of.revenue.map(({ amount, currency }) => money(amount, currency)).join(' · ') || UNKNOWN} />
      </Figures>
      <ProgressBar of={of} legend />
      {projection !== null && projection.revenue !== null && (
        <div>
          <Text fz={12.5} c="dimmed" mb={2}>
            {t('projection.said')}
          </Text>
          <Projection of={projection} />
        </div>
      )}
    </Panel>
  )
}

function Plan({ of: { sent, forecast, now } }: { of: RecoldLive }) {
  const { t } = useTranslation('recold')
  const zone = useZone()
  const [planned, fact] = [t('plan.planned'), t('plan.sent')]
  const data = useMemo(() => {
    const hours = [...new Set([...forecast, ...sent].map(({ hour }) => hour))].toSorted()
    const valuesOf = (some: typeof sent) => hours.map((hour) => some.find((one) => one.hour === hour)?.slots ?? 0)
    return {
      ...timeLabels(hours, zone, true),
      series: [
        { id: 'plan', name: planned, values: valuesOf(forecast), earlier: true },
        // of hours to come nothing is known
        { id: 'sent', name: fact, values: valuesOf(sent).map((many, at) => ((hours[at] ?? '') > now ? null : many)) },
      ],
      format: (value: number) => integer(value),
    }
  }, [sent, forecast, now, zone, planned, fact])
  return (
    <Panel title={t('plan')} text={t('plan.text')}>
      {data.labels.length === 0 ? (
        <p className="ohma-soft">{t('plan.none')}</p>
      ) : (
        <Chart kind="line" label={t('plan')} height={240} {...data} />
      )}
    </Panel>
  )
}

function Skips({ of: { skipped } }: { of: RecoldLive }) {
  const { t } = useTranslation('recold')
  const some = SKIP_REASONS.filter((reason) => (skipped[reason] ?? 0) > 0)
  return (
    <Panel title={t('skips')}>
      {some.length === 0 ? (
        <p className="ohma-soft">{t('skips.none')}</p>
      ) : (
        <Figures width={130}>
          {some.map((reason) => (
            <Figure key={reason} name={t(`skip.${reason}`)} value={integer(skipped[reason])} />
          ))}
        </Figures>
      )}
    </Panel>
  )
}

function Errors({ of: { errors } }: { of: RecoldLive }) {
  const { t } = useTranslation('recold')
  if (errors.length === 0) return null
  return (
    <Panel title={t('errors')}>
      <Stack gap={6} component="ul" style={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {errors.map(({ at, product, reason }, index) => (
          <li key={index} style={{ overflowWrap: 'anywhere' }}>
            <span className="ohma-soft">
              <Moment at={at} /> · {product}
            </span>{' '}
            {t(`userSession:reason.${reason}` as 'one', { defaultValue: callReasonWords(reason, wordsOf(t)) || UNKNOWN })}
          </li>
        ))}
      </Stack>
    </Panel>
  )
}
