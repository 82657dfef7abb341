import { useQuery } from '@tanstack/react-query'
import { useRef, type FormEvent } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { affiliateSettingApi } from '#contract/people/affiliate-setting.ts'
import { useConstants } from '#web/api/constants.ts'
import { query } from '#web/api/query.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { OfferForm } from '#web/features/offers/offer/form/offer-form.tsx'
import { blankOffer, offerBody } from '#web/features/offers/offer/form/offer-values.ts'
import { useOfferStatus } from '#web/features/offers/offer/use-offer-status.ts'
import { CreatePage } from '#web/kit/form/create-page.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { useGo } from '#web/shell/access.ts'

/** Makes a direct-link offer as a draft, or activates it in the same step, then shows it with what it still needs to be active. */
export function OfferCreate() {
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
  const setStatus = useOfferStatus()
  /** Whether what is being saved is to be activated. */
  const activates = useRef(false)
  const { partner_settings } = useConstants()
  const form = useSaveForm({
    endpoint: offerApi.create,
    initial: { ...blankOffer(partner_settings.time_zone, t('goal.sale')), privacy },
    toInput: (values) => ({ body: offerBody(values) }),
    invalidate: [offerApi.list],
    savedText: t('created'),
    onSaved: ({ uuid, title }) => {
      go('offerDetailDirect', { uuid }, { replace: true })
      // what speaks against it is asked or said on its page, and the draft is saved
      if (activates.current) void setStatus([{ uuid, title }], 'active')
    },
  })
  const save = (activate: boolean) => (event?: FormEvent<HTMLFormElement>) => {
    activates.current = activate
    form.submit(event)
  }
  return (
    <CreatePage
      of={{ ...form, submit: save(false) }}
      title={t('new')}
      text={t('newText')}
      action={t('create')}
      also={{ label: t('createActive'), onClick: () => save(true)() }}
      onCancel={() => go('offers')}
    >
      <OfferForm of={form} />
    </CreatePage>
  )
}
