import { useTranslation } from '#web/i18n/use-translation.ts'
import { CALL_STATUSES } from '#contract/leads/call-status.ts'
import { INTEGRITY_VERDICTS } from '#contract/leads/integrity.ts'
import { LEAD_STATUSES } from '#contract/leads/lead.ts'
import { productApi } from '#contract/leads/product.ts'
import { LEAD_ORIGINS } from '#contract/leads/user-session.ts'
import { landingApi } from '#contract/offers/landing.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { useConstants } from '#web/api/constants.ts'
import { countryName } from '#web/format.ts'
import { choiceFilter, periodFilter, referenceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { useCan } from '#web/shell/access.ts'

/** Offered behind “Filter”, so that the leads begin near the top. */
const RARE = { rare: true } as const

/** What user sessions are narrowed by, wherever they are listed; `ofStatus` = not where they are all of one. */
export function useSessionFilters(ofStatus: boolean) {
  const { t } = useTranslation('userSession')
  const can = useCan()
  const { geos, lead_genders, lead_os, lead_device, lead_history_status } = useConstants()
  return {
    search: searchFilter(t('search')),
    _period: periodFilter(t('received_at'), null),
    ...(ofStatus && {
      status: choiceFilter(
        t('status'),
        LEAD_STATUSES.map((value) => ({ value, label: t(`status.${value}`) })),
      ),
    }),
    call_status: choiceFilter(
      t('call_status'),
      CALL_STATUSES.map((value) => ({ value, label: t(`call.${value}`) })),
    ),
    origin: {
      ...choiceFilter(
        t('origin'),
        LEAD_ORIGINS.map((value) => ({ value, label: t(`origin.${value}`) })),
      ),
      ...RARE,
    },
    offer_uuid: referenceFilter(t('offer'), offerApi.options),
    landing_uuid: { ...referenceFilter(t('landing'), landingApi.options, { type: ['landing'] }), ...RARE },
    country: choiceFilter(
      t('country'),
      geos.map(({ value }) => ({ value, label: countryName(value) })),
    ),
    gender: {
      ...choiceFilter(
        t('gender'),
        lead_genders.map(({ value }) => ({ value, label: t(`gender.${value}` as 'gender.unknown') })), // those are the constants
      ),
      ...RARE,
    },
    os: { ...choiceFilter(t('os'), lead_os), ...RARE },
    device: {
      ...choiceFilter(
        t('device'),
        lead_device.map(({ value }) => ({ value, label: t(`deviceKind.${value}` as 'deviceKind.tv') })), // those are the constants
      ),
      ...RARE,
    },
    ...(can('report.money') && {
      sent: choiceFilter(
        t('sent'),
        lead_history_status.map(({ value }) => ({ value, label: t(`send.${value}` as 'send.accepted') })), // those are the constants
      ),
      integrity: {
        ...choiceFilter(
          t('integrity'),
          INTEGRITY_VERDICTS.map((value) => ({ value, label: t(`integrity.${value}`) })),
        ),
        ...RARE,
      },
    }),
    ...(can('affiliate.read') && { affiliate_uuid: referenceFilter(t('affiliate'), affiliateApi.list) }),
    ...(can('advertiser.read') && { advertiser_uuid: referenceFilter(t('advertiser'), advertiserApi.options) }),
    ...(can('report.money') && { product_uuid: referenceFilter(t('product'), productApi.options) }),
  }
}
