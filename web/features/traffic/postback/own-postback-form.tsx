import { useTranslation } from 'react-i18next'
import { CONVERSION_STATUSES } from '#contract/traffic/conversion.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { ownPostbackApi } from '#contract/traffic/postback.ts'
import type { OwnPostback } from '#web/features/traffic/postback/own-postback-columns.tsx'
import { MacroHelp } from '#web/features/traffic/postback/macro-help.tsx'
import { MultiSelectField } from '#web/kit/fields/multi-select-field.tsx'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { SideForm } from '#web/kit/form/side-form.tsx'
import { useSaveForm, type SaveForm } from '#web/kit/form/use-save-form.ts'

type Values = { offer_uuid: string | null; goal: string; statuses: OwnPostback['statuses']; method: 'GET' | 'POST'; url: string }

/** Adds a postback, or changes one. */
export function OwnPostbackForm({ postback, onClose }: { postback: OwnPostback | undefined; onClose: () => void }) {
  return postback === undefined ? <Create onClose={onClose} /> : <Edit postback={postback} onClose={onClose} />
}

function Create({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('postback')
  const form = useSaveForm({
    endpoint: ownPostbackApi.create,
    initial: { offer_uuid: null, goal: '', statuses: [], method: 'GET', url: '' } as Values, // widens the literals
    toInput: (values) => ({ body: bodyOf(values) }),
    invalidate: [ownPostbackApi.list],
    onSaved: onClose,
  })
  return (
    <SideForm of={form} title={t('new')} action={t('create')} onClose={onClose}>
      <Fields of={form} />
    </SideForm>
  )
}

function Edit({ postback, onClose }: { postback: OwnPostback; onClose: () => void }) {
  const { t } = useTranslation('postback')
  const form = useSaveForm({
    endpoint: ownPostbackApi.update,
    record: postback,
    valuesOf: ({ offer, goal, statuses, method, url }): Values => ({
      offer_uuid: offer?.uuid ?? null,
      goal: goal ?? '',
      statuses,
      method,
      url,
    }),
    toInput: (values, { version }) => ({ params: { uuid: postback.uuid }, body: { ...bodyOf(values), version } }),
    invalidate: [ownPostbackApi.list],
    onSaved: onClose,
  })
  return (
    <SideForm of={form} title={t('edit')} action={t('save')} onClose={onClose}>
      <Fields of={form} offer={postback.offer} />
    </SideForm>
  )
}

function Fields({ of, offer = null }: { of: SaveForm<Values>; offer?: OwnPostback['offer'] }) {
  const { t } = useTranslation('postback')
  return (
    <>
      <TextField
        of={of}
        name="url"
        label={t('url')}
        type="url"
        placeholder="https://tracker.example/postback?cid={aff_click_id}&sum={payout}"
        required
      />
      <MacroHelp />
      <SelectField
        of={of}
        name="method"
        label={t('method')}
        options={[
          { value: 'GET', label: 'GET' },
          { value: 'POST', label: 'POST' },
        ]}
        required
      />
      <ReferenceField of={of} name="offer_uuid" label={t('offer')} endpoint={offerApi.options} chosen={offer} help={t('offerHelp')} />
      <TextField of={of} name="goal" label={t('goal')} help={t('goalHelp')} />
      <MultiSelectField
        of={of}
        name="statuses"
        label={t('statuses')}
        options={CONVERSION_STATUSES.map((status) => ({ value: status, label: t(`conversion.${status}`) }))}
        help={t('statusesHelp')}
      />
    </>
  )
}

function bodyOf({ goal, ...rest }: Values) {
  return { ...rest, goal: goal === '' ? null : goal }
}
