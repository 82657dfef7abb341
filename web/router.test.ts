import { isValidElement } from 'react'
import { matchRoutes } from 'react-router'
import { expect, test } from 'vitest'
import { ROLES, type Role } from '#contract/access.ts'
import { SCREEN_IDS, screenOf, screensFor, type ScreenId } from '#contract/screens.ts'
import { GUEST_PAGES } from '#web/guest-pages.ts'
import { PAGES } from '#web/pages.ts'
import { routesFor } from '#web/router.tsx'

const addressOf = (id: ScreenId) => screenOf(id).path.replace(/:\w+/g, '0b7e1c3e-6f4d-4c1a-9a51-2f1f5f3f9a10')

/** The screen a role reaches at an address; undefined for not-found and for what only leads on. */
function reached(role: Role | undefined, address: string): ScreenId | undefined {
  const handles = (matchRoutes(routesFor(role), address) ?? []).map(
    ({ route }) => (route.handle as { screen: ScreenId } | undefined)?.screen,
  )
  return handles.findLast((screen) => screen !== undefined)
}

test.each([undefined, ...ROLES])('%s reaches exactly the screens of its route set', (role) => {
  const own = new Set(screensFor(role))
  const addresses = [...new Set(SCREEN_IDS.map(addressOf))]
  for (const address of addresses) {
    const here = SCREEN_IDS.filter(
      (id) => addressOf(id) === address && own.has(id) && (role === undefined || screenOf(id).area !== 'guest'),
    )
    expect([address, reached(role, address)]).toEqual([address, here.at(-1)])
  }
})

test('every screen has a page, but those that only lead on', () => {
  const without = SCREEN_IDS.filter((id) => (screenOf(id).area === 'guest' ? GUEST_PAGES : PAGES)[id] === undefined)
  expect(without).toEqual(SCREEN_IDS.filter((id) => screenOf(id).redirect !== undefined))
})

test.each(ROLES)('%s is led on from every default address to the screen the table names', (role) => {
  for (const id of screensFor(role)) {
    const { path, redirect } = screenOf(id)
    if (redirect === undefined) continue
    const element = matchRoutes(routesFor(role), path)?.at(-1)?.route.element
    // what a path names goes along, which is known only once it is asked for
    const expected = path.includes(':') ? { to: redirect } : { replace: true, to: addressOf(redirect as ScreenId) } // a screen, as screens.test.ts holds
    expect(isValidElement(element) && element.props, path).toEqual(expected)
  }
})

test.each(ROLES)('%s is sent on from every guest page', (role) => {
  const guestPages = screensFor(undefined).filter((id) => screenOf(id).area === 'guest')
  for (const id of guestPages) {
    const route = matchRoutes(routesFor(role), addressOf(id))?.at(-1)?.route
    expect(isValidElement(route?.element) && route.element.props, id).toEqual({ role })
    expect(reached(role, addressOf(id))).toBeUndefined()
  }
  expect(guestPages.length).toBeGreaterThan(1)
})

test.each([undefined, ...ROLES])('every other address of %s is caught', (role) => {
  expect(matchRoutes(routesFor(role), '/no/such/screen')?.at(-1)?.route.path).toBe('*')
})
