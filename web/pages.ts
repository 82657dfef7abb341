import type { ComponentType } from 'react'
import type { SCREENS, ScreenId } from '#contract/screens.ts'

/** Screens with a page of their own: all but those that only lead on to another. */
type PageId = { [Id in ScreenId]: (typeof SCREENS)[Id] extends { redirect: string } ? never : Id }[ScreenId]

/** The page of every screen, loaded when somebody opens it. A screen without a page is a compile error. */
export const PAGES: Readonly<Record<PageId, () => Promise<ComponentType>>> = {
  login: async () => (await import('#web/features/people/auth/login.tsx')).Login,
  setPassword: async () => (await import('#web/features/people/auth/set-password.tsx')).SetPassword,

  dashboard: async () => (await import('#web/features/network/dashboard/staff-dashboard.tsx')).StaffDashboard,
  dashboardOwn: async () => (await import('#web/features/network/dashboard/affiliate-dashboard.tsx')).AffiliateDashboard,

  offers: async () => (await import('#web/features/offers/offer/offer-list.tsx')).OfferList,
  offerCreateDirect: async () => (await import('#web/features/offers/offer/offer-create.tsx')).OfferCreate,
  offerEditDirect: async () => (await import('#web/features/offers/offer/offer-edit.tsx')).OfferEdit,
  offerDetailDirect: async () => (await import('#web/features/offers/offer/detail/offer-detail.tsx')).OfferDetail,

  partnerOffersAll: async () => (await import('#web/features/offers/partner-offer/partner-offers-all.tsx')).PartnerOffersAll,
  partnerOffersLive: async () => (await import('#web/features/offers/partner-offer/partner-offers-live.tsx')).PartnerOffersLive,
  partnerOffersAvailable: async () =>
    (await import('#web/features/offers/partner-offer/partner-offers-available.tsx')).PartnerOffersAvailable,
  partnerOffer: async () => (await import('#web/features/offers/partner-offer/partner-offer-detail.tsx')).PartnerOfferDetail,

  affiliates: async () => (await import('#web/features/people/affiliate/affiliate-list.tsx')).AffiliateList,
  affiliateCreate: async () => (await import('#web/features/people/affiliate/affiliate-create.tsx')).AffiliateCreate,
  affiliateEdit: async () => (await import('#web/features/people/affiliate/affiliate-edit.tsx')).AffiliateEdit,

  advertisers: async () => (await import('#web/features/people/advertiser/advertiser-list.tsx')).AdvertiserList,
  advertiserCreate: async () => (await import('#web/features/people/advertiser/advertiser-create.tsx')).AdvertiserCreate,
  advertiserEdit: async () => (await import('#web/features/people/advertiser/advertiser-edit.tsx')).AdvertiserEdit,

  managers: async () => (await import('#web/features/people/manager/manager-list.tsx')).ManagerList,
  managerCreate: async () => (await import('#web/features/people/manager/manager-create.tsx')).ManagerCreate,
  managerEdit: async () => (await import('#web/features/people/manager/manager-edit.tsx')).ManagerEdit,

  statisticDirectGeneral: async () => (await import('#web/features/traffic/report/report-page.tsx')).ReportPage,
  statisticDirectClicks: async () => (await import('#web/features/traffic/click/click-list.tsx')).ClickList,
  statisticDirectConversion: async () => (await import('#web/features/traffic/conversion/conversion-list.tsx')).ConversionList,
  statisticConversionDetail: async () => (await import('#web/features/traffic/conversion/conversion-detail.tsx')).ConversionDetail,
  statisticPostbacks: async () => (await import('#web/features/traffic/postback-log/postback-log.tsx')).PostbackLog,

  settingsGeneral: async () => (await import('#web/features/network/setting/general-settings.tsx')).GeneralSettings,
  settingsTrafficback: async () => (await import('#web/features/network/setting/trafficback-settings.tsx')).TrafficbackSettings,

  settingsPostback: async () => (await import('#web/features/traffic/postback/own-postbacks.tsx')).OwnPostbacks,

  ohmaGallery: async () => (await import('#web/features/network/ohma/ohma-gallery.tsx')).OhmaGallery,
}

/** The page of a screen; undefined for one that only leads on. */
export function pageOf(id: ScreenId): (() => Promise<ComponentType>) | undefined {
  return id in PAGES ? PAGES[id as PageId] : undefined // `in` does not narrow a union of literals
}
