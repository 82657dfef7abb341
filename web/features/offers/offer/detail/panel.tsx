import type { ReactNode } from 'react'
import classes from '#web/features/offers/offer/detail/offer-detail.module.css'

/** A titled part of the page of an offer. */
export function Panel({ title, text, actions, children }: { title: string; text?: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className={classes.panel}>
      <div className={classes.panelHead}>
        <h2>{title}</h2>
        {actions}
      </div>
      {text && <p className={classes.soft}>{text}</p>}
      {children}
    </section>
  )
}
