import { can, type Access, type Role } from './access.ts'

export type Screen = {
  path: string
  /** Section name that follows the partner title in the page title; the specification's own words where it has them. */
  title: string
  access: Access
  /** guest: only for those not signed in; panel: inside the frame; public: for everybody. */
  area: 'guest' | 'panel'
  /** Entry in the sidebar: group, in the order of this table; the label is the i18n key `screen.<id>`. */
  nav?: 'work' | 'people' | 'insight' | 'account'
  /** The screen the crumb above leads to. */
  parent?: string
  /** This path only leads on to another screen. */
  redirect?: string
}

/**
 * Every screen that works, once. The router, the sidebar, crumbs, page titles, mail links and `page_access` derive
 * from it. Two screens may share a path when no role can open both.
 */
export const SCREENS = {
  login: { path: '/login', title: 'Log in', access: 'public', area: 'guest' },
  signup: { path: '/signup', title: 'Sign up', access: 'public', area: 'guest' },
  passwordRecovery: { path: '/password-recovery', title: 'Password recovery', access: 'public', area: 'guest' },
  legalTerms: { path: '/user-terms-and-conditions', title: 'Terms and conditions', access: 'public', area: 'guest' },
  legalAgreement: { path: '/user-agreement', title: 'User agreement', access: 'public', area: 'guest' },
  legalPrivacy: { path: '/user-privacy-policy', title: 'Privacy policy', access: 'public', area: 'guest' },
  setPassword: { path: '/set-password/:token', title: 'Set password', access: 'public', area: 'guest' },

  dashboard: { path: '/dashboard', title: 'dashboard', access: 'report.money', area: 'panel', nav: 'work' },
  dashboardOwn: { path: '/dashboard', title: 'dashboard', access: 'balance.own', area: 'panel', nav: 'work' },

  news: { path: '/dashboard/news', title: 'dashboard', access: 'news.own_page', area: 'panel', nav: 'work' },

  offers: { path: '/offers', title: 'Offers', access: 'offer.read', area: 'panel', nav: 'work' },
  offerCreateDirect: { path: '/offers/create-direct-link', title: 'Direct Link', access: 'offer.write', area: 'panel', parent: 'offers' },
  offerEditDirect: { path: '/offers/edit-direct-link/:uuid', title: 'Direct Link', access: 'offer.write', area: 'panel', parent: 'offers' },
  offerDetailDirect: {
    path: '/offers/detail-direct-link/:uuid',
    title: 'Direct Link',
    access: 'offer.read',
    area: 'panel',
    parent: 'offers',
  },

  offerCreateApi: { path: '/offers/create-api', title: 'Api', access: 'offer.write', area: 'panel', parent: 'offers' },
  offerEditApi: { path: '/offers/edit-api/:uuid', title: 'Api', access: 'offer.write', area: 'panel', parent: 'offers' },
  offerDetailApi: { path: '/offers/detail-api/:uuid', title: 'Api', access: 'offer.read', area: 'panel', parent: 'offers' },

  landings: { path: '/landings', title: 'Landings', access: 'landing.read', area: 'panel', nav: 'work' },
  landingCreate: { path: '/landings/create', title: 'Landings', access: 'landing.write', area: 'panel', parent: 'landings' },
  landingEdit: { path: '/landings/edit/:uuid', title: 'Landings', access: 'landing.write', area: 'panel', parent: 'landings' },

  partnerOffersAll: { path: '/offers/all', title: 'Offers', access: 'offer.partner', area: 'panel', nav: 'work' },
  partnerOffersLive: { path: '/offers/live', title: 'Offers', access: 'offer.partner', area: 'panel', parent: 'partnerOffersAll' },
  partnerOffersAvailable: {
    path: '/offers/available',
    title: 'Offers',
    access: 'offer.partner',
    area: 'panel',
    parent: 'partnerOffersAll',
  },
  partnerOffer: {
    path: '/offers/direct-link/detail/:uuid',
    title: 'Direct Link',
    access: 'offer.partner',
    area: 'panel',
    parent: 'partnerOffersAll',
  },
  partnerOfferApi: { path: '/offers/api/detail/:uuid', title: 'Api', access: 'offer.partner', area: 'panel', parent: 'partnerOffersAll' },
  partnerOffers: { path: '/offers', title: 'Offers', access: 'offer.partner', area: 'panel', redirect: 'partnerOffersAll' },

  billing: { path: '/billing', title: 'Billing', access: 'billing.read', area: 'panel', nav: 'work' },
  invoiceCreate: { path: '/billing/invoice-create', title: 'Billing', access: 'billing.write', area: 'panel', parent: 'billing' },
  invoiceEdit: { path: '/billing/invoice-edit/:uuid', title: 'Billing', access: 'billing.write', area: 'panel', parent: 'billing' },
  invoiceDelete: { path: '/billing/invoice-delete/:uuid', title: 'Billing', access: 'billing.write', area: 'panel', parent: 'billing' },
  invoiceDetail: { path: '/billing/invoice-detail/:uuid', title: 'Billing', access: 'billing.read', area: 'panel', parent: 'billing' },
  payments: { path: '/payments', title: 'Payments', access: 'payment.own', area: 'panel', nav: 'work' },

  tickets: { path: '/tickets', title: 'Tickets', access: 'ticket.read', area: 'panel', nav: 'work' },

  affiliates: { path: '/roles/affiliates', title: 'affiliates', access: 'affiliate.read', area: 'panel', nav: 'people' },
  affiliateCreate: {
    path: '/roles/affiliates/create',
    title: 'affiliates',
    access: 'affiliate.write',
    area: 'panel',
    parent: 'affiliates',
  },
  affiliateEdit: {
    path: '/roles/affiliates/edit/:uuid',
    title: 'affiliates',
    access: 'affiliate.write',
    area: 'panel',
    parent: 'affiliates',
  },
  advertisers: { path: '/roles/advertisers', title: 'advertisers', access: 'advertiser.read', area: 'panel', nav: 'people' },
  advertiserCreate: {
    path: '/roles/advertisers/create',
    title: 'advertisers',
    access: 'advertiser.write',
    area: 'panel',
    parent: 'advertisers',
  },
  advertiserEdit: {
    path: '/roles/advertisers/edit/:uuid',
    title: 'advertisers',
    access: 'advertiser.write',
    area: 'panel',
    parent: 'advertisers',
  },
  managers: { path: '/roles/managers', title: 'managers', access: 'manager.read', area: 'panel', nav: 'people' },
  managerCreate: { path: '/roles/managers/create', title: 'managers', access: 'manager.write', area: 'panel', parent: 'managers' },
  managerEdit: { path: '/roles/managers/edit/:uuid', title: 'managers', access: 'manager.write', area: 'panel', parent: 'managers' },
  roles: { path: '/roles', title: 'affiliates', access: 'affiliate.read', area: 'panel', redirect: 'affiliates' },

  statisticDirectGeneral: {
    path: '/statistic/direct-link/general',
    title: 'Direct Link',
    access: 'report.read',
    area: 'panel',
    nav: 'insight',
  },
  statisticDirectClicks: {
    path: '/statistic/direct-link/clicks',
    title: 'Direct Link',
    access: 'report.read',
    area: 'panel',
    parent: 'statisticDirectGeneral',
  },
  statisticDirectConversion: {
    path: '/statistic/direct-link/conversion',
    title: 'Direct Link',
    access: 'report.read',
    area: 'panel',
    parent: 'statisticDirectGeneral',
  },
  statisticConversionDetail: {
    path: '/statistic/direct-link/conversion/detail/:uuid',
    title: 'Direct Link',
    access: 'conversion.detail',
    area: 'panel',
    parent: 'statisticDirectConversion',
  },
  statisticApiGeneral: { path: '/statistic/api/general', title: 'Api', access: 'report.read', area: 'panel', nav: 'insight' },
  statisticApiClicks: {
    path: '/statistic/api/clicks',
    title: 'Api',
    access: 'report.read',
    area: 'panel',
    parent: 'statisticApiGeneral',
  },
  statisticApiUserSession: {
    path: '/statistic/api/user-session',
    title: 'Api',
    access: 'report.read',
    area: 'panel',
    parent: 'statisticApiGeneral',
  },
  statisticApiConversion: {
    path: '/statistic/api/conversion',
    title: 'Api',
    access: 'report.read',
    area: 'panel',
    parent: 'statisticApiGeneral',
  },
  statisticApiConversionDetail: {
    path: '/statistic/api/conversion/detail/:uuid',
    title: 'Api',
    access: 'conversion.detail',
    area: 'panel',
    parent: 'statisticApiConversion',
  },
  statisticApi: { path: '/statistic/api', title: 'Api', access: 'report.read', area: 'panel', redirect: 'statisticApiGeneral' },
  statisticPostbacks: { path: '/statistic/postbacks', title: 'Postbacks', access: 'postback.log', area: 'panel', nav: 'insight' },
  statistic: { path: '/statistic', title: 'Direct Link', access: 'report.read', area: 'panel', redirect: 'statisticDirectGeneral' },
  statisticDirect: {
    path: '/statistic/direct-link',
    title: 'Direct Link',
    access: 'report.read',
    area: 'panel',
    redirect: 'statisticDirectGeneral',
  },

  recolds: { path: '/cold-api/re-cold-api', title: 'Re-Cold API', access: 'cold.read', area: 'panel', nav: 'work' },
  recold: { path: '/cold-api/re-cold-api/list/:uuid', title: 'Re-Cold API', access: 'cold.read', area: 'panel', parent: 'recolds' },
  coldRules: { path: '/cold-api/rules', title: 'Re-Cold API', access: 'cold.read', area: 'panel', parent: 'recolds' },
  coldApi: { path: '/cold-api', title: 'Re-Cold API', access: 'cold.read', area: 'panel', redirect: 'recolds' },
  leadLists: { path: '/cold-api/lead-list', title: 'Lead-List', access: 'cold.read', area: 'panel', parent: 'recolds' },
  leadListAddSession: {
    path: '/cold-api/lead-list/add/:uuid/user-session',
    title: 'Lead-List',
    access: 'cold.write',
    area: 'panel',
    parent: 'leadLists',
  },
  leadListAddConversion: {
    path: '/cold-api/lead-list/add/:uuid/conversion',
    title: 'Lead-List',
    access: 'cold.write',
    area: 'panel',
    parent: 'leadLists',
  },
  leadListAdd: {
    path: '/cold-api/lead-list/add/:uuid',
    title: 'Lead-List',
    access: 'cold.write',
    area: 'panel',
    parent: 'leadLists',
    redirect: 'leadListAddSession',
  },
  leadListSession: {
    path: '/cold-api/lead-list/details/:uuid/user-session',
    title: 'Lead-List',
    access: 'cold.read',
    area: 'panel',
    parent: 'leadLists',
  },
  leadListConversion: {
    path: '/cold-api/lead-list/details/:uuid/conversion',
    title: 'Lead-List',
    access: 'cold.read',
    area: 'panel',
    parent: 'leadLists',
  },
  leadListDetails: {
    path: '/cold-api/lead-list/details/:uuid',
    title: 'Lead-List',
    access: 'cold.read',
    area: 'panel',
    parent: 'leadLists',
    redirect: 'leadListSession',
  },

  system: { path: '/test', title: 'System', access: 'system.read', area: 'panel', nav: 'account' },
  settingsGeneral: { path: '/settings/general', title: 'Settings', access: 'setting.general', area: 'panel', nav: 'account' },
  settingsDomains: {
    path: '/settings/domains',
    title: 'Settings',
    access: 'setting.domains',
    area: 'panel',
    parent: 'settingsGeneral',
  },
  settingsSmtp: { path: '/settings/smtp', title: 'Settings', access: 'setting.smtp', area: 'panel', parent: 'settingsGeneral' },
  settingsIncoming: {
    path: '/settings/postback',
    title: 'Settings',
    access: 'setting.general',
    area: 'panel',
    parent: 'settingsGeneral',
  },
  settingsTrafficback: {
    path: '/settings/trafficback',
    title: 'Settings',
    access: 'setting.trafficback',
    area: 'panel',
    parent: 'settingsGeneral',
  },
  settingsTestApiIntegrations: {
    path: '/settings/test-api/integrations',
    title: 'Settings',
    access: 'setting.general',
    area: 'panel',
    parent: 'settingsGeneral',
  },
  integrationEdit: {
    path: '/settings/test-api/integrations/edit/:uuid',
    title: 'Settings',
    access: 'integration.read',
    area: 'panel',
    parent: 'settingsTestApiIntegrations',
  },
  settingsTestApiOffer: {
    path: '/settings/test-api/offer',
    title: 'Settings',
    access: 'setting.general',
    area: 'panel',
    parent: 'settingsGeneral',
  },
  settingsTestApiDirect: {
    path: '/settings/test-api/direct-link',
    title: 'Settings',
    access: 'setting.general',
    area: 'panel',
    parent: 'settingsGeneral',
  },
  settingsTestApi: {
    path: '/settings/test-api',
    title: 'Settings',
    access: 'setting.general',
    area: 'panel',
    redirect: 'settingsTestApiIntegrations',
  },
  settingsAffiliates: {
    path: '/settings/affiliates',
    title: 'Settings',
    access: 'setting.affiliates',
    area: 'panel',
    parent: 'settingsGeneral',
  },
  settingsRegistration: {
    path: '/settings/registration',
    title: 'Settings',
    access: 'setting.registration',
    area: 'panel',
    parent: 'settingsGeneral',
  },
  settingsPayments: {
    path: '/settings/payments',
    title: 'Settings',
    access: 'setting.payments',
    area: 'panel',
    parent: 'settingsGeneral',
  },
  settingsReferrals: {
    path: '/settings/referrals',
    title: 'Settings',
    access: 'setting.referrals',
    area: 'panel',
    parent: 'settingsGeneral',
  },
  settingsSecurity: {
    path: '/settings/security',
    title: 'Settings',
    access: 'setting.security',
    area: 'panel',
    parent: 'settingsGeneral',
  },
  settingsNews: { path: '/settings/news', title: 'Settings', access: 'news.write', area: 'panel', parent: 'settingsGeneral' },
  newsCreate: { path: '/settings/news/create', title: 'Settings', access: 'news.write', area: 'panel', parent: 'settingsNews' },
  newsEdit: { path: '/settings/news/edit/:uuid', title: 'Settings', access: 'news.write', area: 'panel', parent: 'settingsNews' },
  settingsProfileStaff: {
    path: '/settings/profile',
    title: 'Settings',
    access: 'setting.general',
    area: 'panel',
    parent: 'settingsGeneral',
  },
  settingsPersonal: { path: '/settings/personal', title: 'Settings', access: 'audit.read', area: 'panel', parent: 'settingsGeneral' },
  settings: { path: '/settings', title: 'Settings', access: 'setting.general', area: 'panel', redirect: 'settingsGeneral' },

  settingsPostback: { path: '/settings/postback', title: 'Settings', access: 'postback.own', area: 'panel', parent: 'settingsProfile' },
  settingsProfile: { path: '/settings/profile', title: 'Settings', access: 'setting.own', area: 'panel', nav: 'account' },
  settingsSecurityOwn: { path: '/settings/security', title: 'Settings', access: 'setting.own', area: 'panel', parent: 'settingsProfile' },
  settingsPaymentsOwn: { path: '/settings/payments', title: 'Settings', access: 'payment.own', area: 'panel', parent: 'settingsProfile' },
  partnerApi: { path: '/partner-api', title: 'Api', access: 'partner.api', area: 'panel' },
  settingsReferralsOwn: {
    path: '/settings/referrals',
    title: 'Settings',
    access: 'referral.own',
    area: 'panel',
    parent: 'settingsProfile',
  },
  settingsOwn: { path: '/settings', title: 'Settings', access: 'setting.own', area: 'panel', redirect: 'settingsProfile' },

  ohmaGallery: { path: '/ohma', title: 'ohma', access: 'setting.general', area: 'panel' },
} as const satisfies Record<string, Screen>

