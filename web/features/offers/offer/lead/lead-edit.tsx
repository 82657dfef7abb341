import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { apiOfferApi, type ApiOfferDetail } from '#contract/leads/api-offer.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { OfferForm } from '#web/features/offers/offer/form/offer-form.tsx'
import { OFFER_STATUS } from '#web/features/offers/offer/offer-columns.tsx'
import { confirmDoubts, doubtsIn } from '#web/features/offers/offer/offer-doubts.tsx'
import { EmptyState } from '#web/kit/feedback/empty-state.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { DetailPage } from '#web/kit/page/detail-page.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import { sharedFields } from './lead-fields.tsx'
import { LeadSections } from './lead-sections.tsx'
import { hourMistakes, leadBody, leadValues } from './lead-values.ts'

/** Everything of one API offer that can be changed; its status is changed where it is shown. */
export function LeadOfferEdit() {
  const { t } = useTranslation('offer')
  return (
    <DetailPage screen="offerEditApi" endpoint={apiOfferApi.get} failed={t('failed')} uuidOf={({ uuid }) => uuid}>
      {(offer) => {
        const view = (
          <Button
            component={ScreenLink}
            to="offerDetailApi"
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
            {offer.editable ? <Fields offer={offer} /> : <EmptyState title={t('notYours.title')} text={t('lead.notYours')} action={view} />}
          </>
        )
      }}
    </DetailPage>
  )
}

function Fields({ offer }: { offer: ApiOfferDetail }) {
  const { t } = useTranslation('offer')
  const form = useSaveForm({
    endpoint: apiOfferApi.update,
    record: offer,
    valuesOf: leadValues,
    toInput: (values, { version }) => ({ params: { uuid: offer.uuid }, body: { ...leadBody(values), version } }),
    check: (values) => hourMistakes(values, t('lead.hoursWrong')),
    invalidate: [offerApi.list, offerApi.get, apiOfferApi.get, offerApi.history],
    onRefused: async (error, input) => {
      const doubts = doubtsIn(error)
      if (doubts.length === 0) throw error
      return (await confirmDoubts(t, doubts, 'save', offer.title)) ? { ...input, body: { ...input.body, confirm: doubts } } : undefined
    },
  })
  return (
    <PageForm of={form} label={offer.title} action={t('save')}>
      <OfferForm of={sharedFields(form)} id={offer.id} leads={<LeadSections of={form} isNew={false} />} />
    </PageForm>
  )
}
