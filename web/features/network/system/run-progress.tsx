import { Progress } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { systemApi } from '#contract/network/system.ts'

export type Run = CallOutput<typeof systemApi.read>['runs'][number]

/** How far long work is; it goes on whether anybody looks or not. */
export function RunProgress({ run }: { run: Run }) {
  const { t } = useTranslation('system')
  const percent = run.total === 0 ? 0 : Math.round((run.done / run.total) * 100)
  const words = run.state === 'waiting' ? t('run.waiting') : run.total === 0 ? t('run.running') : t('run.progress', { percent })
  return (
    <div role="status" style={{ flex: '1 1 200px' }}>
      <p className="ohma-soft">{words}</p>
      <Progress value={run.total === 0 ? 100 : percent} animated={run.total === 0} aria-label={words} />
    </div>
  )
}

/** The one of a kind that is under way, and the last that ended. */
export function runsOf(runs: readonly Run[], kind: Run['kind']): { open: Run | undefined; last: Run | undefined } {
  const own = runs.filter((run) => run.kind === kind)
  return { open: own.find(({ finished_at }) => finished_at === null), last: own.find(({ finished_at }) => finished_at !== null) }
}
