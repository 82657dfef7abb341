import { Group, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import type { ReactNode } from 'react'

type EmptyStateProps = {
  icon?: ReactNode
  title: string
  /** What this is and why it is empty. */
  text: string
  /** The next step, as a button. */
  action?: ReactNode
  /** Beneath the next step: what else there is. */
  hint?: ReactNode
  /** Read out at once: something failed. */
  alert?: boolean
}

/** In place of a list or a card that holds nothing. */
export function EmptyState({ icon, title, text, action, hint, alert = false }: EmptyStateProps) {
  return (
    <Stack role={alert ? 'alert' : undefined} align="center" justify="center" gap={6} flex={1} mih={280} px="lg" py={40} ta="center">
      {icon && (
        <ThemeIcon variant="default" size={56} radius={14} mb="xs" c={alert ? 'var(--ohma-bad)' : 'dimmed'} bg="var(--ohma-sunken)">
          {icon}
        </ThemeIcon>
      )}
      <Title order={2} fz={16}>
        {title}
      </Title>
      <Text c="dimmed" maw={460} mb={14}>
        {text}
      </Text>
      {action && (
        <Group gap="xs" justify="center">
          {action}
        </Group>
      )}
      {hint}
    </Stack>
  )
}
