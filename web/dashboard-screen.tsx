import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { StaffDashboard } from '#web/features/network/dashboard/staff-dashboard.tsx'
import { NewsCard } from '#web/features/network/news/news-card.tsx'
import { InboxCard } from '#web/features/network/inbox/inbox-card.tsx'
import { loadLateTexts } from '#web/i18n/language.ts'
import { useCan } from '#web/shell/access.ts'
import { withinChunkTimeout } from './chunk.ts'
import type english from './set-up/set-up.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    setUp: typeof english
  }
}

const SetUp = lazy(async () => {
  const [{ SetUp: page }] = await withinChunkTimeout(() =>
    Promise.all([
      import('./set-up/set-up.tsx'),
      loadLateTexts('setUp'),
      loadLateTexts('offer'),
      loadLateTexts('setting'),
      loadLateTexts('mail'),
      loadLateTexts('domain'),
    ]),
  )
  return { default: page }
})

/** The dashboard of staff, with the inbox and the news in it; at `?setup` the guided set-up of a new network stands in its place. */
export function DashboardScreen() {
  const [search] = useSearchParams()
  const can = useCan()
  if (search.has('setup') && can('setting.general'))
    return (
      <Suspense>
        <SetUp />
      </Suspense>
    )
  return <StaffDashboard inbox={<InboxCard />} news={<NewsCard />} />
}
