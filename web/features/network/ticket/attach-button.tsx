import { ActionIcon, FileButton, Tooltip } from '@mantine/core'
import { IconPaperclip } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'

/** Chooses files for a message; what may be sent is said on hover. */
export function AttachButton({ onAdd }: { onAdd: (chosen: readonly File[]) => void }) {
  const { t } = useTranslation('ticket')
  return (
    <FileButton multiple onChange={onAdd}>
      {(props) => (
        <Tooltip label={t('attachHelp')}>
          <ActionIcon {...props} size={34} variant="default" aria-label={t('attach')}>
            <IconPaperclip size={17} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </FileButton>
  )
}
