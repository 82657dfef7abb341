import auth from '#web/features/people/auth/auth.uk.json' with { type: 'json' }
import error from './uk/error.json' with { type: 'json' }
import common from './uk/common.json' with { type: 'json' }
import kit from './uk/kit.json' with { type: 'json' }
import field from './uk/field.json' with { type: 'json' }
import layout from './uk/layout.json' with { type: 'json' }
import advertiser from '#web/features/people/advertiser/advertiser.uk.json' with { type: 'json' }
import affiliate from '#web/features/people/affiliate/affiliate.uk.json' with { type: 'json' }
import manager from '#web/features/people/manager/manager.uk.json' with { type: 'json' }
import dashboard from '#web/features/network/dashboard/dashboard.uk.json' with { type: 'json' }
import metric from './uk/metric.json' with { type: 'json' }
import dimension from './uk/dimension.json' with { type: 'json' }
import click from '#web/features/traffic/click/click.uk.json' with { type: 'json' }
import postbackLog from '#web/features/traffic/postback-log/postback-log.uk.json' with { type: 'json' }
import conversion from '#web/features/traffic/conversion/conversion.uk.json' with { type: 'json' }
import report from '#web/features/traffic/report/report.uk.json' with { type: 'json' }
import landing from '#web/features/offers/landing/landing.uk.json' with { type: 'json' }
import offer from '#web/features/offers/offer/offer.uk.json' with { type: 'json' }
import partnerOffer from '#web/features/offers/partner-offer/partner-offer.uk.json' with { type: 'json' }
import postback from '#web/features/traffic/postback/postback.uk.json' with { type: 'json' }
import screen from './uk/screen.json' with { type: 'json' }
import currency from '#web/features/money/currency/currency.uk.json' with { type: 'json' }
import setting from '#web/features/network/setting/setting.uk.json' with { type: 'json' }
import shell from './uk/shell.json' with { type: 'json' }
import verdict from './uk/verdict.json' with { type: 'json' }
import constant from './uk/constant.json' with { type: 'json' }

/** All Ukrainian texts: one file and one line here for each namespace. */
export const uk = {
  auth,
  common,
  error,
  advertiser,
  affiliate,
  field,
  kit,
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
  screen,
  currency,
  setting,
  shell,
  verdict,
  constant,
}
