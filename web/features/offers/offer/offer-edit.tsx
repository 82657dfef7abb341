import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Navigate } from 'react-router'
import { offerApi } from '#contract/offers/offer.ts'
import { OfferForm } from '#web/features/offers/offer/form/offer-form.tsx'
import type { Proposing } from '#web/features/offers/offer/form/landings-editor.tsx'
import { offerBody, offerValues, type OfferDetail } from '#web/features/offers/offer/form/offer-values.ts'
import { OFFER_STATUS } from '#web/features/offers/offer/offer-columns.tsx'
import { confirmDoubts, doubtsIn } from '#web/features/offers/offer/offer-doubts.tsx'
import { EmptyState } from '#web/kit/feedback/empty-state.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { DetailPage } from '#web/kit/page/detail-page.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { screenHref } from '#web/shell/access.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'

/** Everything of one offer that can be changed; its status is changed where the offer is shown. */
export function OfferEdit() {
  const { t } = useTranslation('offer')
  return (
    <DetailPage screen="offerEditDirect" endpoint={offerApi.get} failed={t('failed')} uuidOf={({ uuid }) => uuid}>
      {(offer) => {
        if (offer.type === 'api') return <Navigate to={screenHref('offerEditApi', { uuid: offer.uuid })} replace />
        const view = (
          <Button
            component={ScreenLink}
            to="offerDetailDirect"
            params={{ uuid: offer.uuid }}
            variant="default"
            leftSection={<IconEye size={16} aria-hidden />}
          >
            {t('view')}
          </Button>
        )
        return (
          <>
            <PageHeader
              title={offer.title}
              id={offer.id}
              status={<Status of={OFFER_STATUS} value={offer.status} />}
              facts={[t('editText')]}
              actions={view}
            />
            {offer.editable ? <Fields offer={offer} /> : <EmptyState title={t('notYours.title')} text={t('notYours.text')} action={view} />}
          </>
        )
      }}
    </DetailPage>
  )
}

function Fields({ offer }: { offer: OfferDetail }) {
  const { t } = useTranslation('offer')
  const form = useSaveForm({
    endpoint: offerApi.update,
    record: offer,
    valuesOf: offerValues,
    // the version these fields were read from: a refetch in the background must not hide that somebody saved in between
    toInput: (values, { version }) => ({ params: { uuid: offer.uuid }, body: { ...offerBody(values), version } }),
    invalidate: [offerApi.list, offerApi.get, offerApi.history],
    onRefused: async (error, input) => {
      const doubts = doubtsIn(error)
      if (doubts.length === 0) throw error
      return (await confirmDoubts(t, doubts, 'save', offer.title)) ? { ...input, body: { ...input.body, confirm: doubts } } : undefined
    },
  })
  const onProposed: Proposing['onProposed'] = (landing, version) =>
    form.follow((record) => ({
      ...record,
      // had somebody else saved in between, it would be more than the next one, and the form has to be refused
      version: record.version === version - 1 ? version : record.version,
      landings: [...record.landings.filter(({ uuid }) => uuid !== landing.uuid), landing],
    }))
  return (
    <PageForm of={form} label={offer.title} action={t('save')}>
      <OfferForm of={form} id={offer.id} proposing={{ offer, onProposed }} advertiser={offer.advertiser} />
    </PageForm>
  )
}