export type ScreenId = keyof typeof SCREENS

/** Ids of all screens, in the order of the table. */
export const SCREEN_IDS = Object.keys(SCREENS) as ScreenId[] // keys of a literal object

/** A screen with its optional fields visible to the type checker. */
export function screenOf(id: ScreenId): Screen {
  return SCREENS[id]
}

/** The screens a role may open; what `page_access` of the constants lists. */
export function screensFor(role: Role | undefined): ScreenId[] {
  return SCREEN_IDS.filter((id) => (SCREENS[id].area === 'guest' ? role === undefined : can(role, SCREENS[id].access)))
}

/** Where a signed-in person starts. */
export function homeOf(role: Role): ScreenId {
  const first = screensFor(role).find((id) => screenOf(id).nav !== undefined)
  return first ?? 'login'
}

/**
 * The address of a screen. When a parameter is missing it warns and falls back to `/`, as the specification asks.
 * `warn` is where the warning goes.
 */
export function href(id: ScreenId, params: Record<string, string | number> = {}, warn: (message: string) => void = () => {}): string {
  const missing: string[] = []
  const path = SCREENS[id].path.replace(/:(\w+)/g, (_whole, name: string) => {
    const value = params[name]
    if (value === undefined || value === '') {
      missing.push(name)
      return ''
    }
    return encodeURIComponent(String(value))
  })
  if (missing.length === 0) return path
  warn(`The address of ${id} needs ${missing.join(', ')}`)
  return '/'
}
