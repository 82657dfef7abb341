import { useTranslation } from '#web/i18n/use-translation.ts'
import { GIVEN_REASONS, SUPPRESSION_KINDS, SUPPRESSION_SCOPES, suppressionApi, type SuppressionKind } from '#contract/leads/suppression.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { DayField } from '#web/kit/fields/day/day-field.tsx'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

const INITIAL = {
  kind: 'email' as SuppressionKind,
  value: '',
  scope: 'everywhere' as (typeof SUPPRESSION_SCOPES)[number],
  advertiser_uuid: null as string | null,
  offer_uuid: null as string | null,
  reason: 'opt_out' as (typeof GIVEN_REASONS)[number],
  note: '',
  expires_at: null as string | null,
}

/** Suppresses one contact, everywhere or for one advertiser or offer. */
export function SuppressContact({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('suppression')
  const form = useSaveForm({
    endpoint: suppressionApi.add,
    initial: INITIAL,
    toInput: ({ scope, expires_at, advertiser_uuid, offer_uuid, ...values }) => ({
      body: {
        ...values,
        advertiser_uuid: scope === 'advertiser' ? advertiser_uuid : null,
        offer_uuid: scope === 'offer' ? offer_uuid : null,
        // the day itself counts
        expires_at: expires_at === null ? null : `${expires_at}T23:59:59Z`,
      },
    }),
    invalidate: [suppressionApi.list],
    savedText: t('added'),
    onSaved: onClose,
  })
  const { scope, advertiser_uuid, offer_uuid } = form.values
  const lacks = (scope === 'advertiser' && advertiser_uuid === null) || (scope === 'offer' && offer_uuid === null)
  const options = <Value extends string>(values: readonly Value[], label: (value: Value) => string) =>
    values.map((value) => ({ value, label: label(value) }))
  return (
    <DialogForm
      of={form}
      title={t('add.title')}
      text={t('add.text')}
      action={t('add')}
      size={520}
      why={lacks ? t('scope.choose') : undefined}
      onClose={onClose}
    >
      <SelectField of={form} name="kind" label={t('kind')} options={options(SUPPRESSION_KINDS, (one) => t(`kind.${one}`))} required />
      <TextField of={form} name="value" label={t('value')} help={t(`help.${form.values.kind}`)} required />
      <SelectField of={form} name="scope" label={t('scope')} options={options(SUPPRESSION_SCOPES, (one) => t(`scope.${one}`))} required />
      {scope === 'advertiser' && (
        <ReferenceField of={form} name="advertiser_uuid" label={t('advertiser')} endpoint={advertiserApi.list} required />
      )}
      {scope === 'offer' && <ReferenceField of={form} name="offer_uuid" label={t('offer')} endpoint={offerApi.options} required />}
      <SelectField of={form} name="reason" label={t('reason')} options={options(GIVEN_REASONS, (one) => t(`reason.${one}`))} required />
      <TextField of={form} name="note" label={t('note')} help={t('noteHelp')} />
      <DayField of={form} name="expires_at" label={t('expires_at')} help={t('expiresHelp')} />
    </DialogForm>
  )
}
