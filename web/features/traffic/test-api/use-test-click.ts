import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import { CLICK_KINDS, clickApi, type click } from '#contract/traffic/click.ts'
import { query } from '#web/api/query.ts'

export type TestedClick = z.output<typeof click>

/** A test link as it was made: `mark` is the affiliate's click id it carries, by which its clicks are found; `madeAt` by the server's clock, in ms. */
export type TestLink = { url: string; mark: string; madeAt: number; expiresAt: string; offer: string; title: string; affiliate: string }

/** The newest click of a test link, and how it is waited for. */
export type LookedFor = {
  click: TestedClick | undefined
  /** The link was followed, and the click of that is not stored yet. */
  looking: boolean
  /** It has not come for a minute, and nobody asks for it any more. */
  late: boolean
  error: Error | null
  /** The link is followed: one more click will come. */
  follow: () => void
  /** Asks for it again for a minute. */
  again: () => void
}

/** Clicks are stored within seconds. */
const EVERY_MS = 1_500
const LONGEST_MS = 60_000

/** Waits for the clicks of a test link, each from when the link is followed. `after`: those up to then were seen, in ms. */
export function useTestClick(link: TestLink | null): LookedFor {
  const [followed, setFollowed] = useState<{ url: string; after: number; since: number } | null>(null)
  const wanted = followed !== null && followed.url === link?.url ? followed : null
  const isNew = (one: TestedClick | undefined) => one !== undefined && wanted !== null && Date.parse(one.at) > wanted.after
  const found = useQuery({
    ...query(
      clickApi.list,
      { body: { search: link?.mark ?? '', kinds: [...CLICK_KINDS], period: { preset: 'last_7_days' }, count: 1 } },
      { quiet: true },
    ),
    enabled: wanted !== null,
    refetchInterval: ({ state }) =>
      wanted !== null && !isNew(state.data?.list[0]) && state.status !== 'error' && Date.now() - wanted.since < LONGEST_MS && EVERY_MS,
  })
  const newest = found.data?.list[0]
  const click = wanted !== null && link !== null && newest && Date.parse(newest.at) >= link.madeAt ? newest : undefined
  const waits = wanted !== null && !isNew(newest)
  const late = waits && found.dataUpdatedAt - wanted.since > LONGEST_MS - EVERY_MS
  const start = (after: number) => {
    if (link === null) return
    setFollowed({ url: link.url, after, since: Date.now() })
    if (wanted !== null) void found.refetch()
  }
  return {
    click,
    looking: waits && !late && !found.isError,
    late,
    error: waits ? found.error : null,
    follow: () => start(click === undefined ? (link?.madeAt ?? 0) - 1 : Date.parse(click.at)),
    again: () => start(wanted?.after ?? 0),
  }
}
