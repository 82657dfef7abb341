import { href, type ScreenId } from '#contract/screens.ts'
import type { Notification, NotificationKind } from './notification.ts'

/** What is told of a product is mended on its advertiser's page. */
const OF_A_PRODUCT: ReadonlySet<NotificationKind> = new Set(['leads_silent', 'product_refused', 'product_failing'])

/** Where a notification leads, in the bell and in mails: to the nearest screen that whoever reads it `has`, else to their dashboard. */
export function notificationTarget(
  { kind, offer, affiliate, landing, ticket, news, status, reason }: Omit<Notification, 'read' | 'at'>,
  has: (screen: ScreenId) => boolean,
): string {
  const home = href(has('dashboard') ? 'dashboard' : 'dashboardOwn')
  if (kind === 'accounts_assigned') return href(status === 'manager' ? 'managers' : status === 'advertiser' ? 'advertisers' : 'affiliates')
  if (OF_A_PRODUCT.has(kind) && has('advertiserEdit')) return `${href('advertiserEdit', { uuid: status })}?tab=products`
  if (kind === 'cold_rule_failing' && has('coldRules')) return `${href('coldRules')}?rule=${status}`
  if ((kind === 'credit_near' || kind === 'credit_blocked') && has('advertiserEdit'))
    return `${href('advertiserEdit', { uuid: status })}?tab=billing`
  if (kind === 'invoice_objection' || kind === 'own_invoice')
    return has('invoiceDetail')
      ? href('invoiceDetail', { uuid: status })
      : has('payments')
        ? `${href('payments')}?view=invoices&invoice=${status}`
        : home
  if (kind === 'invoice_moved' && has('payments')) return `${href('payments')}?view=invoices`
  if ((kind === 'request_decided' || kind === 'balance_changed') && has('payments')) return href('payments')
  if (kind === 'domain_failing' && has('settingsDomains')) return `${href('settingsDomains')}?search=${encodeURIComponent(reason)}`
  if (kind === 'domain_replaced' && has('partnerOffersLive')) return href('partnerOffersLive')
  if (ticket !== null && has('tickets')) return `${href('tickets')}?ticket=${ticket.id}`
  if (news !== null) return `${has('news') ? href('news') : home}?news=${news.uuid}`
  if (kind === 'system_problem' && has('system')) return href('system')
  if (kind === 'new_device' && has('settingsSecurityOwn')) return href('settingsSecurityOwn')
  if (kind === 'new_device' && has('settingsSecurity')) return `${href('settingsSecurity')}?tab=own`
  if (kind === 'new_device') return home
  if (kind === 'access_requested') return `${home}?tab=access`
  if (kind === 'conversions_declined') return `${href('statisticDirectConversion')}?status=declined`
  if (kind === 'deliveries_given_up') return has('settingsPostback') ? href('settingsPostback') : `${home}?tab=deliveries`
  if (landing !== null && has('landingEdit')) return href('landingEdit', { uuid: landing.uuid })
  if (offer !== null && has('partnerOffer')) return href('partnerOffer', { uuid: offer.uuid })
  if (offer !== null && has('offerDetailDirect')) return href('offerDetailDirect', { uuid: offer.uuid })
  if (affiliate !== null && has('affiliateEdit')) return href('affiliateEdit', { uuid: affiliate.uuid })
  return home
}
