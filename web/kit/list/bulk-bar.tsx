import { Button, CloseButton } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { integer } from '#web/format.ts'
import { notify } from '#web/notify.ts'
import type { List } from '#web/kit/list/use-list.ts'
import classes from '#web/kit/list/list.module.css'

/** Rises when rows are chosen: how many, the way to choose the whole result, and what can be done with them. */
export function BulkBar<Row extends object>({ list, children }: { list: List<Row>; children: ReactNode }) {
  const { t } = useTranslation('kit')
  const [busy, setBusy] = useState(false)
  const chosen = list.selection.size
  if (chosen === 0) return null

  const selectAll = async () => {
    setBusy(true)
    const loaded = await list.selectAll()
    setBusy(false)
    if (!loaded) notify.error(t('list.failed'))
  }

  return (
    <div className={classes.bulk} role="region" aria-label={t('list.bulk')}>
      <span className="ohma-number" role="status">
        {t('list.selected', { count: chosen, rows: integer(chosen) })}
      </span>
      {chosen < list.count && (
        <Button variant="subtle" size="compact-sm" loading={busy} onClick={() => void selectAll()}>
          {t('list.selectAll', { rows: integer(list.count) })}
        </Button>
      )}
      <span className={classes.bulkActions}>{children}</span>
      <CloseButton size="sm" aria-label={t('list.deselect')} onClick={() => list.select(new Set())} />
    </div>
  )
}
