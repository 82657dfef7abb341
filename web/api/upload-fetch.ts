/** A `fetch` that tells how much of what it sends has left (0 to 1): the browser's own does not. For an answer of text. */
export function fetchTelling(onProgress: (part: number) => void): typeof fetch {
  return (input, init) =>
    new Promise((resolve, reject) => {
      const asking = new XMLHttpRequest()
      asking.open(init?.method ?? 'GET', input instanceof Request ? input.url : String(input))
      new Headers(init?.headers).forEach((value, name) => asking.setRequestHeader(name, value))
      asking.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total))
      asking.addEventListener('load', () => {
        const headers = new Headers()
        for (const line of asking.getAllResponseHeaders().trim().split(/\r\n/)) {
          const [name = '', ...value] = line.split(': ')
          if (name !== '') headers.append(name, value.join(': '))
        }
        resolve(new Response(asking.responseText, { status: asking.status, statusText: asking.statusText, headers }))
      })
      asking.addEventListener('error', () => reject(new TypeError('Failed to fetch')))
      const { signal } = init ?? {}
      signal?.addEventListener('abort', () => {
        asking.abort()
        reject(signal.reason as Error) // a DOMException, as fetch rejects with
      })
      asking.send(init?.body as XMLHttpRequestBodyInit) // `call` sends text or bytes
    })
}
