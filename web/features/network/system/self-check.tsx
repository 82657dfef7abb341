import { Button } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { SELF_CHECKS, systemApi } from '#contract/network/system.ts'
import { useSave } from '#web/api/query.ts'
import { RunProgress, runsOf, type Run } from '#web/features/network/system/run-progress.tsx'
import { integer } from '#web/format.ts'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import classes from '#web/features/network/system/system.module.css'

/** What was compared with what, and a button that does it now. */
export function SelfCheck({ runs }: { runs: readonly Run[] }) {
  const { t } = useTranslation('system')
  const { open, last } = runsOf(runs, 'self_check')
  const start = useSave(systemApi.check, { invalidate: [systemApi.read] })
  return (
    <>
      {last?.result.checks === undefined && (
        <ul className={classes.lines}>
          {SELF_CHECKS.map((id) => (
            <li key={id} className={classes.entry}>
              <span className={classes.name}>{t(`check.${id}`)}</span>
              <span className={classes.value} />
              <StatusBadge tone="muted" label={t('check.unknown')} />
            </li>
          ))}
        </ul>
      )}
      {last?.result.checks && (
        <ul className={classes.lines}>
          {last.result.checks.map(({ id, compared, different, examples, skipped }) => (
            <li key={id} className={classes.entry}>
              <span className={classes.name}>{t(`check.${id}`)}</span>
              <span className={classes.value}>
                {skipped === '' ? t(`checked.${id}`, { count: compared, number: integer(compared) }) : t('check.skipped')}
              </span>
              <StatusBadge
                tone={skipped !== '' ? 'waiting' : different > 0 ? 'bad' : 'good'}
                label={
                  skipped !== ''
                    ? t('check.unknown')
                    : different > 0
                      ? t('check.differs', { count: different, number: integer(different) })
                      : t('check.agrees')
                }
              />
              {(examples.length > 0 || skipped !== '') && (
                <p className={classes.advice}>
                  <span className={classes.detail}>{skipped || examples.join('; ')}</span>
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
      <div className={classes.foot}>
        <Button variant="default" disabled={open !== undefined} loading={start.isPending} onClick={() => start.mutate({})}>
          {t('check.now')}
        </Button>
        {open && <RunProgress run={open} />}
      </div>
    </>
  )
}
