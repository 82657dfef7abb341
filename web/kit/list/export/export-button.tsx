import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { integer } from '#web/format.ts'
import type { ExportColumn } from '#web/kit/list/export/csv.ts'
import { useExport } from '#web/kit/list/export/use-export.ts'
import type { List } from '#web/kit/list/use-list.ts'
import { useCommands } from '#web/kit/page/commands.ts'
import type { Column } from '#web/kit/table/column.ts'
import classes from '#web/kit/list/export/export.module.css'

/** Exports the whole result of a list, with its filters and sorting, as CSV. Columns that name a `csv` value are in it, shown or not. */
export function ExportButton<Row extends object>({
  list,
  fileName,
  small = false,
}: {
  list: Pick<List<Row>, 'loader' | 'columns'>
  fileName: string
  /** Among filters, not in the head of a page. */
  small?: boolean
}) {
  const { t } = useTranslation('kit')
  const { state, start, retry, saveAnyway, stop } = useExport<Row>()
  const begin = () => {
    const texts = { total: t('export.total'), missing: (rows: string) => t('export.missing', { rows }) }
    start({ loader: list.loader(), columns: exportColumns(list.columns), fileName, texts })
  }
  useCommands(
    'export',
    state.kind === 'running' || state.kind === 'partial' ? [] : [{ id: 'export', label: t('export.command'), run: begin }],
  )

  if (state.kind === 'running') {
    const { loaded, rows } = state.progress
    const share = rows ? Math.min(1, loaded / rows) : 0
    return (
      <span className={classes.running} role="status">
        <span className={classes.fill} style={{ width: `${share * 100}%` }} />
        <span className="ohma-number">
          {rows === undefined ? t('export.running') : t('export.progress', { loaded: integer(loaded), rows: integer(rows) })}
        </span>
        <button type="button" onClick={stop}>
          {t('export.stop')}
        </button>
      </span>
    )
  }
  if (state.kind === 'partial') {
    return (
      <>
        {state.missing && (
          <span role="status" className="ohma-soft">
            {t('export.missing', { rows: state.missing })}
          </span>
        )}
        <Button variant="default" onClick={saveAnyway}>
          {t('export.saveAnyway')}
        </Button>
        <Button onClick={retry}>{t('export.retry')}</Button>
      </>
    )
  }
  return (
    <Button
      variant="default"
      {...(small && { size: 'xs' })}
      leftSection={<IconDownload size={small ? 14 : 16} aria-hidden />}
      onClick={begin}
    >
      {t('list.export')}
    </Button>
  )
}

function exportColumns<Row>(columns: readonly Column<Row>[]): ExportColumn<Row>[] {
  return columns.flatMap(({ header, csv, numeric, total }) => (csv === undefined ? [] : [{ header, value: csv, numeric, total }]))
}
