import { enStart } from './en-start.ts'
import { screenNames } from './screen-names.ts'
import kit from './en/kit.json' with { type: 'json' }
import layout from './en/layout.json' with { type: 'json' }
import advertiser from '#web/features/people/advertiser/advertiser.en.json' with { type: 'json' }
import affiliate from '#web/features/people/affiliate/affiliate.en.json' with { type: 'json' }
import manager from '#web/features/people/manager/manager.en.json' with { type: 'json' }
import dashboard from '#web/features/network/dashboard/dashboard.en.json' with { type: 'json' }
import metric from './en/metric.json' with { type: 'json' }
import dimension from './en/dimension.json' with { type: 'json' }
import click from '#web/features/traffic/click/click.en.json' with { type: 'json' }
import postbackLog from '#web/features/traffic/postback-log/postback-log.en.json' with { type: 'json' }
import conversion from '#web/features/traffic/conversion/conversion.en.json' with { type: 'json' }
import report from '#web/features/traffic/report/report.en.json' with { type: 'json' }
import landing from '#web/features/offers/landing/landing.en.json' with { type: 'json' }
import offer from '#web/features/offers/offer/offer.en.json' with { type: 'json' }
import partnerOffer from '#web/features/offers/partner-offer/partner-offer.en.json' with { type: 'json' }
import postback from '#web/features/traffic/postback/postback.en.json' with { type: 'json' }
import screen from './en/screen.json' with { type: 'json' }
import currency from '#web/features/money/currency/currency.en.json' with { type: 'json' }
import setting from '#web/features/network/setting/setting.en.json' with { type: 'json' }
import verdict from './en/verdict.json' with { type: 'json' }
import constant from './en/constant.json' with { type: 'json' }

const texts = {
  ...enStart,
  kit,
  advertiser,
  affiliate,
  layout,
  manager,
  dashboard,
  dimension,
  click,
  conversion,
  postbackLog,
  report,
  partnerOffer,
  postback,
  metric,
  landing,
  offer,
  currency,
  setting,
  verdict,
  constant,
}

/** All English texts: one file and one line here for each namespace. */
export const en = { ...texts, screen: screenNames(screen, texts) }
