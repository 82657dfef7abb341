import { saveView } from '#server/features/traffic/view/view.queries.ts'
import type { Db } from '#server/platform/pg/database.ts'

/** Views everybody who signs in finds of their own; those of staff are shared where `shared` says so. */
const OF_STAFF = [
  { screen: 'report', name: 'Offers this month', address: 'group=offer', shared: true },
  { screen: 'report', name: 'Countries by day', address: 'group=day,geo', shared: false },
  { screen: 'offer', name: 'Paused offers', address: 'status=paused', shared: true },
  { screen: 'affiliate', name: 'New ones', address: 'status=moderation', shared: true },
  { screen: 'conversion', name: 'Declined ones', address: 'status=declined', shared: false },
] as const
const OF_AFFILIATES = [
  { screen: 'report', name: 'My campaigns', address: 'group=sub1', shared: false },
  { screen: 'conversion', name: 'Waiting ones', address: 'status=pending', shared: false },
] as const

/** Saves views for those whose logins are printed. */
export async function makeViews(db: Db, at: number, emails: readonly string[]): Promise<void> {
  const accounts = await db.selectFrom('account').select(['id', 'role']).where('email', 'in', emails).orderBy('id').execute()
  for (const { id, role } of accounts) {
    for (const view of role === 'affiliate' ? OF_AFFILIATES : OF_STAFF)
      await saveView(db, at, id, { ...view, shared: view.shared && role === 'head' })
  }
}
