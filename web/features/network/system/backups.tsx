import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { systemApi } from '#contract/network/system.ts'
import { useSave } from '#web/api/query.ts'
import { BackupForm } from '#web/features/network/system/backup-form.tsx'
import { RunProgress, runsOf } from '#web/features/network/system/run-progress.tsx'
import { bytesText } from '#web/features/network/system/sizes.ts'
import { integer } from '#web/format.ts'
import { Facts } from '#web/kit/page/facts.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import classes from '#web/features/network/system/system.module.css'

const SHOWN = 5

/** Where backups go, which there are, and buttons for whoever may make them. */
export function Backups({ of: { backups, runs, may_back_up } }: { of: CallOutput<typeof systemApi.read> }) {
  const { t } = useTranslation('system')
  const [editing, setEditing] = useState(false)
  const ask = useSave(systemApi.backUp, { invalidate: [systemApi.read] })
  const [backup, trial] = [runsOf(runs, 'backup'), runsOf(runs, 'trial')]
  const { folder, on, files, next_at, free_bytes } = backups
  const tried = trial.last?.state === 'done' ? trial.last.result : undefined
  return (
    <>
      <Facts
        of={[
          [t('backup.folder'), folder || t('backup.none')],
          [t('backup.next'), on ? <Moment key="next" at={next_at} /> : t('backup.off')],
          ...(free_bytes === null ? [] : [[t('backup.free'), bytesText(free_bytes)] as const]),
          ...(tried?.rows === undefined
            ? []
            : [[t('backup.tried'), t('backup.agreed', { rows: integer(tried.rows), clicks: integer(tried.clicks ?? 0) })] as const]),
        ]}
      />
      {files.length > 0 && (
        <table className={classes.table} aria-label={t('backup.files')}>
          <thead>
            <tr>
              <th scope="col">{t('backup.file')}</th>
              <th scope="col" data-number>
                {t('storage.size')}
              </th>
              <th scope="col" data-number>
                {t('backup.made')}
              </th>
            </tr>
          </thead>
          <tbody>
            {files.slice(0, SHOWN).map(({ name, bytes, at }) => (
              <tr key={name}>
                <td>{name}</td>
                <td data-number>{bytesText(bytes)}</td>
                <td data-number>
                  <Moment at={at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {files.length > SHOWN && (
        <p className="ohma-soft">{t('backup.more', { count: files.length - SHOWN, number: integer(files.length - SHOWN) })}</p>
      )}
      {may_back_up && (
        <div className={classes.foot}>
          <Button variant="default" onClick={() => setEditing(true)}>
            {t('backup.set')}
          </Button>
          {folder !== '' && (
            <>
              <Button variant="default" disabled={backup.open !== undefined} onClick={() => ask.mutate({ body: { kind: 'backup' } })}>
                {t('backup.now')}
              </Button>
              <Button
                variant="default"
                disabled={trial.open !== undefined || files.length === 0}
                onClick={() => ask.mutate({ body: { kind: 'trial' } })}
              >
                {t('backup.try')}
              </Button>
            </>
          )}
          {backup.open && <RunProgress run={backup.open} />}
          {trial.open && <RunProgress run={trial.open} />}
        </div>
      )}
      {editing && <BackupForm onClose={() => setEditing(false)} />}
    </>
  )
}
