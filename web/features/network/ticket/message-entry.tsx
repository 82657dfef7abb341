import { Button } from '@mantine/core'
import { IconCheck, IconChecks, IconDownload, IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { fileApi } from '#contract/network/file.ts'
import type { TicketFile, TicketMessage } from '#contract/network/ticket.ts'
import { call } from '#web/api/call.ts'
import classes from '#web/features/network/ticket/ticket.module.css'
import { integer } from '#web/format.ts'
import { Moment } from '#web/kit/show/moment.tsx'
import { Picture } from '#web/kit/show/picture.tsx'
import { download } from '#web/kit/list/export/run-export.ts'

/** Something said or done in a ticket. */
export function MessageEntry({ message }: { message: TicketMessage }) {
  const { t } = useTranslation('ticket')
  const { kind, author, body, files, own, at, read } = message
  if (kind === 'closed' || kind === 'reopened')
    return (
      <li className={classes.event}>
        {t(`event.${kind}`, { name: author })} · <Moment at={at} />
      </li>
    )
  return (
    <li className={classes.message} data-own={own || undefined} data-kind={kind}>
      <div className={classes.said}>
        <p className={classes.author}>
          <strong>{author}</strong>
          {kind === 'note' && (
            <span className={classes.note}>
              <IconLock size={13} aria-hidden /> {t('note')}
            </span>
          )}
          {(kind === 'approved' || kind === 'rejected') && <span>{t(`event.${kind}`)}</span>}
          <span className="ohma-soft">
            <Moment at={at} />
          </span>
          {own && read !== null && (
            <span className="ohma-soft" title={t(read ? 'read' : 'sent')}>
              {read ? <IconChecks size={15} aria-label={t('read')} /> : <IconCheck size={15} aria-label={t('sent')} />}
            </span>
          )}
        </p>
        {body !== '' && <p className={classes.body}>{linked(body)}</p>}
        {files.length > 0 && (
          <ul className={classes.files}>
            {files.map((file) => (
              <li key={file.uuid}>
                {file.picture && <Picture uuid={file.uuid} alt={file.name} />}
                <Button
                  size="compact-sm"
                  variant="default"
                  leftSection={<IconDownload size={14} aria-hidden />}
                  aria-label={t('download', { name: file.name })}
                  onClick={() => void saveFile(file)}
                >
                  <span className="ohma-clip">{file.name}</span>
                  <span className="ohma-soft">&nbsp;{t('size', { number: integer(Math.max(1, Math.round(file.size / 1024))) })}</span>
                </Button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  )
}

/** Saves a file: the token goes along in a header, so it is no plain link. */
async function saveFile({ uuid, name }: TicketFile): Promise<void> {
  const bytes = await call(fileApi.get, { params: { uuid } }).catch(() => undefined) // the call has said why
  if (bytes === undefined) return
  download(name, [new Uint8Array(bytes)], 'application/octet-stream')
}

/** The text with the web addresses in it to follow; nothing else of it is markup. */
function linked(text: string): ReactNode[] {
  return text.split(/(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]])/i).map((part, index) =>
    index % 2 === 1 ? (
      // the parts of one text never change their places
      // oxlint-disable-next-line react/no-array-index-key
      <a key={index} href={part} target="_blank" rel="noopener noreferrer nofollow">
        {part}
      </a>
    ) : (
      part
    ),
  )
}
