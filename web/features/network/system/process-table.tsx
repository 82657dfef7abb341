import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { systemApi } from '#contract/network/system.ts'
import { bytesText } from '#web/features/network/system/sizes.ts'
import { integer, UNKNOWN } from '#web/format.ts'
import { Moment } from '#web/kit/show/moment.tsx'
import classes from '#web/features/network/system/system.module.css'

/** The processes of this machine, with their memory and how often they came back. */
export function ProcessTable({ processes }: { processes: CallOutput<typeof systemApi.read>['processes'] }) {
  const { t } = useTranslation('system')
  if (processes.length === 0) return <p className="ohma-soft">{t('process.none')}</p>
  return (
    <table className={classes.table} aria-label={t('group.processes')}>
      <thead>
        <tr>
          <th scope="col">{t('process.name')}</th>
          <th scope="col">{t('process.since')}</th>
          <th scope="col" data-number>
            {t('process.memory')}
          </th>
          <th scope="col" data-number>
            {t('process.restarts')}
          </th>
        </tr>
      </thead>
      <tbody>
        {processes.map(({ name, started_at, memory_bytes, restarts }) => (
          <tr key={name}>
            <td>{name === 'api' ? t('process.api') : name}</td>
            <td>
              <Moment at={started_at} />
            </td>
            <td data-number>{memory_bytes === null ? UNKNOWN : bytesText(memory_bytes)}</td>
            <td data-number>{integer(restarts)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
