import type { ReactNode } from 'react'
import { Navigate, Outlet, useLocation, useParams, type RouteObject } from 'react-router'
import type { Role } from '#contract/access.ts'
import { homeOf, SCREEN_IDS, screenOf, screensFor, type ScreenId } from '#contract/screens.ts'
import { GUEST_PAGES } from './guest-pages.ts'
import { loadPanelTexts } from './i18n/language.ts'
import { screenHref, useScreens } from './shell/access.ts'
import { useFreshScreen } from './shell/fresh-screen.ts'
import { GuestGate } from './shell/gate/guest-gate.tsx'
import { withinChunkTimeout } from './chunk.ts'
import { NotFound } from './shell/gate/not-found.tsx'
import { ProtectedGate } from './shell/gate/protected-gate.tsx'
import { RouteError } from './shell/failure/route-error.tsx'
import { SquaresLoader } from './shell/gate/squares-loader.tsx'
import { hasSignedInHere } from './shell/session.ts'
import { useCurrentScreen, usePageTitle } from './shell/title.ts'

/** Loads the panel: its frame, what stands behind its screens, and its texts. */
export async function loadPanel() {
  const [panel] = await withinChunkTimeout(() => Promise.all([import('./panel.ts'), loadPanelTexts()]))
  return panel
}

/** The routes of a role, or of guests: exactly the screens the table gives them, and not-found for everything else. */
export function routesFor(role: Role | undefined): RouteObject[] {
  return [
    {
      element: <Titled />,
      errorElement: inMain(<RouteError />),
      hydrateFallbackElement: <SquaresLoader />,
      children: role === undefined ? guestRoutes() : signedInRoutes(role),
    },
  ]
}

const PANEL_SCREENS = SCREEN_IDS.filter((id) => screenOf(id).area === 'panel')

/** Whether a guest at an address is sent to /login, from where it leads back to the address. */
export function leadsToLogin(address: string): boolean {
  return address === '/' || PANEL_SCREENS.some((id) => stands(id, address))
}

/** Guests see the guest pages; addresses of the panel lead to /login, which brings them back afterwards. */
function guestRoutes(): RouteObject[] {
  return [
    { path: '/', element: <ToLogin /> },
    { element: <GuestGate />, children: screensFor(undefined).map(screenRoute) },
    ...PANEL_SCREENS.map((id) => ({ path: screenOf(id).path, element: <ToLogin /> })),
    { path: '*', element: inMain(<NotFound />) },
  ]
}

/** Outside of the panel nothing else marks the main part of the page. */
function inMain(content: ReactNode) {
  return <main>{content}</main>
}

function signedInRoutes(role: Role): RouteObject[] {
  const screens = screensFor(role).filter((id) => screenOf(id).area !== 'guest')
  return [
    ...screensFor(undefined)
      .filter((id) => screenOf(id).area === 'guest')
      .map((id) => ({ path: screenOf(id).path, element: <LeaveGuestPage role={role} /> })),
    {
      element: <ProtectedGate />,
      children: [
        {
          lazy: async () => ({ Component: (await loadPanel()).PanelFrame }),
          children: [
            {
              element: <AllowedScreen />,
              errorElement: <RouteError />,
              children: [
                // the frame leads on to the home
                { path: '/', element: null },
                ...screens.map(screenRoute),
                { path: '*', element: <NotFound /> },
              ],
            },
          ],
        },
      ],
    },
  ]
}

function screenRoute(id: ScreenId): RouteObject {
  const { path, redirect } = screenOf(id)
  const handle = { screen: id }
  if (redirect !== undefined)
    return {
      path,
      handle,
      element: path.includes(':') ? <LeadOn to={asScreen(redirect)} /> : <Navigate replace to={screenHref(asScreen(redirect))} />,
    }
  return { path, handle, lazy: async () => ({ Component: await pageBehind(id) }) }
}

/** What an address names goes along to where it leads. */
function LeadOn({ to }: { to: ScreenId }) {
  const params = useParams()
  const { search } = useLocation()
  const named = Object.fromEntries(Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
  return <Navigate replace to={screenHref(to, named) + search} />
}

/** The component of a screen. Throws for a screen without one, which a test finds first. */
async function pageBehind(id: ScreenId) {
  const page = GUEST_PAGES[id] ?? (await loadPanel()).PAGES[id]
  if (page === undefined) throw new Error(`nothing stands behind ${id}`)
  return withinChunkTimeout(page.page)
}

function asScreen(id: string): ScreenId {
  const found = SCREEN_IDS.find((one) => one === id)
  if (found === undefined) throw new Error(`contract/screens.ts redirects to ${id}, which is no screen`)
  return found
}

function Titled() {
  usePageTitle()
  return <Outlet />
}

/** Where somebody wanted to go is kept in the history entry, which no link can set: it never leads to a foreign site. */
function ToLogin() {
  const { pathname, search } = useLocation()
  return <Navigate replace to={screenHref('login')} state={pathname === '/' ? null : { next: pathname + search }} />
}

/** A signed-in person has no business on a guest page: on to where they wanted to go, who has just signed in home, else to the dashboard. */
function LeaveGuestPage({ role }: { role: Role }) {
  const state: unknown = useLocation().state
  const next = typeof state === 'object' && state !== null && 'next' in state ? state.next : undefined
  return <Navigate replace to={typeof next === 'string' && opens(role, next) ? next : hasSignedInHere() ? '/' : homePath(role)} />
}

/** Where a role starts; `/` for one that has no screen yet, which would otherwise be sent round in circles. */
function homePath(role: Role): string {
  const home = homeOf(role)
  return screenOf(home).area === 'panel' ? screenHref(home) : '/'
}

/** `page_access` may hold fewer screens than the role. */
function AllowedScreen() {
  useFreshScreen()
  const screen = useCurrentScreen()
  const allowed = useScreens()
  return screen === undefined || allowed.has(screen) ? <Outlet /> : <NotFound />
}

function opens(role: Role, address: string): boolean {
  return screensFor(role).some((id) => stands(id, address.replace(/[?#].*$/, '')))
}

function stands(id: ScreenId, path: string): boolean {
  return new RegExp(`^${screenOf(id).path.replace(/:\w+/g, '[^/]+')}/?$`).test(path)
}
