import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ScreenId } from '#contract/screens.ts'
import { useScreens } from '#web/shell/access.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'

/** Leads to the screen that makes another one; nothing for those who may not open it. */
export function AddButton({ to, label }: { to: ScreenId; label: string }) {
  if (!useScreens().has(to)) return null
  return (
    <Button component={ScreenLink} to={to} leftSection={<IconPlus size={16} aria-hidden />}>
      {label}
    </Button>
  )
}
