/** The page of a refused click that has nowhere to go: neutral, because the visitor does not know the network. */
export const UNAVAILABLE_PAGE = page('', '<p>This offer is not available.</p>')

/** A page that goes on to `url` (printable ASCII without quotes and angle brackets, see headerSafe), hiding where from if asked to. */
export function redirectPage(url: string, hideReferrer: boolean): string {
  const safe = url.replaceAll('&', '&amp;').replaceAll("'", '&#39;')
  const referrer = hideReferrer ? '<meta name="referrer" content="no-referrer">' : ''
  return page(`${referrer}<meta http-equiv="refresh" content="0;url=${safe}">`, `<p><a href="${safe}">Continue</a></p>`)
}

function page(head: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${head}<title>&#8203;</title></head><body>${body}</body></html>`
}
