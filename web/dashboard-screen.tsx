import { StaffDashboard } from '#web/features/network/dashboard/staff-dashboard.tsx'
import { InboxCard } from '#web/features/network/inbox/inbox-card.tsx'

/** The dashboard of staff, with the inbox in it. */
export function DashboardScreen() {
  return <StaffDashboard inbox={<InboxCard />} />
}
