/** Who may do what. The server enforces this table on every endpoint; the web only mirrors it. */

export const ROLES = ['admin', 'head', 'manager', 'team lead', 'affiliate'] as const
export type Role = (typeof ROLES)[number]

/** The roles of people who work for the network; their account type is `manager`. */
export const STAFF_ROLES = ['admin', 'head', 'manager', 'team lead'] as const satisfies readonly Role[]

export const PERMISSIONS = [
  'affiliate.read',
  'affiliate.write',
  'affiliate.act_as',
  'advertiser.read',
  'advertiser.write',
  'manager.read',
  'manager.write',
  'account.password_link',
  'account.security',
  'offer.read',
  'offer.write',
  'offer.partner',
  'lead.own',
  'partner.api',
  'lead.reveal',
  'lead.export',
  'lead.decide',
  'blacklist.write',
  'cold.read',
  'cold.write',
  'cold.consent',
  'person.manage',
  'integration.read',
  'integration.write',
  'product.read',
  'product.write',
  'landing.read',
  'landing.write',
  'link.own',
  'report.read',
  'report.money',
  'conversion.detail',
  'conversion.decide',
  'postback.log',
  'postback.own',
  'postback.confirm',
  'postback.stray',
  'setting.general',
  'setting.domains',
  'setting.domains_danger',
  'setting.registration',
  'setting.payments',
  'setting.affiliates',
  'setting.referrals',
  'setting.security',
  'setting.trafficback',
  'setting.smtp',
  'setting.smtp_secret',
  'setting.own',
  'audit.read',
  'currency.rate',
  'news.own_page',
  'ticket.read',
  'ticket.manage',
  'news.write',
  'balance.own',
  'payment.own',
  'referral.own',
  'billing.read',
  'billing.write',
  'billing.approve',
  'billing.pay',
  'view.shared',
  'system.health',
  'system.read',
  'system.backup',
] as const
export type Permission = (typeof PERMISSIONS)[number]

/** Access an endpoint or screen asks for: nobody in particular, anyone signed in, or one permission. */
export type Access = 'public' | 'signedIn' | Permission

const FULL = PERMISSIONS.filter(
  (permission) =>
    ![
      'offer.partner',
      'lead.own',
      'partner.api',
      'link.own',
      'postback.own',
      'setting.own',
      'balance.own',
      'payment.own',
      'referral.own',
    ].includes(permission),
)

export const ROLE_PERMISSIONS: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  admin: new Set(FULL),
  head: new Set(
    FULL.filter(
      (permission) =>
        !['system.health', 'system.backup', 'postback.confirm', 'setting.smtp_secret', 'setting.domains_danger'].includes(permission),
    ),
  ),
  manager: new Set([
    'affiliate.read',
    'affiliate.write',
    'affiliate.act_as',
    'advertiser.read',
    'advertiser.write',
    'offer.read',
    'offer.write',
    'product.read',
    'product.write',
    'lead.decide',
    'report.read',
    'report.money',
    'lead.reveal',
    'lead.export',
    'conversion.decide',
    'view.shared',
    'ticket.read',
    'ticket.manage',
  ]),
  'team lead': new Set([
    'affiliate.read',
    'affiliate.write',
    'advertiser.read',
    'advertiser.write',
    'manager.read',
    'manager.write',
    'report.read',
    'report.money',
    'lead.reveal',
    'lead.export',
    'conversion.detail',
    'lead.decide',
    'cold.read',
    'cold.write',
    'conversion.decide',
    'postback.log',
    'view.shared',
  ]),
  affiliate: new Set([
    'offer.partner',
    'lead.own',
    'partner.api',
    'link.own',
    'report.read',
    'postback.own',
    'setting.own',
    'news.own_page',
    'ticket.read',
    'balance.own',
    'payment.own',
    'referral.own',
  ]),
}

/** Whether a role passes an access rule. `undefined` is a guest. */
export function can(role: Role | undefined, access: Access): boolean {
  if (access === 'public') return true
  if (role === undefined) return false
  return access === 'signedIn' || ROLE_PERMISSIONS[role].has(access)
}
