import type { ReactNode } from 'react'
import classes from '#web/kit/feedback/state.module.css'

type EmptyStateProps = {
  icon?: ReactNode
  title: string
  /** What this is and why it is empty. */
  text: string
  /** The next step, as a button. */
  action?: ReactNode
}

/** In place of a list or a card that holds nothing. */
export function EmptyState({ icon, title, text, action }: EmptyStateProps) {
  return (
    <div className={classes.state}>
      {icon && <div className={classes.icon}>{icon}</div>}
      <h2 className={classes.title}>{title}</h2>
      <p className={classes.text}>{text}</p>
      {action}
    </div>
  )
}
