import { isSigned, serverClock, signatureOf } from './signature.ts'

type Event = { event: string; data: string }
type Stream = {
  /** The address to ask from an event on; '0' = from now on. */
  address: (after: string) => URL
  token: string
  onEvent: (event: Event) => void
  /** The server would not have it: the session is over, or there is no right to it. */
  onRefused: () => void
}

/** What says nothing for so long is dead: the server says something every 15 s. */
const SILENCE_MS = 45_000
const LONGEST_PAUSE_MS = 30_000

/**
 * Follows server-sent events over `fetch`, which can carry the bearer token, while somebody looks at the page: browsers hold six
 * connections to a host, and a hidden tab needs none. Comes back by itself, from the last event it heard of. Answers what ends it.
 */
export function followStream({ address, token, onEvent, onRefused }: Stream): () => void {
  const clock = serverClock(Date.now)
  let last = '0'
  let failures = 0
  let stopped = false
  let open: AbortController | undefined
  let retry: ReturnType<typeof setTimeout> | undefined

  const run = async () => {
    if (stopped || open !== undefined || document.visibilityState !== 'visible') return
    const attempt = new AbortController()
    open = attempt
    let silence = setTimeout(() => attempt.abort(), SILENCE_MS)
    try {
      const response = await ask(attempt.signal)
      if (response.status === 401 || response.status === 403) {
        stopped = true
        onRefused()
      } else if (response.ok && response.body !== null) {
        for await (const text of textsOf(response.body)) {
          clearTimeout(silence)
          silence = setTimeout(() => attempt.abort(), SILENCE_MS)
          const { id, event, data } = fieldsOf(text)
          if (event === '') continue
          failures = 0
          last = id === '' ? last : id
          onEvent({ event, data })
        }
      }
    } catch {
      // it is tried again below
    } finally {
      clearTimeout(silence)
      if (open === attempt) open = undefined
    }
    // one that was closed as the page was hidden is opened again by `look`
    if (!stopped && document.visibilityState === 'visible')
      retry = setTimeout(() => void run(), Math.min(1_000 * 2 ** failures++, LONGEST_PAUSE_MS))
  }
  const ask = async (signal: AbortSignal) => {
    const headers = new Headers({ accept: 'text/event-stream', authorization: `Bearer ${token}` })
    if (isSigned(location.hostname)) {
      const timestamp = String(Math.round(clock.now()))
      headers.set('x-timestamp', timestamp)
      headers.set('x-signature', await signatureOf(timestamp, token, '', globalThis.crypto.subtle as SubtleCrypto | undefined))
    }
    const response = await fetch(address(last), { headers, credentials: 'omit', cache: 'no-store', signal })
    // a refused signature tells the right time too
    clock.read(response.headers.get('date'))
    return response
  }
  const look = () => {
    clearTimeout(retry)
    if (document.visibilityState === 'visible') void run()
    else open?.abort()
  }
  document.addEventListener('visibilitychange', look)
  void run()
  return () => {
    stopped = true
    clearTimeout(retry)
    document.removeEventListener('visibilitychange', look)
    open?.abort()
  }
}

/** The events of a stream as they come, each without the blank line that ends it. */
async function* textsOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const parts = (rest + value).split('\n\n')
    rest = parts.pop() ?? ''
    yield* parts
  }
}

function fieldsOf(text: string): { id: string; event: string; data: string } {
  const fields = { id: '', event: '', data: '' }
  for (const line of text.split('\n')) {
    const [, name, value = ''] = /^(id|event|data): ?(.*)$/.exec(line) ?? []
    if (name === 'id' || name === 'event' || name === 'data') fields[name] = value
  }
  return fields
}
