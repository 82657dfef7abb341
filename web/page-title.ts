let title = ''

/** Sets the title of the page. */
export function setPageTitle(next: string): void {
  title = next
  document.title = next
}

/** The title the page has by itself, for those who show something else there for a while. */
export function pageTitle(): string {
  return title
}
