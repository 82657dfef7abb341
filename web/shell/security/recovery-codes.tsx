import { Alert, Button, Checkbox, Group, Stack } from '@mantine/core'
import { IconCopy, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { copyAloud } from '#web/kit/show/copy.ts'
import { useRuntime } from '#web/shell/runtime.ts'
import style from './security.module.css'

/** Recovery codes, shown this once: who says that they are kept goes on. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const { t } = useTranslation('security')
  const { partner_title } = useRuntime()
  const [kept, setKept] = useState(false)
  const text = codes.join('\n')
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${t('codes.file', { partner: partner_title })}\n\n${text}\n`)}`
  return (
    <Stack gap="md">
      <Alert variant="light" color="yellow" p="sm" role="status">
        {t('codes.text')}
      </Alert>
      <ul className={style.codes} aria-label={t('codes.title')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group gap="xs">
        <Button variant="default" leftSection={<IconCopy size={16} aria-hidden />} onClick={() => void copyAloud(text)} data-autofocus>
          {t('codes.copy')}
        </Button>
        <Button
          component="a"
          variant="default"
          href={file}
          download="recovery-codes.txt"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          {t('codes.download')}
        </Button>
      </Group>
      <Checkbox label={t('codes.kept')} checked={kept} onChange={(event) => setKept(event.currentTarget.checked)} />
      <Button onClick={onKept} disabled={!kept} style={{ alignSelf: 'flex-end' }}>
        {t('codes.done')}
      </Button>
    </Stack>
  )
}
