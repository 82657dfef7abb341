import { IconSettings } from '@tabler/icons-react'
import type { ScreenId } from '#contract/screens.ts'
import type { Page, Pages } from '#web/shell/page.ts'

const FEATURES = import.meta.glob<Partial<Pages<ScreenId>>>('./features/*/*/*.pages.ts', { eager: true, import: 'pages' })

const PAGES: Partial<Pages<ScreenId>> = Object.assign(
  { settingsGeneral: { page: async () => (await import('#web/general-screen.tsx')).GeneralScreen, icon: IconSettings } },
  ...Object.values(FEATURES),
)

/** What stands behind a screen, as the `<feature>.pages.ts` there are say; undefined for one that only leads on. A test proves that no other is without. */
export function pageOf(id: ScreenId): Page | undefined {
  return PAGES[id]
}
