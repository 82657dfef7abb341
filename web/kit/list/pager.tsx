import { NativeSelect, Pagination } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { integer } from '#web/format.ts'
import { PAGE_SIZES } from '#web/kit/list/list-url.ts'
import { useViewport } from '#web/viewport.ts'
import classes from '#web/kit/list/list.module.css'

type PagerProps = { rows: number; page: number; count: number; onPage: (page: number) => void; onCount?: (count: number) => void }

/** Which rows are shown, how many a page holds, and the way to other pages. */
export function Pager({ rows, page, count, onPage, onCount }: PagerProps) {
  const { t } = useTranslation('kit')
  const mobile = useViewport() === 'mobile'
  const last = Math.max(1, Math.ceil(rows / count))
  return (
    <nav className={classes.pager} aria-label={t('list.pages')}>
      <span className="ohma-number">
        {t('list.range', {
          from: integer(Math.min(rows, (page - 1) * count + 1)),
          to: integer(Math.min(rows, page * count)),
          rows: integer(rows),
        })}
      </span>
      {onCount && rows > PAGE_SIZES[0] && (
        <label className={classes.perPage}>
          {t('list.perPage')}
          <NativeSelect
            size="xs"
            data={PAGE_SIZES.map(String)}
            value={String(count)}
            onChange={(event) => onCount(Number(event.currentTarget.value))}
          />
        </label>
      )}
      {last > 1 && (
        <Pagination
          ml="auto"
          gap={2}
          size={mobile ? 36 : 28}
          w={mobile ? '100%' : undefined}
          siblings={mobile ? 0 : 1}
          total={last}
          value={page}
          onChange={onPage}
          getItemProps={(entry) => ({ 'aria-label': t('list.goTo', { page: entry }) })}
          getControlProps={(control) => ({ 'aria-label': t(control === 'next' ? 'list.next' : 'list.previous') })}
          classNames={{ control: classes.pageNumber }}
        />
      )}
    </nav>
  )
}
