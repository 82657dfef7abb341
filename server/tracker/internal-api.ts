/** Where the api's private port is, and the secret that opens it. */
export type InternalApi = { url: string; secret: string }

/** Asks the api's private port; with a body it is a POST of JSON. Throws when nobody answers before `signal` aborts. */
export function askInternal(api: InternalApi, path: string, options: { signal: AbortSignal; body?: string }): Promise<Response> {
  return fetch(`${api.url}${path}`, {
    ...options,
    method: options.body === undefined ? 'GET' : 'POST',
    headers: { 'x-internal-secret': api.secret, ...(options.body === undefined ? {} : { 'content-type': 'application/json' }) },
  })
}
