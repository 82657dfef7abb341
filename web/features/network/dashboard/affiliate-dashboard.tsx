import { SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { dashboardApi } from '#contract/network/dashboard.ts'
import type { MetricId } from '#contract/traffic/metric.ts'
import { query } from '#web/api/query.ts'
import { DashboardMissing, useDashboardCurrency } from '#web/dashboard-currency.tsx'
import { BalanceCard } from '#web/features/network/dashboard/balance-card.tsx'
import { PeriodCards } from '#web/features/network/dashboard/period-card.tsx'
import { TopCard } from '#web/features/network/dashboard/top-card.tsx'
import { TrendCard } from '#web/features/network/dashboard/trend-card.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { OfferChanges } from '#web/offer-changes.tsx'
import { YourManager } from '#web/your-manager.tsx'
import { Country } from '#web/kit/show/country.tsx'

const FIGURES: readonly MetricId[] = ['clicks', 'conversions', 'payout', 'epc', 'cr', 'approval']
const TREND: readonly MetricId[] = ['clicks', 'conversions', 'payout']
const TOP: readonly MetricId[] = ['clicks', 'payout']

/** What an affiliate looks at first: how today goes, what it has earned, and what it is told (`news`). */
export function AffiliateDashboard({ news }: { news: ReactNode }) {
  const { t } = useTranslation('dashboard')
  const money = useDashboardCurrency()
  const found = useQuery({
    ...query(dashboardApi.affiliate, { body: { currency: money.currency } }),
    refetchInterval: 60_000,
    refetchOnWindowFocus: true,
  })
  return (
    <>
      <PageHeader title={t('title')} actions={money.choice} />
      <QueryPage query={found} failed={t('failed')}>
        {({ today, yesterday, month, series, zone, currency, rates_missing, balance, top_offers, top_geos }) => (
          <>
            <DashboardMissing of={rates_missing} />
            <PeriodCards of={{ today, yesterday, month, zone, currency }} asked={found.dataUpdatedAt} metrics={FIGURES} />
            <BalanceCard balance={balance} />
            {news}
            <OfferChanges />
            <YourManager />
            <TrendCard series={series} zone={zone} metrics={TREND} currency={currency} />
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <TopCard of="offer" title={t('topOffers')} rows={top_offers} metrics={TOP} currency={currency} name={(key) => key.label} />
              <TopCard
                of="geo"
                title={t('topGeos')}
                rows={top_geos}
                metrics={TOP}
                currency={currency}
                name={(key) => <Country code={key.id} />}
              />
            </SimpleGrid>
          </>
        )}
      </QueryPage>
    </>
  )
}
