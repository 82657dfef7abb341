import { Skeleton } from '@mantine/core'
import { IconUsersPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { referralApi } from '#contract/people/referral.ts'
import { query } from '#web/api/query.ts'
import { EmptyState } from '#web/kit/feedback/empty-state.tsx'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { Pager } from '#web/kit/list/pager.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { Country } from '#web/kit/show/country.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { monthName } from '#web/month-name.ts'
import classes from './referral.module.css'

const PAGE = 50
const TONES = { waiting: 'waiting', active: 'good', ended: 'muted' } as const

/** Who signed up by the own link: enough to know them again, and no more. */
export function BroughtList() {
  const { t } = useTranslation('referral')
  const [page, setPage] = useState(1)
  const found = useQuery({ ...query(referralApi.brought, { body: { count: PAGE, page } }), placeholderData: keepPreviousData })
  const { data } = found
  return (
    <Panel title={t('brought.title')}>
      {data === undefined && found.isError && <ErrorState what={t('failed')} error={found.error} onRetry={() => void found.refetch()} />}
      {data === undefined && !found.isError && <Skeleton height={120} />}
      {data !== undefined && data.summary.rows === 0 && (
        <EmptyState
          icon={<IconUsersPlus size={26} stroke={1.6} aria-hidden />}
          title={t('brought.empty.title')}
          text={t('brought.empty.text')}
        />
      )}
      {data !== undefined && data.summary.rows > 0 && (
        <>
          <p className="ohma-soft">{t('brought.text')}</p>
          <ul className={classes.list}>
            {data.list.map(({ letter, country, month, state, percent, until, paid, earned }, place) => (
              // a row has nothing that tells it from others: the server keeps that to itself
              <li key={place} className={classes.row}>
                <span className={classes.who}>
                  <b>{letter}.</b> {country !== null && <Country code={country} />}
                </span>
                <span className={classes.who}>
                  {paid !== 'yes' && <StatusBadge tone={paid === 'no' ? 'bad' : 'waiting'} label={t(`paid.${paid}`)} />}
                  <StatusBadge tone={TONES[state]} label={t(`state.${state}`)} />
                </span>
                <span className={classes.terms}>
                  {monthName(month)} · {t('brought.terms', { percent: Number(percent), until: monthName(until) })}
                  {earned.map(({ currency, amount }) => (
                    <span key={currency}>
                      {' · '}
                      {t('brought.earned')} <Money amount={amount} currency={currency} />
                    </span>
                  ))}
                </span>
              </li>
            ))}
          </ul>
          {data.summary.rows > PAGE && <Pager page={page} count={PAGE} rows={data.summary.rows} onPage={setPage} />}
        </>
      )}
    </Panel>
  )
}
