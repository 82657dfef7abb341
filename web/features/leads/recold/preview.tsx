import { Alert, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { recoldApi, type RecoldPreview } from '#contract/leads/recold.ts'
import { SKIP_REASONS } from '#contract/leads/recold-plan.ts'
import { query } from '#web/api/query.ts'
import type { RecoldBody } from '#web/features/leads/recold/form-values.ts'
import { Projection } from '#web/features/leads/recold/projection.tsx'
import { countryName, dateTime, integer, UNKNOWN } from '#web/format.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { Figure } from '#web/kit/show/figure/figure.tsx'
import { Figures } from '#web/kit/show/figure/figures.tsx'
import { useZone } from '#web/kit/show/zone.tsx'

const PAUSE_MS = 600
const DAYS = ['0', '1', '2', '3', '4', '5', '6'] as const

/** What it would do as it is set up now; asked again once nothing was typed for a moment. */
export function Preview({ of }: { of: RecoldBody }) {
  const { t } = useTranslation('recold')
  const [asked] = useDebouncedValue(JSON.stringify(of), PAUSE_MS)
  const body: RecoldBody = JSON.parse(asked)
  const whole = recoldApi.preview.body.safeParse({ ...body, title: '' }).success
  const { data, error } = useQuery({
    ...query(recoldApi.preview, { body: { ...body, title: '' } }, { quiet: true }),
    enabled: whole,
    placeholderData: keepPreviousData,
  })
  return (
    <Panel title={t('preview')} text={t('preview.text')}>
      {!whole ? (
        <p className="ohma-soft">{t('preview.incomplete')}</p>
      ) : error ? (
        <p className="ohma-soft">{t('preview.failed')}</p>
      ) : data === undefined ? (
        <p className="ohma-soft">{t('preview.loading')}</p>
      ) : (
        <Outcome of={data} />
      )}
    </Panel>
  )
}

function Outcome({ of }: { of: RecoldPreview }) {
  const { t } = useTranslation('recold')
  const zone = useZone()
  const skipped = SKIP_REASONS.filter((reason) => (of.skipped[reason] ?? 0) > 0)
  return (
    <Stack gap="md">
      {of.warnings.map(({ code, people }) => (
        <Alert key={code} color="var(--ohma-waiting)" role="status">
          {t(`warning.${code}`, { number: integer(people) })}
        </Alert>
      ))}
      <Figures width={130}>
        <Figure name={t('preview.matched')} value={integer(of.matched)} />
        <Figure name={t('preview.sendable')} value={integer(of.sendable)} />
        <Figure name={t('preview.left')} value={integer(of.left)} />
        <Figure name={t('preview.finish')} value={of.finish === null ? UNKNOWN : dateTime(of.finish, zone)} />
      </Figures>
      <div>
        <Text fz={12.5} c="dimmed" mb={2}>
          {t('projection')}
        </Text>
        <Projection of={of.projection} />
      </div>
      <Line name={t('skips')} parts={skipped.map((reason) => `${t(`skip.${reason}`)} ${integer(of.skipped[reason])}`)} />
      <Line name={t('preview.geos')} parts={of.geos.map(({ country, people }) => `${countryName(country)} ${integer(people)}`)} />
      <Line name={t('preview.capacity')} parts={DAYS.map((day, at) => `${t(`day.${day}`)} ${integer(of.capacity[at])}`)} />
      <Line name={t('preview.first')} parts={of.first.map(({ at, country }) => `${dateTime(at, zone, { yearless: true })} ${country}`)} />
    </Stack>
  )
}

function Line({ name, parts }: { name: string; parts: readonly string[] }) {
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
      <span className="ohma-soft">{name}: </span>
      {parts.join(' · ') || UNKNOWN}
    </div>
  )
}
