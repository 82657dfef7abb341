import { IconPoint } from '@tabler/icons-react'
import type { ScreenId } from '#contract/screens.ts'
import { pageOf } from '#web/shell/page.ts'

/** The icon of a screen; a plain point for one that has none. */
export function NavIcon({ id, className }: { id: ScreenId; className?: string }) {
  const Icon = pageOf(id)?.icon ?? IconPoint
  return <Icon size={18} stroke={1.7} aria-hidden className={className} />
}
