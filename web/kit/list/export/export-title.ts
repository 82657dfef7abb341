const SHOWN_FOR_MS = 3_000
const BLINK_EVERY_MS = 1_000

type TitlePage = Pick<Document, 'title' | 'hidden' | 'addEventListener' | 'removeEventListener'>

/**
 * Says in the page's title that an export is done: for 3 s, or, while the tab is hidden, blinking every second until somebody looks.
 * `usual` is the title the page has by itself; it may change meanwhile.
 */
export function announceInTitle(text: string, page: TitlePage, usual: () => string): void {
  const restore = () => {
    page.title = usual()
  }
  page.title = text
  if (!page.hidden) {
    setTimeout(restore, SHOWN_FOR_MS)
    return
  }
  const blink = setInterval(() => {
    page.title = page.title === text ? usual() : text
  }, BLINK_EVERY_MS)
  const onVisible = () => {
    if (page.hidden) return
    clearInterval(blink)
    page.removeEventListener('visibilitychange', onVisible)
    restore()
  }
  page.addEventListener('visibilitychange', onVisible)
}
