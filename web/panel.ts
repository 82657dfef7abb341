import { PAGES } from './pages.ts'
import { setPages } from './shell/page.ts'

// the shell knows no feature by itself
setPages(PAGES)

export { PAGES }
export { PanelFrame } from './shell/layout/panel-frame.tsx'
