import { Button, TextInput } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { copyAloud } from '#web/kit/show/copy.ts'

/** A long link or key in full with a button beside it. */
export function CopyField({ label, text }: { label: string; text: string }) {
  const { t } = useTranslation('kit')
  return (
    <div style={{ display: 'flex', gap: 8, alignItems: 'flex-end' }}>
      <TextInput label={label} value={text} readOnly onFocus={(event) => event.currentTarget.select()} style={{ flex: 1, minWidth: 0 }} />
      <Button leftSection={<IconCopy size={16} aria-hidden />} onClick={() => void copyAloud(text)}>
        {t('copy')}
      </Button>
    </div>
  )
}
