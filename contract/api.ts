import { advertiserApi } from './advertiser.ts'
import { affiliateApi } from './affiliate.ts'
import { authApi } from './auth.ts'
import { constantApi } from './constant.ts'
import { conversionApi } from './conversion.ts'
import { currencyRateApi } from './currency-rate.ts'
import { dashboardApi } from './dashboard.ts'
import type { EndpointGroup } from './endpoint.ts'
import { ledgerApi } from './ledger.ts'
import { managerApi } from './manager.ts'
import { offerApi } from './offer.ts'
import { partnerOfferApi } from './partner-offer.ts'
import { ownPostbackApi, postbackApi } from './postback.ts'
import { reportApi } from './report.ts'
import { savedViewApi } from './saved-view.ts'
import { settingApi } from './setting.ts'

/** Every group of endpoints by feature: what the API reference and the tests that visit every endpoint go through. */
export const API = {
  auth: authApi,
  constant: constantApi,
  setting: settingApi,
  affiliate: affiliateApi,
  manager: managerApi,
  advertiser: advertiserApi,
  offer: offerApi,
  partnerOffer: partnerOfferApi,
  conversion: conversionApi,
  postback: postbackApi,
  ownPostback: ownPostbackApi,
  ledger: ledgerApi,
  currencyRate: currencyRateApi,
  report: reportApi,
  dashboard: dashboardApi,
  savedView: savedViewApi,
} as const satisfies Record<string, EndpointGroup>
