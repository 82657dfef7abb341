import { Box } from '@mantine/core'
import type { ReactNode } from 'react'

/** `<Figure>`s beside each other, as many as fit at `width` pixels each and at least two. */
export function Figures({ width, children }: { width: number; children: ReactNode }) {
  return (
    <Box
      component="dl"
      style={{ display: 'grid', gridTemplateColumns: `repeat(auto-fit, minmax(min(${width}px, 45%), 1fr))`, gap: '14px 16px' }}
    >
      {children}
    </Box>
  )
}
