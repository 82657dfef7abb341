import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { systemApi } from '#contract/network/system.ts'
import { bytesText } from '#web/features/network/system/sizes.ts'
import { UNKNOWN } from '#web/format.ts'
import { Moment } from '#web/kit/show/moment.tsx'
import classes from '#web/features/network/system/system.module.css'

/** What each part takes on disk, and how fast it grows. */
export function StorageTable({ storage }: { storage: CallOutput<typeof systemApi.read>['storage'] }) {
  const { t } = useTranslation('system')
  if (storage.measured_at === null) return <p className="ohma-soft">{t('storage.soon')}</p>
  return (
    <div>
      <table className={classes.table} aria-label={t('group.storage')}>
        <thead>
          <tr>
            <th scope="col">{t('storage.part')}</th>
            <th scope="col" data-number>
              {t('storage.size')}
            </th>
            <th scope="col" data-number>
              {t('storage.perDay')}
            </th>
          </tr>
        </thead>
        <tbody>
          {storage.parts.map(({ part, bytes, per_day }) => (
            <tr key={part}>
              <td>{t(`storage.${part}`)}</td>
              <td data-number>{bytesText(bytes)}</td>
              <td data-number>{per_day === null ? UNKNOWN : `${per_day > 0 ? '+' : ''}${bytesText(per_day)}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="ohma-soft">
        {t('storage.measured')} <Moment at={storage.measured_at} />
      </p>
    </div>
  )
}
