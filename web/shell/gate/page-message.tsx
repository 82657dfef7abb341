import type { ReactNode } from 'react'
import { Stack, Text, Title } from '@mantine/core'

/** One calm message in the middle of the page with what to do next beneath it. */
export function PageMessage({ code, title, text, children }: { code?: string; title: string; text: string; children: ReactNode }) {
  return (
    <Stack align="center" justify="center" gap="xs" mih="60dvh" px="lg" py={48} ta="center">
      {code !== undefined && (
        <Text fz={13} fw={600} c="dimmed" lts="0.08em">
          {code}
        </Text>
      )}
      <Title order={1}>{title}</Title>
      <Text c="dimmed" maw="46ch" mb="md">
        {text}
      </Text>
      {children}
    </Stack>
  )
}
