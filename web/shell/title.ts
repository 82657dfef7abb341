import { useEffect } from 'react'
import { useMatches } from 'react-router'
import { screenOf, type ScreenId } from '#contract/screens.ts'
import { setPageTitle } from '#web/page-title.ts'
import { useRuntime } from './runtime.ts'

/** What each route of a screen carries. */
export type ScreenHandle = { screen: ScreenId }

/** The title of a page: the partner's title followed by the section. */
export function titleOf(partner: string, section: string | undefined): string {
  return section === undefined ? partner : `${partner} | ${section}`
}

/** The screen on the screen; undefined on a not-found page. */
export function useCurrentScreen(): ScreenId | undefined {
  const handles = useMatches().map((match) => match.handle)
  return handles.findLast(isScreenHandle)?.screen
}

/** Keeps the page title in step with the screen. */
export function usePageTitle(): void {
  const { partner_title } = useRuntime()
  const screen = useCurrentScreen()
  const title = titleOf(partner_title, screen === undefined ? undefined : screenOf(screen).title)
  useEffect(() => setPageTitle(title), [title])
}

function isScreenHandle(handle: unknown): handle is ScreenHandle {
  return typeof handle === 'object' && handle !== null && 'screen' in handle
}
