import { useTranslation } from 'react-i18next'
import { offerApi } from '#contract/offers/offer.ts'
import { useConstants } from '#web/api/constants.ts'
import { OfferForm } from '#web/features/offers/offer/form/offer-form.tsx'
import { blankOffer, offerBody } from '#web/features/offers/offer/form/offer-values.ts'
import { CreatePage } from '#web/kit/form/create-page.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
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
    <CreatePage of={form} title={t('new')} text={t('newText')} action={t('create')} onCancel={() => go('offers')}>
      <OfferForm of={form} />
    </CreatePage>
  )
}
