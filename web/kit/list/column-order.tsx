import { useState, type KeyboardEvent } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Column } from '#web/kit/table/column.ts'
import classes from '#web/kit/list/list.module.css'

type ColumnOrderProps<Row> = { shown: readonly Column<Row>[]; onOrder: (columns: Column<Row>[]) => void }

/** The columns that are shown, in order: dragged, or moved by ← and → while one has the focus. */
export function ColumnOrder<Row>({ shown, onOrder }: ColumnOrderProps<Row>) {
  const { t } = useTranslation('kit')
  const [dragged, setDragged] = useState<string>()
  const move = (id: string, to: number) => {
    const column = shown.find((one) => one.id === id)
    if (column === undefined || to < 0 || to >= shown.length) return
    const rest = shown.filter((one) => one !== column)
    onOrder([...rest.slice(0, to), column, ...rest.slice(to)])
  }
  const onKeyDown = (event: KeyboardEvent, id: string, index: number) => {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    move(id, index + step)
  }
  return (
    <ol className={classes.order} aria-label={t('list.columnOrder')}>
      {shown.map(({ id, header }, index) => (
        // dragging is for the mouse; the button in it moves a column by keyboard
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
        <li
          key={id}
          draggable
          data-dragged={id === dragged || undefined}
          onDragStart={() => setDragged(id)}
          onDragEnd={() => setDragged(undefined)}
          onDragOver={(event) => event.preventDefault()}
          onDrop={() => dragged !== undefined && dragged !== id && move(dragged, index)}
        >
          <button type="button" aria-label={t('list.columnMove', { name: header })} onKeyDown={(event) => onKeyDown(event, id, index)}>
            {header}
          </button>
        </li>
      ))}
    </ol>
  )
}
