import { Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { signInApi } from '#contract/people/sign-in.ts'
import { query } from '#web/api/query.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { Pager } from '#web/kit/list/pager.tsx'
import { Country } from '#web/kit/show/country.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { deviceName } from '#web/shell/layout/device-name.ts'
import style from './security.module.css'

const PAGE = 20

/** Who signed in, and who tried to: of oneself, or of the person named. */
export function SignInList({ of }: { of?: string }) {
  const { t } = useTranslation('security')
  const [page, setPage] = useState(1)
  const body = { count: PAGE, page }
  const own = useQuery({ ...query(signInApi.own, { body }), enabled: of === undefined })
  const other = useQuery({ ...query(signInApi.of, { params: { uuid: of ?? '' }, body }), enabled: of !== undefined })
  const { data, error, refetch } = of === undefined ? own : other
  if (error) return <ErrorState what={t('history.failed')} error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={120} />
  if (data.list.length === 0) return <Text c="dimmed">{t('history.none')}</Text>
  return (
    <Stack gap="sm">
      <ul className={style.list} aria-label={t('history.title')}>
        {data.list.map(({ at, outcome, way, device, address, country, city, new_device }, index) => (
          // nothing else tells two tries of one moment apart
          <li key={`${at} ${index}`}>
            <div className={style.what}>
              <div className={style.name}>
                <span title={device}>{deviceName(device) || t('history.unknownDevice')}</span>
                {new_device && <StatusBadge tone="info" label={t('history.newDevice')} />}
              </div>
              <div className={style.soft}>
                {address}
                {city !== '' && ` · ${city}`}
                {country !== '' && (
                  <>
                    {' · '}
                    <Country code={country} />
                  </>
                )}
              </div>
            </div>
            <div className={style.when}>
              <StatusBadge tone={outcome === 'in' ? 'good' : 'bad'} label={outcome === 'in' ? t(`way.${way}`) : t(`outcome.${outcome}`)} />
              <div className={style.soft}>
                <Moment at={at} />
              </div>
            </div>
          </li>
        ))}
      </ul>
      {data.summary.rows > PAGE && <Pager page={page} count={PAGE} rows={data.summary.rows} onPage={setPage} />}
      <Text fz={13} c="dimmed">
        {t('history.about')}
      </Text>
    </Stack>
  )
}
