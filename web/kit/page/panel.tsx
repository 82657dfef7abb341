import { Group, Paper, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

type PanelProps = { title: string; text?: string; actions?: ReactNode; children: ReactNode }

/** A titled part of a page; `actions` stand at the right of its title. */
export function Panel({ title, text, actions, children }: PanelProps) {
  return (
    <Paper component="section" withBorder p="18px 20px 20px" miw={0} aria-label={title}>
      <Stack gap={14}>
        <div>
          <Group justify="space-between" gap="xs">
            <h2>{title}</h2>
            {actions}
          </Group>
          {text && (
            <Text fz={13} c="dimmed" mt={4}>
              {text}
            </Text>
          )}
        </div>
        {children}
      </Stack>
    </Paper>
  )
}
