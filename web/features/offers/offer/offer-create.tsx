import { useTranslation } from 'react-i18next'
import { offerApi } from '#contract/offers/offer.ts'
import { useConstants } from '#web/api/constants.ts'
import { OfferForm } from '#web/features/offers/offer/form/offer-form.tsx'
import { blankOffer, offerBody } from '#web/features/offers/offer/form/offer-values.ts'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { useGo } from '#web/shell/access.ts'

/** Makes a direct-link offer as a draft, then shows it with what it still needs to be active. */
export function OfferCreate() {
  const { t } = useTranslation('offer')
  const go = useGo()
  const { partner_settings } = useConstants()
  const form = useSaveForm({
    endpoint: offerApi.create,
    initial: blankOffer(partner_settings.time_zone, t('goal.sale')),
    toInput: (values) => ({ body: offerBody(values) }),
    invalidate: [offerApi.list],
    savedText: t('created'),
    onSaved: ({ uuid }) => go('offerDetailDirect', { uuid }, { replace: true }),
  })
  return (
    <>
      <PageHeader title={t('new')} facts={[t('newText')]} />
      <PageForm of={form} label={t('new')} action={t('create')} onCancel={() => go('offers')}>
        <OfferForm of={form} />
      </PageForm>
    </>
  )
}
