import { useEffect, useRef, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import classes from '#web/kit/page/page.module.css'
import { useSayName } from '#web/thing-name.ts'

type PageHeaderProps = {
  title: string
  /** How many there are, beside the title of a list. */
  count?: ReactNode
  /** A `<StatusBadge>`. */
  status?: ReactNode
  /** The number people name this by; copied by a click. */
  id?: number | string
  /** What matters most, in one line. */
  facts?: readonly ReactNode[]
  /** Buttons at the right; the primary one last. The rest goes into a `<RowMenu size="md">`. */
  actions?: ReactNode
  /** Screens beside this one, beside the title. */
  tabs?: ReactNode
  /** The head of a part of a page, such as a list in a tab. */
  inner?: boolean
}

/** The head of every page. */
export function PageHeader({ title, count, status, id, facts = [], actions, tabs, inner = false }: PageHeaderProps) {
  const Title = inner ? 'h2' : 'h1'
  useSayName(useLocation().pathname, inner ? undefined : title)
  const heading = useRef<HTMLHeadingElement>(null)
  const pressed = useRef<Element>(undefined)
  // a button that did its work may be gone, and the focus with it: the next Tab would begin at the top of the page
  useEffect(() => {
    if (pressed.current?.isConnected !== false) return
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
    // only once, but not before the dialog it opened has closed: the focus is lost after that
    if (document.activeElement?.closest('[role=dialog]') === null) pressed.current = undefined
  })
  return (
    <header className={classes.header}>
      <div className={classes.heading}>
        <div className={classes.line}>
          <Title ref={heading} tabIndex={-1} className={classes.title} data-inner={inner || undefined}>
            {title}
          </Title>
          {count !== undefined && <span className={classes.count}>{count}</span>}
          {status}
          {id !== undefined && (
            <span className={classes.id}>
              <CopyText text={String(id)} shown={`ID ${id}`} />
            </span>
          )}
          {tabs}
        </div>
        {facts.length > 0 && (
          <ul className={classes.facts}>
            {facts.map((fact, index) => (
              // the facts of one page are always the same, in the same order
              // oxlint-disable-next-line react/no-array-index-key
              <li key={index}>{fact}</li>
            ))}
          </ul>
        )}
      </div>
      <div className={classes.actions} onFocus={({ target }) => (pressed.current = target)}>
        {actions}
      </div>
    </header>
  )
}
