import auth from './uk/auth.json' with { type: 'json' }
import error from './uk/error.json' with { type: 'json' }
import kit from './uk/kit.json' with { type: 'json' }
import field from './uk/field.json' with { type: 'json' }
import layout from './uk/layout.json' with { type: 'json' }
import advertiser from './uk/advertiser.json' with { type: 'json' }
import affiliate from './uk/affiliate.json' with { type: 'json' }
import manager from './uk/manager.json' with { type: 'json' }
import dashboard from './uk/dashboard.json' with { type: 'json' }
import metric from './uk/metric.json' with { type: 'json' }
import dimension from './uk/dimension.json' with { type: 'json' }
import click from './uk/click.json' with { type: 'json' }
import postbackLog from './uk/postback-log.json' with { type: 'json' }
import conversion from './uk/conversion.json' with { type: 'json' }
import report from './uk/report.json' with { type: 'json' }
import offer from './uk/offer.json' with { type: 'json' }
import partnerOffer from './uk/partner-offer.json' with { type: 'json' }
import postback from './uk/postback.json' with { type: 'json' }
import screen from './uk/screen.json' with { type: 'json' }
import setting from './uk/setting.json' with { type: 'json' }
import shell from './uk/shell.json' with { type: 'json' }
import verdict from './uk/verdict.json' with { type: 'json' }
import constant from './uk/constant.json' with { type: 'json' }

/** All Ukrainian texts: one file and one line here for each namespace. */
export const uk = {
  auth,
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
  offer,
  screen,
  setting,
  shell,
  verdict,
  constant,
}
