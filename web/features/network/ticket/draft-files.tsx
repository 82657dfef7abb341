import { ActionIcon, Progress } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import classes from '#web/features/network/ticket/ticket.module.css'
import type { DraftFile } from '#web/features/network/ticket/use-files.ts'

/** The files of a message that is being written, each with how much of it has left and a way to take it out. */
export function DraftFiles({ files, onRemove }: { files: readonly DraftFile[]; onRemove: (key: number) => void }) {
  const { t } = useTranslation('ticket')
  if (files.length === 0) return null
  return (
    <ul className={classes.files}>
      {files.map(({ key, name, part, uuid }) => (
        <li key={key}>
          <span className="ohma-clip">{name}</span>
          {uuid === null && <Progress value={part * 100} w={80} aria-label={t('sendingFile', { name })} />}
          <ActionIcon size={24} variant="subtle" color="gray" aria-label={t('removeFile', { name })} onClick={() => onRemove(key)}>
            <IconX size={14} aria-hidden />
          </ActionIcon>
        </li>
      ))}
    </ul>
  )
}
