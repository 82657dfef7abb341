import { IconSettings } from '@tabler/icons-react'
import type { SCREENS, ScreenId } from '#contract/screens.ts'
import { advertiserPages } from '#web/features/people/advertiser/advertiser.pages.ts'
import { affiliatePages } from '#web/features/people/affiliate/affiliate.pages.ts'
import { authPages } from '#web/features/people/auth/auth.pages.ts'
import { clickPages } from '#web/features/traffic/click/click.pages.ts'
import { conversionPages } from '#web/features/traffic/conversion/conversion.pages.ts'
import { dashboardPages } from '#web/features/network/dashboard/dashboard.pages.ts'
import { landingPages } from '#web/features/offers/landing/landing.pages.ts'
import { managerPages } from '#web/features/people/manager/manager.pages.ts'
import { offerPages } from '#web/features/offers/offer/offer.pages.ts'
import { ohmaPages } from '#web/features/network/ohma/ohma.pages.ts'
import { partnerOfferPages } from '#web/features/offers/partner-offer/partner-offer.pages.ts'
import { postbackLogPages } from '#web/features/traffic/postback-log/postback-log.pages.ts'
import { postbackPages } from '#web/features/traffic/postback/postback.pages.ts'
import { reportPages } from '#web/features/traffic/report/report.pages.ts'
import { settingPages } from '#web/features/network/setting/setting.pages.ts'
import type { Page, Pages } from '#web/shell/page.ts'

/** Screens with a page of their own: all but those that only lead on to another. */
type PageId = { [Id in ScreenId]: (typeof SCREENS)[Id] extends { redirect: string } ? never : Id }[ScreenId]

/** What stands behind every screen: one line for each feature. A screen without a page is a compile error. */
const PAGES: Pages<PageId> = {
  ...authPages,
  ...dashboardPages,
  ...offerPages,
  ...landingPages,
  ...partnerOfferPages,
  ...affiliatePages,
  ...advertiserPages,
  ...managerPages,
  ...reportPages,
  ...clickPages,
  ...conversionPages,
  ...postbackLogPages,
  ...postbackPages,
  settingsGeneral: { page: async () => (await import('#web/general-screen.tsx')).GeneralScreen, icon: IconSettings },
  ...settingPages,
  ...ohmaPages,
}

/** What stands behind a screen; undefined for one that only leads on. */
export function pageOf(id: ScreenId): Page | undefined {
  return id in PAGES ? PAGES[id as PageId] : undefined // `in` does not narrow a union of literals
}
