import { ActionIcon, Button, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { MessageValues } from '#web/features/traffic/postback/postback-values.ts'
import classes from '#web/features/traffic/postback/postback.module.css'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { headerHints } from '#web/kit/fields/macro/forgotten.ts'
import { MacroHints } from '#web/kit/fields/macro/macro-hints.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { fieldId, type SaveForm } from '#web/kit/form/use-save-form.ts'

const MOST = 20

/** Headers that go along; of a secret one nobody is shown the value again. */
export function HeaderFields({ of }: { of: SaveForm<MessageValues> }) {
  const { t } = useTranslation('postbackMessage')
  const { headers } = of.values
  of.labels.set('headers', t('headers'))
  return (
    <div role="group" aria-label={t('headers')} className={classes.headers}>
      {headers.length > 0 && (
        <Text fz={13} fw={600}>
          {t('headers')}
        </Text>
      )}
      {headers.map((header, index) => (
        // rows have no name of their own while they are typed
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className={classes.header} role="group" aria-label={t('headers.row', { number: index + 1 })}>
          <TextField of={of} name={`headers.${index}.name`} label={t('headers.name')} placeholder="Authorization" required />
          <TextField
            of={of}
            name={`headers.${index}.value`}
            label={t('headers.value')}
            placeholder={header.kept && header.secret ? t('headers.kept') : undefined}
            required={!header.kept}
          />
          <SwitchField of={of} name={`headers.${index}.secret`} label={t('headers.secret')} help={t('headers.secretHelp')} />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={34}
            aria-label={t('headers.remove')}
            onClick={() => of.form.removeListItem('headers', index)}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <MacroHints hints={headers.flatMap(({ value, secret }) => (secret ? [] : headerHints(value)))} />
      <Button
        id={fieldId(of.id, 'headers')}
        size="compact-md"
        variant="default"
        leftSection={<IconPlus size={15} aria-hidden />}
        disabled={headers.length >= MOST}
        onClick={() => of.form.insertListItem('headers', { name: '', value: '', secret: false, kept: false })}
      >
        {t('headers.add')}
      </Button>
    </div>
  )
}
