import { Button, Stack, Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CopyField } from '#web/kit/show/copy-field.tsx'
import { Modal } from '#web/kit/page/modal.tsx'

/** A secret, this once. */
export function ShownSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useTranslation('webhook')
  return (
    <Modal opened onClose={onClose} title={t('secret')} centered size={520} closeOnClickOutside={false}>
      <Stack>
        <Text fz={14}>{t('secret.once')}</Text>
        <CopyField label={t('secret')} text={secret} />
        <Button onClick={onClose} style={{ alignSelf: 'end' }}>
          {t('secret.done')}
        </Button>
      </Stack>
    </Modal>
  )
}
