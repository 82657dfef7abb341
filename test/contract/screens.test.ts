import { describe, expect, test } from 'vitest'
import { ROLES, type Role } from '#contract/access.ts'
import { homeOf, href, screenOf, SCREEN_IDS, SCREENS, screensFor, type ScreenId } from '#contract/screens.ts'

/** The routes of the specification by role, to the letter; index paths that lead on are routes as well. */
const STATISTIC = [
  '/statistic',
  '/statistic/direct-link',
  '/statistic/direct-link/general',
  '/statistic/direct-link/clicks',
  '/statistic/direct-link/conversion',
]
const STATISTIC_API = [
  '/statistic/api',
  '/statistic/api/general',
  '/statistic/api/clicks',
  '/statistic/api/user-session',
  '/statistic/api/conversion',
]
const STATISTIC_DETAIL = [
  '/statistic/postbacks',
  '/statistic/direct-link/conversion/detail/:uuid',
  '/statistic/api/conversion/detail/:uuid',
]
const COLD_API = [
  '/cold-api',
  '/cold-api/re-cold-api',
  '/cold-api/re-cold-api/list/:uuid',
  '/cold-api/rules',
  '/cold-api/lead-list',
  ...['add', 'details'].flatMap((page) => ['', '/user-session', '/conversion'].map((tab) => `/cold-api/lead-list/${page}/:uuid${tab}`)),
]
const people = (kind: string) => [`/roles/${kind}`, `/roles/${kind}/create`, `/roles/${kind}/edit/:uuid`]
const OFFERS = [
  '/offers',
  ...['direct-link', 'api'].flatMap((type) => [`/offers/create-${type}`, `/offers/edit-${type}/:uuid`, `/offers/detail-${type}/:uuid`]),
]
const FULL = [
  '/dashboard',
  '/dashboard/news',
  '/test',
  ...COLD_API,
  '/roles',
  ...['affiliates', 'advertisers', 'managers'].flatMap(people),
  '/billing',
  '/billing/invoice-create',
  '/billing/invoice-edit/:uuid',
  '/billing/invoice-delete/:uuid',
  '/billing/invoice-detail/:uuid',
  '/landings',
  '/landings/create',
  '/landings/edit/:uuid',
  ...OFFERS,
  ...STATISTIC,
  ...STATISTIC_API,
  ...STATISTIC_DETAIL,
  '/tickets',
  ...['', '/general', '/domains', '/smtp', '/trafficback', '/news', '/news/create', '/news/edit/:uuid', '/personal'].map(
    (page) => `/settings${page}`,
  ),
  ...['', '/integrations', '/integrations/edit/:uuid', '/offer', '/direct-link'].map((page) => `/settings/test-api${page}`),
  // the specification does not show which of these admin and head can reach: all of them, since nobody else of the network has settings
  ...['postback', 'affiliates', 'registration', 'profile', 'payments', 'referrals', 'security'].map((page) => `/settings/${page}`),
  '/ohma',
]
const SPEC: Record<Role, readonly string[]> = {
  admin: FULL,
  head: FULL,
  manager: [
    '/dashboard',
    '/roles',
    ...['affiliates', 'advertisers'].flatMap(people),
    ...OFFERS,
    '/tickets',
    ...STATISTIC,
    ...STATISTIC_API,
  ],
  'team lead': [
    '/dashboard',
    ...COLD_API,
    '/roles',
    ...['affiliates', 'advertisers', 'managers'].flatMap(people),
    ...STATISTIC,
    ...STATISTIC_API,
    ...STATISTIC_DETAIL,
  ],
  affiliate: [
    '/dashboard',
    '/dashboard/news',
    '/offers',
    '/offers/all',
    '/offers/live',
    '/offers/available',
    '/offers/direct-link/detail/:uuid',
    '/offers/api/detail/:uuid',
    '/payments',
    '/tickets',
    ...STATISTIC,
    ...STATISTIC_API,
    ...['', '/profile', '/payments', '/postback', '/referrals', '/security'].map((page) => `/settings${page}`),
    // ours: what its programs may call
    '/partner-api',
  ],
}

/** The public area, and one address of ours: whoever was sent a link sets a password by it. */
const GUEST = [
  '/login',
  '/signup',
  '/password-recovery',
  '/user-terms-and-conditions',
  '/user-agreement',
  '/user-privacy-policy',
  '/set-password/:token',
]

/** Section names of the specification by what their addresses begin with, longest first; it names none for the rest. */
const TITLES: readonly [beginning: string, title: string][] = [
  ['/dashboard', 'dashboard'],
  ['/roles/affiliates', 'affiliates'],
  ['/roles/advertisers', 'advertisers'],
  ['/roles/managers', 'managers'],
  ['/roles', 'affiliates'],
  ['/landings', 'Landings'],
  ['/offers/create-direct-link', 'Direct Link'],
  ['/offers/create-api', 'Api'],
  ['/offers/edit-direct-link', 'Direct Link'],
  ['/offers/edit-api', 'Api'],
  ['/offers/detail-direct-link', 'Direct Link'],
  ['/offers/detail-api', 'Api'],
  ['/offers/direct-link', 'Direct Link'],
  ['/offers/api', 'Api'],
  ['/offers', 'Offers'],
  ['/statistic/direct-link', 'Direct Link'],
  ['/statistic/api', 'Api'],
  ['/billing', 'Billing'],
  ['/cold-api/lead-list', 'Lead-List'],
  ['/cold-api', 'Re-Cold API'],
]

