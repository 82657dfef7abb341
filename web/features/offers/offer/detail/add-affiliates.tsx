import { useTranslation } from '#web/i18n/use-translation.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { ACCESS_ANSWERS } from '#web/features/offers/offer/detail/decide-access.tsx'
import { ReferencesField } from '#web/kit/fields/references-field.tsx'
import { SideForm } from '#web/kit/form/side-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import type { ReferenceRow } from '#web/kit/list/filter.ts'

/** Gives affiliates access without their asking. */
export function AddAffiliates({ offer, onClose }: { offer: { uuid: string; title: string }; onClose: () => void }) {
  const { t } = useTranslation('offer')
  const nobody: ReferenceRow[] = []
  const form = useSaveForm({
    endpoint: offerApi.addAffiliates,
    initial: { affiliate_uuids: nobody },
    toInput: ({ affiliate_uuids }) => ({ params: { uuid: offer.uuid }, body: { affiliate_uuids: affiliate_uuids.map((one) => one.uuid) } }),
    invalidate: ACCESS_ANSWERS,
    savedText: t('access.added'),
    onSaved: onClose,
  })
  return (
    <SideForm of={form} title={t('access.addTo', { name: offer.title })} action={t('access.addAction')} onClose={onClose}>
      <ReferencesField
        of={form}
        name="affiliate_uuids"
        label={t('access.affiliates')}
        endpoint={affiliateApi.list}
        help={t('access.addHelp')}
      />
    </SideForm>
  )
}
