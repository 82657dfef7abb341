import { Group, Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'

/** The place of a chart whose figures are on their way, exactly as high as `<Chart>` with the same caption and height. */
export function ChartSkeleton({ height, caption }: { height: number; caption?: ReactNode }) {
  return (
    <div aria-busy>
      <Group mih={26} mb={6}>
        {caption}
      </Group>
      <Skeleton height={height} />
    </div>
  )
}