/** What is not built yet, as beginnings of paths: a later issue removes its line here. The list only shrinks. */
const MISSING: readonly string[] = []
/** The same of pages that other roles have already. */
const MISSING_OF: Partial<Record<Role, readonly string[]>> = {}
const isMissing = (path: string, role?: Role) =>
  [...MISSING, ...((role && MISSING_OF[role]) ?? [])].some((beginning) => path === beginning || path.startsWith(`${beginning}/`))

/** Where the specification says an address leads by default. */
const STATISTIC_DEFAULT = {
  '/statistic': '/statistic/direct-link/general',
  '/statistic/direct-link': '/statistic/direct-link/general',
  '/statistic/api': '/statistic/api/general',
}
const COLD_API_DEFAULT = {
  '/cold-api': '/cold-api/re-cold-api',
  '/cold-api/lead-list/add/:uuid': '/cold-api/lead-list/add/:uuid/user-session',
  '/cold-api/lead-list/details/:uuid': '/cold-api/lead-list/details/:uuid/user-session',
}
const FULL_DEFAULTS = {
  ...COLD_API_DEFAULT,
  '/roles': '/roles/affiliates',
  ...STATISTIC_DEFAULT,
  '/settings': '/settings/general',
  '/settings/test-api': '/settings/test-api/integrations',
}
const DEFAULTS: Record<Role, Record<string, string>> = {
  admin: FULL_DEFAULTS,
  head: FULL_DEFAULTS,
  manager: { '/roles': '/roles/affiliates', ...STATISTIC_DEFAULT },
  'team lead': { ...COLD_API_DEFAULT, '/roles': '/roles/affiliates', ...STATISTIC_DEFAULT },
  affiliate: { '/offers': '/offers/all', ...STATISTIC_DEFAULT, '/settings': '/settings/profile' },
}

describe.each(ROLES)('the routes of %s', (role) => {
  const paths = screensFor(role).map((id) => screenOf(id).path)

  test('are those of the specification, as far as they are built', () => {
    expect(paths.toSorted()).toEqual(SPEC[role].filter((path) => !isMissing(path, role)).toSorted())
  })

  test('lead on by default to where the specification says, and no others do', () => {
    const defaults = Object.entries(DEFAULTS[role]).filter(([path]) => !isMissing(path))
    const leading = screensFor(role).flatMap((id) => {
      const { path, redirect } = screenOf(id)
      return redirect === undefined ? [] : [[path, SCREENS[redirect as ScreenId].path]] // the test below names those that are none
    })
    expect(Object.fromEntries(leading)).toEqual(Object.fromEntries(defaults))
  })

  test('begin at the dashboard', () => {
    expect(screenOf(homeOf(role)).path).toBe('/dashboard')
  })

  test('have one screen each', () => {
    expect(new Set(paths).size).toBe(paths.length)
  })
})

test('guests have the public area, as far as it is built', () => {
  const paths = screensFor(undefined).map((id) => screenOf(id).path)
  expect(paths.toSorted()).toEqual(GUEST.filter((path) => !isMissing(path)).toSorted())
})

test('titles are the section names of the specification', () => {
  const titled = SCREEN_IDS.flatMap((id) => {
    const { path, title } = screenOf(id)
    const named = TITLES.find(([beginning]) => path === beginning || path.startsWith(`${beginning}/`))
    return named === undefined ? [] : [{ path, title, named: named[1] }]
  })
  expect(titled.filter(({ title, named }) => title !== named)).toEqual([])
  expect(titled.length).toBeGreaterThan(20)
})

test('a screen that leads on, or has one above it, names a screen the same role can open', () => {
  for (const role of ROLES) {
    const open = new Set<string>(screensFor(role))
    for (const id of screensFor(role)) {
      const { redirect, parent } = screenOf(id)
      if (redirect !== undefined) expect(open, `${id} for ${role}`).toContain(redirect)
      if (parent !== undefined) expect(open, `${id} for ${role}`).toContain(parent)
    }
  }
})

test('nothing counts as missing that is built', () => {
  const built = SCREEN_IDS.map((id) => screenOf(id).path)
  expect(built.filter((path) => isMissing(path))).toEqual([])
  for (const role of ROLES) expect(screensFor(role).filter((id) => isMissing(screenOf(id).path, role))).toEqual([])
})

test('an address without a parameter it needs warns and falls back to /', () => {
  const warnings: string[] = []
  expect(href('affiliateEdit', { uuid: 'a b' })).toBe('/roles/affiliates/edit/a%20b')
  expect(href('affiliateEdit', {}, (message) => warnings.push(message))).toBe('/')
  expect(warnings).toEqual(['The address of affiliateEdit needs uuid'])
})
