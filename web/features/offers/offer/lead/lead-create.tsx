import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { apiOfferApi } from '#contract/leads/api-offer.ts'
import { USUAL_INTEGRITY } from '#contract/leads/integrity.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { affiliateSettingApi } from '#contract/people/affiliate-setting.ts'
import { useConstants } from '#web/api/constants.ts'
import { query } from '#web/api/query.ts'
import { OfferForm } from '#web/features/offers/offer/form/offer-form.tsx'
import { blankOffer } from '#web/features/offers/offer/form/offer-values.ts'
import { CreatePage } from '#web/kit/form/create-page.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { useGo } from '#web/shell/access.ts'
import { sharedFields } from './lead-fields.tsx'
import { LeadSections } from './lead-sections.tsx'
import { blankGroup, goalsOfType, hourMistakes, integrityValues, leadBody, type ApiOfferValues } from './lead-values.ts'

/** Makes an API offer as a draft, then shows it with what it still needs to be active. */
export function LeadOfferCreate() {
  const { t } = useTranslation('offer')
  const found = useQuery(query(affiliateSettingApi.defaults, {}))
  return (
    <QueryPage query={found} failed={t('failed')}>
      {({ offer_privacy }) => <NewOffer privacy={offer_privacy} />}
    </QueryPage>
  )
}

function NewOffer({ privacy }: { privacy: CallOutput<typeof affiliateSettingApi.defaults>['offer_privacy'] }) {
  const { t } = useTranslation('offer')
  const go = useGo()
  const { partner_settings } = useConstants()
  const initial: ApiOfferValues = {
    ...blankOffer(partner_settings.time_zone, ''),
    privacy,
    goals: goalsOfType('nutra_cod'),
    integration_type: 'nutra_cod',
    wait_hours: '24',
    repeat_days: '',
    integrity: integrityValues(USUAL_INTEGRITY),
    consent: { mode: 'off', fields: [] },
    thank_you_url: '',
    groups: [blankGroup()],
  }
  const form = useSaveForm({
    endpoint: apiOfferApi.create,
    initial,
    toInput: (values) => ({ body: leadBody(values) }),
    check: (values) => hourMistakes(values, t('lead.hoursWrong')),
    invalidate: [offerApi.list],
    savedText: t('created'),
    onSaved: ({ uuid }) => go('offerDetailApi', { uuid }, { replace: true }),
  })
  return (
    <CreatePage of={form} title={t('lead.new')} text={t('lead.newText')} action={t('create')} onCancel={() => go('offers')}>
      <OfferForm of={sharedFields(form)} leads={<LeadSections of={form} isNew />} />
    </CreatePage>
  )
}
