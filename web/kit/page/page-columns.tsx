import type { ReactNode } from 'react'
import classes from '#web/kit/page/panel.module.css'

/** Panels side by side where the window has room: alike, the first a narrow `form`, or the first a wide `story`. */
export function PageColumns({ first = 'alike', children }: { first?: 'alike' | 'form' | 'story'; children: ReactNode }) {
  return (
    <div className={classes.columns} data-first={first}>
      {children}
    </div>
  )
}
