import { StaffDashboard } from '#web/features/network/dashboard/staff-dashboard.tsx'
import { NewsCard } from '#web/features/network/news/news-card.tsx'
import { InboxCard } from '#web/features/network/inbox/inbox-card.tsx'

/** The dashboard of staff, with the inbox and the news in it. */
export function DashboardScreen() {
  return <StaffDashboard inbox={<InboxCard />} news={<NewsCard />} />
}
