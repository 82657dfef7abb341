import { Agent, request, type IncomingMessage } from 'node:http'

/** Where the api's private port is, and the secret that opens it. */
export type InternalApi = { url: string; secret: string }

const agent = new Agent({ keepAlive: true, maxSockets: 16 })

/** Opens a request to the api's private port; resolves with the answer's head, the body still to be read. */
export function openInternal(
  api: InternalApi,
  options: { path: string; method?: 'GET' | 'POST'; body?: string; timeoutMs: number; signal?: AbortSignal },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const call = request(`${api.url}${options.path}`, {
      method: options.method ?? 'GET',
      agent,
      timeout: options.timeoutMs,
      signal: options.signal,
      headers: {
        'x-internal-secret': api.secret,
        ...(options.body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(options.body) }),
      },
    })
    call.once('response', resolve)
    call.once('error', reject)
    // `timeout` is the silence of the socket; it ends the request as an error.
    call.once('timeout', () => call.destroy(new Error(`the api was silent for ${options.timeoutMs} ms`)))
    call.end(options.body)
  })
}

/** Reads a body as text. */
export async function readText(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer) // no encoding was set, so chunks are Buffers
  return Buffer.concat(chunks).toString('utf8')
}
