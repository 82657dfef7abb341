import { ERRORS } from '#contract/errors.ts'
import { LOCAL_TEXTS } from '#web/api/call-error.ts'
import auth from './en/auth.json' with { type: 'json' }
import kit from './en/kit.json' with { type: 'json' }
import field from './en/field.json' with { type: 'json' }
import layout from './en/layout.json' with { type: 'json' }
import advertiser from './en/advertiser.json' with { type: 'json' }
import affiliate from './en/affiliate.json' with { type: 'json' }
import manager from './en/manager.json' with { type: 'json' }
import dashboard from './en/dashboard.json' with { type: 'json' }
import metric from './en/metric.json' with { type: 'json' }
import dimension from './en/dimension.json' with { type: 'json' }
import click from './en/click.json' with { type: 'json' }
import postbackLog from './en/postback-log.json' with { type: 'json' }
import conversion from './en/conversion.json' with { type: 'json' }
import report from './en/report.json' with { type: 'json' }
import offer from './en/offer.json' with { type: 'json' }
import partnerOffer from './en/partner-offer.json' with { type: 'json' }
import postback from './en/postback.json' with { type: 'json' }
import screen from './en/screen.json' with { type: 'json' }
import setting from './en/setting.json' with { type: 'json' }
import shell from './en/shell.json' with { type: 'json' }
import verdict from './en/verdict.json' with { type: 'json' }
import constant from './en/constant.json' with { type: 'json' }

/** Texts of failures by numeric code. English is the language of the contract's own table. */
const error: Record<string, string> = { ...Object.fromEntries(Object.values(ERRORS).map(({ code, text }) => [code, text])), ...LOCAL_TEXTS }

/** All English texts: one file and one line here for each namespace. */
export const en = {
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
