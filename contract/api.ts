import { advertiserApi } from './people/advertiser.ts'
import { affiliateApi } from './people/affiliate.ts'
import { authApi } from './people/auth.ts'
import { constantApi } from './network/constant.ts'
import { clickApi } from './traffic/click.ts'
import { conversionApi } from './traffic/conversion.ts'
import { currencyApi, currencyRateApi } from './money/currency.ts'
import { fileApi } from './network/file.ts'
import { dashboardApi } from './network/dashboard.ts'
import type { EndpointGroup } from './endpoint.ts'
import { landingApi } from './offers/landing.ts'
import { ledgerApi } from './money/ledger.ts'
import { managerApi } from './people/manager.ts'
import { offerApi } from './offers/offer.ts'
import { partnerOfferApi } from './offers/partner-offer.ts'
import { ownPostbackApi, postbackApi } from './traffic/postback.ts'
import { reportApi } from './traffic/report.ts'
import { savedViewApi } from './traffic/view.ts'
import { settingApi } from './network/setting.ts'

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
  landing: landingApi,
  click: clickApi,
  conversion: conversionApi,
  postback: postbackApi,
  ownPostback: ownPostbackApi,
  ledger: ledgerApi,
  currency: currencyApi,
  currencyRate: currencyRateApi,
  report: reportApi,
  dashboard: dashboardApi,
  savedView: savedViewApi,
  file: fileApi,
} as const satisfies Record<string, EndpointGroup>
