import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { paymentSettingApi } from '#contract/money/payment.ts'
import { SideForm } from '#web/kit/form/side-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { SystemFields } from './system-fields.tsx'
import { newSystem, systemBody, systemValues } from './system-values.ts'

type SystemFormProps = {
  settings: CallOutput<typeof paymentSettingApi.settings>
  /** Which one of the list; one beyond its end makes another. */
  place: number
  onClose: () => void
}

/** One payment system beside the list. They are stored together: the others are sent as they were read. */
export function SystemForm({ settings, place, onClose }: SystemFormProps) {
  const { t } = useTranslation('payment')
  const { changed: _changed, ...kept } = settings
  const codes = settings.systems.map(({ code }) => code)
  const isNew = place >= codes.length
  const form = useSaveForm({
    endpoint: paymentSettingApi.updateSettings,
    initial: { systems: [...settings.systems.map(systemValues), ...(isNew ? [newSystem(codes)] : [])] },
    toInput: ({ systems }) => ({ body: { ...kept, systems: systems.map(systemBody) } }),
    invalidate: [paymentSettingApi.settings],
    onSaved: onClose,
  })
  const title = isNew ? t('new') : (settings.systems[place]?.name ?? '')
  return (
    <SideForm of={form} title={title} action={t('saveSystem')} onClose={onClose}>
      <SystemFields of={form} place={place} fixed={!isNew} />
    </SideForm>
  )
}
