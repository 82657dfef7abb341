import { Alert, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { recoldApi, type RecoldPreview } from '#contract/leads/recold.ts'
import { SKIP_REASONS } from '#contract/leads/recold-plan.ts'
import { query } from '#web/api/query.ts'
import type { RecoldBody } from '#web/features/leads/recold/form-values.ts'
import { Projection } from '#web/features/leads/recold/projection.tsx'
import { countryName, date, dateTime, integer, UNKNOWN } from '#web/format.ts'
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
  const passedOver = skipped.reduce((sum, reason) => sum + (of.skipped[reason] ?? 0), 0)
  return (
    <Stack gap="md">
      {of.warnings.map(({ code, people }) => (
        <Alert key={code} color="var(--ohma-waiting)" role="status">
          {t(`warning.${code}`, { number: integer(people) })}
        </Alert>
      ))}
      <Figures width={120}>
        <Figure name={t('preview.matched')} value={integer(of.matched)} />
        <Figure name={t('preview.sendable')} value={integer(of.sendable)} />
        <Figure name={t('skipped')} value={integer(passedOver)} />
        <Figure name={t('preview.left')} value={integer(of.left)} />
        <Figure name={t('preview.finish')} value={of.finish === null ? UNKNOWN : dateTime(of.finish, zone)} />
      </Figures>
      {skipped.length > 0 && (
        <Part name={t('skips')}>
          <Pairs of={skipped.map((reason) => [t(`skip.${reason}`), of.skipped[reason] ?? 0])} />
        </Part>
      )}
      <Part name={t('projection')}>
        <Projection of={of.projection} />
      </Part>
      {of.geos.length > 0 && (
        <Part name={t('preview.geos')}>
          <Pairs of={of.geos.map(({ country, people }) => [countryName(country), people])} />
        </Part>
      )}
      <Part name={t('preview.capacity')}>
        <Pairs narrow of={DAYS.map((day, at) => [t(`day.${day}`), of.capacity[at] ?? 0])} />
      </Part>
      {of.first.length > 0 && (
        <Part name={t('preview.first')}>
          <Slots of={of.first} zone={zone} />
        </Part>
      )}
    </Stack>
  )
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text fz={12.5} c="dimmed" mb={4}>
        {name}
      </Text>
      {children}
    </div>
  )
}

/** Names with their numbers beside them, as many in a row as fit. */
function Pairs({ of, narrow = false }: { of: readonly (readonly [string, number])[]; narrow?: boolean }) {
  return (
    <div style={{ display: 'grid', gridTemplateColumns: `repeat(auto-fill, minmax(${narrow ? 90 : 180}px, 1fr))`, gap: '4px 24px' }}>
      {of.map(([name, number]) => (
        <div
          key={name}
          style={{ display: 'flex', justifyContent: 'space-between', gap: 8, borderBottom: '1px solid var(--ohma-line)', paddingBottom: 3 }}
        >
          <span>{name}</span> <span className="ohma-number">{integer(number)}</span>
        </div>
      ))}
    </div>
  )
}

/** When the first are sent, each day once. */
function Slots({ of, zone }: { of: RecoldPreview['first']; zone: string }) {
  const days = new Map<string, { time: string; country: string }[]>()
  for (const { at, country } of of) {
    const on = date(at, zone, { yearless: true })
    days.set(on, [...(days.get(on) ?? []), { time: dateTime(at, zone).slice(-'00:00'.length), country }])
  }
  return (
    <Stack gap={6}>
      {[...days].map(([on, slots]) => (
        <div key={on} style={{ display: 'flex', flexWrap: 'wrap', gap: '2px 14px' }} className="ohma-number">
          <strong style={{ fontWeight: 600 }}>{on}</strong>
          {slots.map(({ time, country }, index) => (
            <span key={index} style={{ whiteSpace: 'nowrap' }}>
              {time} <span className="ohma-soft">{country}</span>
            </span>
          ))}
        </div>
      ))}
    </Stack>
  )
}
