import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { systemApi } from '#contract/network/system.ts'
import { query } from '#web/api/query.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { typedNumber } from '#web/kit/fields/typed-number.ts'
import { ZoneField } from '#web/kit/fields/zone-field.tsx'
import { SideForm } from '#web/kit/form/side-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { LastChange } from '#web/last-change.tsx'

/** When backups are made, where to, and how long they are kept; beside the page. */
export function BackupForm({ onClose }: { onClose: () => void }) {
  const { data } = useQuery(query(systemApi.backup, {}))
  return data ? <Fields settings={data} onClose={onClose} /> : null
}

function Fields({ settings, onClose }: { settings: CallOutput<typeof systemApi.backup>; onClose: () => void }) {
  const { t } = useTranslation('system')
  const { on, folder, hour, time_zone, daily, weekly, trial } = settings
  const form = useSaveForm({
    endpoint: systemApi.updateBackup,
    // whoever sets them up for the first time means to have them
    initial: { on: on || folder === '', folder, time_zone, trial, hour: String(hour), daily: String(daily), weekly: String(weekly) },
    toInput: (values) => ({
      body: {
        ...values,
        hour: typedNumber(values.hour),
        daily: typedNumber(values.daily),
        weekly: typedNumber(values.weekly),
        version: settings.version,
      },
    }),
    invalidate: [systemApi.backup, systemApi.read],
    onSaved: onClose,
  })
  return (
    <SideForm of={form} title={t('backup.title')} action={t('backup.save')} onClose={onClose}>
      <SwitchField of={form} name="on" label={t('backup.on')} help={t('backup.onHelp')} />
      {!form.values.on && (
        <Alert color="var(--ohma-waiting)" role="status">
          {t('backup.offWarning')}
        </Alert>
      )}
      <TextField of={form} name="folder" label={t('backup.folder')} help={t('backup.folderHelp')} placeholder="/backup/ohma" />
      <NumberField of={form} name="hour" label={t('backup.hour')} help={t('backup.hourHelp')} whole />
      <ZoneField of={form} name="time_zone" label={t('backup.zone')} />
      <NumberField of={form} name="daily" label={t('backup.daily')} whole />
      <NumberField of={form} name="weekly" label={t('backup.weekly')} whole />
      <SwitchField of={form} name="trial" label={t('backup.trial')} help={t('backup.trialHelp')} />
      <LastChange of={{ kind: 'setting', part: 'backup' }} title={t('backup.title')} known={settings.changed} />
    </SideForm>
  )
}
