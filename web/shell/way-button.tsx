import { Button } from '@mantine/core'
import type { ScreenId } from '#contract/screens.ts'
import { useScreens, type ScreenParams } from '#web/shell/access.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'

/** Leads to another screen, as the next step of an empty one; nothing for those who may not open it. */
export function WayButton({ to, params, label }: { to: ScreenId; params?: ScreenParams; label: string }) {
  if (!useScreens().has(to)) return null
  return (
    <Button component={ScreenLink} to={to} {...(params && { params })} variant="default">
      {label}
    </Button>
  )
}
