import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

type FigureProps = {
  name: string
  /** What the figure means, on hover. */
  about?: string
  value: ReactNode
  /** Its change, its course. */
  children?: ReactNode
}

/** One number with its name above it, inside of a `<dl>`. */
export function Figure({ name, about, value, children }: FigureProps) {
  return (
    <div>
      <Text component="dt" fz={12.5} c="dimmed" title={about}>
        {name}
      </Text>
      <Text component="dd" fz={18} fw={600} mt={2} mih="1lh" className="ohma-figure ohma-number">
        {value}
      </Text>
      {children}
    </div>
  )
}
