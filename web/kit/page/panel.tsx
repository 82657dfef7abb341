import type { ReactNode } from 'react'
import classes from '#web/kit/page/panel.module.css'

type PanelProps = { title: string; text?: string; actions?: ReactNode; children: ReactNode }

/** A titled part of a page about one thing. */
export function Panel({ title, text, actions, children }: PanelProps) {
  return (
    <section className={classes.panel}>
      <div className={classes.head}>
        <h2>{title}</h2>
        {actions}
      </div>
      {text && <p className="ohma-soft">{text}</p>}
      {children}
    </section>
  )
}
