import { Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import { Modal } from '#web/kit/page/modal.tsx'

/** In place of a change that nothing could confirm: what is missing, and the way there, before anybody types. */
export function UnconfirmedDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('payment')
  return (
    <Modal opened onClose={onClose} title={t('own.unconfirmedTitle')} size={460} centered>
      <Stack>
        <Text fz={14}>{t('own.unconfirmed')}</Text>
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {t('own.later')}
          </Button>
          <Button component={ScreenLink} to="settingsSecurityOwn" data-autofocus>
            {t('own.toSecurity')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
