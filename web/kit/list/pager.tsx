import { ActionIcon, NativeSelect } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { integer } from '#web/format.ts'
import { PAGE_SIZES } from '#web/kit/list/list-url.ts'
import { pagesAround } from '#web/kit/list/pages-around.ts'
import classes from '#web/kit/list/list.module.css'

type PagerProps = { rows: number; page: number; count: number; onPage: (page: number) => void; onCount?: (count: number) => void }

/** Which rows are shown, how many a page holds, and the way to other pages. */
export function Pager({ rows, page, count, onPage, onCount }: PagerProps) {
  const { t } = useTranslation('kit')
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
        <span className={classes.pages}>
          <ActionIcon variant="subtle" color="gray" disabled={page <= 1} aria-label={t('list.previous')} onClick={() => onPage(page - 1)}>
            <IconChevronLeft size={16} aria-hidden />
          </ActionIcon>
          {pagesAround(page, last).map((entry, index) =>
            entry === undefined ? (
              <span key={`gap${index}`} aria-hidden>
                …
              </span>
            ) : (
              <button
                key={entry}
                type="button"
                className={classes.pageNumber}
                aria-current={entry === page ? 'page' : undefined}
                aria-label={t('list.goTo', { page: entry })}
                onClick={() => onPage(entry)}
              >
                {integer(entry)}
              </button>
            ),
          )}
          <ActionIcon variant="subtle" color="gray" disabled={page >= last} aria-label={t('list.next')} onClick={() => onPage(page + 1)}>
            <IconChevronRight size={16} aria-hidden />
          </ActionIcon>
        </span>
      )}
    </nav>
  )
}
