import { SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { dashboardApi } from '#contract/network/dashboard.ts'
import type { MetricId } from '#contract/traffic/metric.ts'
import { query } from '#web/api/query.ts'
import { DashboardMissing, useDashboardCurrency } from '#web/dashboard-currency.tsx'
import { FirstStepsCard } from '#web/features/network/dashboard/first-steps-card.tsx'
import { HealthCard } from '#web/features/network/dashboard/health-card.tsx'
import { PeriodCards } from '#web/features/network/dashboard/period-card.tsx'
import { TopCard } from '#web/features/network/dashboard/top-card.tsx'
import { TrendCard } from '#web/features/network/dashboard/trend-card.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { Country } from '#web/kit/show/country.tsx'
import { useCan } from '#web/shell/access.ts'

const FIGURES: readonly MetricId[] = ['clicks', 'conversions', 'revenue', 'payout', 'profit', 'cr']
const TREND: readonly MetricId[] = ['clicks', 'conversions', 'revenue', 'profit']
const TOP: readonly MetricId[] = ['clicks', 'revenue']

/** What staff look at first: how today goes, what waits for them (`inbox`), what they are told (`news`), who brings it, and whether the machine is well. */
export function StaffDashboard({ inbox, news }: { inbox: ReactNode; news: ReactNode }) {
  const { t } = useTranslation('dashboard')
  const can = useCan()
  const money = useDashboardCurrency()
  const found = useQuery({ ...query(dashboardApi.staff, { body: { currency: money.currency } }), refetchInterval: 60_000 })
  return (
    <>
      <PageHeader title={t('title')} actions={money.choice} />
      <QueryPage query={found} failed={t('failed')}>
        {({ today, yesterday, month, series, zone, currency, rates_missing, top_offers, top_affiliates, top_geos }) => (
          <>
            {can('setting.general') && <FirstStepsCard />}
            <DashboardMissing of={rates_missing} />
            <PeriodCards of={{ today, yesterday, month, zone, currency }} asked={found.dataUpdatedAt} metrics={FIGURES} />
            {inbox}
            {news}
            <TrendCard series={series} zone={zone} metrics={TREND} currency={currency} />
            <SimpleGrid cols={{ base: 1, sm: 3 }}>
              <TopCard of="offer" title={t('topOffers')} rows={top_offers} metrics={TOP} currency={currency} name={(key) => key.label} />
              <TopCard
                of="affiliate"
                title={t('topAffiliates')}
                rows={top_affiliates}
                metrics={TOP}
                currency={currency}
                name={(key) => key.label}
              />
              <TopCard
                of="geo"
                title={t('topGeos')}
                rows={top_geos}
                metrics={TOP}
                currency={currency}
                name={(key) => <Country code={key.id} />}
              />
            </SimpleGrid>
            {can('system.health') && <HealthCard />}
          </>
        )}
      </QueryPage>
    </>
  )
}
