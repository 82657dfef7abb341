import { AffiliateDashboard } from '#web/features/network/dashboard/affiliate-dashboard.tsx'
import { NewsCard } from '#web/features/network/news/news-card.tsx'

/** The dashboard of an affiliate, with the news in it. */
export function OwnDashboardScreen() {
  return <AffiliateDashboard news={<NewsCard />} />
}
