import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { integrationApi, type Integration } from '#contract/leads/integration.ts'
import type { IntegrationType } from '#contract/leads/integration-type.ts'
import { useConstants } from '#web/api/constants.ts'
import { query } from '#web/api/query.ts'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { useGo } from '#web/shell/access.ts'

type Props = { copyOf: Integration | undefined; onClose: () => void }

/** Makes an integration with a first draft: of a system that is known, of another integration, or blank. */
export function NewIntegration({ copyOf, onClose }: Props) {
  const { t } = useTranslation('integration')
  const go = useGo()
  const { integration_types: types } = useConstants()
  const known = useQuery(query(integrationApi.presets, {}))
  const form = useSaveForm({
    endpoint: integrationApi.create,
    initial: {
      title: copyOf === undefined ? '' : t('copyOf', { title: copyOf.title }).slice(0, 100),
      type: copyOf?.type ?? ('generic' as IntegrationType),
      preset: null as string | null,
    },
    toInput: ({ preset, ...values }) => ({ body: { ...values, notes: '', preset: preset ?? '', copy_of: copyOf?.uuid ?? null } }),
    invalidate: [integrationApi.list],
    savedText: t('made'),
    onSaved: ({ uuid }) => go('integrationEdit', { uuid }),
  })
  const presets = known.data?.list ?? []
  const chosen = presets.find(({ key }) => key === form.values.preset)
  return (
    <DialogForm of={form} title={copyOf === undefined ? t('new') : t('copy')} action={t('create')} size={520} onClose={onClose}>
      {copyOf === undefined && (
        <Skeleton visible={known.isPending}>
          <SelectField
            of={form}
            name="preset"
            label={t('preset')}
            options={presets.map(({ key, name }) => ({ value: key, label: name }))}
            unset={t('preset.blank')}
            help={t('preset.help')}
          />
        </Skeleton>
      )}
      {chosen !== undefined && (
        <Text fz={13} c="dimmed">
          {t('preset.unseen')} {chosen.notes}
        </Text>
      )}
      <TextField of={form} name="title" label={t('name')} required />
      <SelectField
        of={form}
        name="type"
        label={t('type')}
        options={types.map(({ value }) => ({ value, label: t(`type.${value}` as 'type.generic') }))} // those are the constants
        help={t('typeHelp')}
        required
      />
    </DialogForm>
  )
}
