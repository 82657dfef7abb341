import { useTranslation } from '#web/i18n/use-translation.ts'
import { CONVERSION_STATUSES } from '#contract/traffic/conversion.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { ownPostbackApi } from '#contract/traffic/own-postback.ts'
import type { OwnPostback } from '#web/features/traffic/postback/own-postback-columns.tsx'
import { MessageFields } from '#web/features/traffic/postback/message-fields.tsx'
import { MessageTrial } from '#web/features/traffic/postback/message-trial.tsx'
import classes from '#web/features/traffic/postback/postback.module.css'
import { messageOf, messageValues, NO_MESSAGE, type MessageValues } from '#web/features/traffic/postback/postback-values.ts'
import { MultiSelectField } from '#web/kit/fields/multi-select-field.tsx'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { SideForm } from '#web/kit/form/side-form.tsx'
import { useSaveForm, type SaveForm } from '#web/kit/form/use-save-form.ts'

type Values = MessageValues & { offer_uuid: string | null; goal: string; statuses: OwnPostback['statuses'] }

/** Adds a postback, or changes one. */
export function OwnPostbackForm({ postback, onClose }: { postback: OwnPostback | undefined; onClose: () => void }) {
  return postback === undefined ? <Create onClose={onClose} /> : <Edit postback={postback} onClose={onClose} />
}

function Create({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('postback')
  const form = useSaveForm({
    endpoint: ownPostbackApi.create,
    initial: { offer_uuid: null, goal: '', statuses: [], ...NO_MESSAGE } as Values, // widens the literals
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
    valuesOf: (record): Values => ({
      offer_uuid: record.offer?.uuid ?? null,
      goal: record.goal ?? '',
      statuses: record.statuses,
      ...messageValues(record),
    }),
    toInput: (values, { version }) => ({ params: { uuid: postback.uuid }, body: { ...bodyOf(values), version } }),
    invalidate: [ownPostbackApi.list],
    onSaved: onClose,
  })
  return (
    <SideForm of={form} title={t('edit')} action={t('save')} onClose={onClose}>
      <Fields of={form} postback={postback} />
    </SideForm>
  )
}

function Fields({ of, postback }: { of: SaveForm<Values>; postback?: OwnPostback }) {
  const { t } = useTranslation('postback')
  const { t: late } = useTranslation('postbackMessage')
  return (
    <>
      <MessageFields of={of} />
      <ReferenceField
        of={of}
        name="offer_uuid"
        label={t('offer')}
        endpoint={offerApi.options}
        chosen={postback?.offer ?? null}
        help={t('offerHelp')}
      />
      <TextField of={of} name="goal" label={t('goal')} help={t('goalHelp')} />
      <MultiSelectField
        of={of}
        name="statuses"
        label={t('statuses')}
        options={CONVERSION_STATUSES.map((status) => ({ value: status, label: t(`conversion.${status}`) }))}
        help={t('statusesHelp')}
      />
      <details>
        <summary className={classes.folded}>{late('try')}</summary>
        <MessageTrial trial={{ ...messageOf(of.values), postback_uuid: postback?.uuid ?? null }} />
      </details>
    </>
  )
}

function bodyOf({ goal, offer_uuid, statuses, ...message }: Values) {
  return { ...messageOf(message), offer_uuid, statuses, goal: goal === '' ? null : goal }
}
