import { useCallback, useMemo } from 'react'
import { useNavigate, type NavigateOptions } from 'react-router'
import { can, type Access } from '#contract/access.ts'
import { href, screensFor, type ScreenId } from '#contract/screens.ts'
import { useConstantsState } from '#web/api/constants.ts'
import { useSession } from './session.ts'

export type ScreenParams = Record<string, string | number>

/** A function that says whether the signed-in person passes an access rule; only shows and hides, the server decides. */
export function useCan(): (access: Access) => boolean {
  const { role } = useSession()
  return useCallback((access) => can(role, access), [role])
}

/** The screens the signed-in person may open: those of the role, narrowed by the constant `page_access` once it is loaded. */
export function useScreens(): ReadonlySet<ScreenId> {
  const { role } = useSession()
  const allowed = useConstantsState(({ constants }) => constants?.page_access)
  return useMemo(() => {
    const ids = allowed === undefined ? undefined : new Set(allowed.map(({ value }) => value))
    return new Set(screensFor(role).filter((id) => ids?.has(id) ?? true))
  }, [role, allowed])
}

/** The address of a screen; warns on the console and falls back to `/` when a parameter is missing. */
export function screenHref(id: ScreenId, params?: ScreenParams): string {
  // oxlint-disable-next-line no-console -- the specification asks for this warning
  return href(id, params, (message) => console.warn(message))
}

/** A function that opens a screen: `const go = useGo(); go('affiliateEdit', { uuid })`. */
export function useGo(): (id: ScreenId, params?: ScreenParams, options?: NavigateOptions) => void {
  const navigate = useNavigate()
  return useCallback((id, params, options) => void navigate(screenHref(id, params), options), [navigate])
}
