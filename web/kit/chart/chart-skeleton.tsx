import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from '#web/kit/chart/chart.module.css'

/** The place of a chart whose figures are on their way, exactly as high as `<Chart>` with the same caption and height. */
export function ChartSkeleton({ height, caption }: { height: number; caption?: ReactNode }) {
  return (
    <div className={classes.figure} aria-busy>
      <div className={classes.tools}>{caption}</div>
      <Skeleton height={height} />
    </div>
  )
}
