import type { ScreenId } from '#contract/screens.ts'
import type { Pages } from '#web/shell/page.ts'

const FEATURES = import.meta.glob<Partial<Pages<ScreenId>>>('./features/*/*/*.guest.ts', { eager: true, import: 'pages' })

/** What stands behind the screens of guests, as the `<feature>.guest.ts` there are say. They are known at sign-in, those of the panel come with it. */
export const GUEST_PAGES: Partial<Pages<ScreenId>> = Object.assign({}, ...Object.values(FEATURES))
