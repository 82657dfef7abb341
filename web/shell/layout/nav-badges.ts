import type { ScreenId } from '#contract/screens.ts'
import { signal } from '#web/kit/signal.ts'

type Badges = Partial<Record<ScreenId, number>>
const badges = signal<Badges>({})

/** Says how many things wait on a screen; 0 takes the badge off the sidebar. Whoever loads such a number calls this. */
export function setNavBadge(id: ScreenId, waiting: number): void {
  badges.set({ ...badges.get(), [id]: waiting })
}

/** How many things wait, by screen. */
export function useNavBadges(): Badges {
  return badges.use()
}
