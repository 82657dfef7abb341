import { rememberSigning } from './signature.ts'
import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { makeCall, type Connection } from '#web/api/call.ts'
import { CallError } from '#web/api/call-error.ts'
import { isLoading } from '#web/api/loading.ts'

const list = endpoint({
  method: 'POST',
  path: '/api/thing/v1/list/:uuid',
  access: 'signedIn',
  summary: 'Things.',
  params: z.object({ uuid: z.string() }),
  body: z.object({ page: z.int() }),
  response: z.object({ list: z.array(z.string()), total: z.object({}).optional() }),
})
const search = endpoint({
  method: 'GET',
  path: '/api/thing/v1/search',
  access: 'public',
  summary: 'Search.',
  query: z.object({ text: z.string(), tag: z.array(z.string()).optional() }),
  response: z.object({}),
})
const checkUserData = endpoint({
  method: 'POST',
  path: '/api/auth/v1/check-user-data',
  access: 'public',
  summary: 'Check.',
  response: z.object({}),
})
/** SHA-256 of `1795255200000.secret.{"page":2}`, reckoned by another program. */
const SIGNATURE = '23fa6662da554d54ab30b102b897411b45eb509c5751df79d14dbdf367199022'
const listInput = { params: { uuid: 'a/b' }, body: { page: 2 } }

let sent: Request[]
let toasts: string[]
let unauthorized: number
let versions: string[]
let answers: (Response | Error | (() => Promise<Response>))[]
let host: { origin: string; host: string; hostname: string; pathname: string }
let token: string
let now: number

beforeEach(() => {
  sent = []
  toasts = []
  unauthorized = 0
  versions = []
  answers = []
  host = pageAt('https://panel.example/roles/affiliates')
  token = 'secret'
  now = Date.parse('2026-11-21T10:00:00Z')
})

function pageAt(address: string) {
  const { origin, host: name, hostname, pathname } = new URL(address)
  return { origin, host: name, hostname, pathname }
}

function connect(changes: Partial<Connection> = {}) {
  return makeCall({
    fetch: (async (input: URL, init: RequestInit) => {
      sent.push(new Request(input, init))
      const answer = answers.shift() ?? json({ status: 'success', data: { list: [] } })
      if (answer instanceof Error) throw answer
      return typeof answer === 'function' ? answer() : answer
    }) as typeof fetch, // the overload call uses
    page: () => host,
    token: () => token,
    subtle: crypto.subtle,
    now: () => now,
    notifyError: (text) => toasts.push(text),
    onUnauthorized: () => unauthorized++,
    onConstantsVersion: (version) => versions.push(version),
    ...changes,
  })
}

function json(body: unknown, init: ResponseInit = {}): Response {
  return new Response(JSON.stringify(body), init)
}

function refusal(status: number, errors: Record<string, string>, fields?: Record<string, string>): Response {
  return json({ status: 'error', errors, data: fields === undefined ? {} : { fields } }, { status, headers: { 'x-request-id': 'r-1' } })
}

async function failing(promise: Promise<unknown>): Promise<CallError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(CallError)
  return error as CallError // just checked
}

test('a call goes to the own host with the token, fills the path and answers the data of the envelope', async () => {
  answers = [json({ status: 'success', data: { list: ['x'] } })]
  expect(await connect()(list, listInput)).toEqual({ list: ['x'] })
  const [request] = sent
  expect(request?.url).toBe('https://panel.example/api/thing/v1/list/a%2Fb')
  expect(request?.headers.get('authorization')).toBe('Bearer secret')
  expect(await request?.text()).toBe('{"page":2}')
})

test('a GET carries its query and no body', async () => {
  answers = [json({ status: 'success', data: {} })]
  await connect()(search, { query: { text: 'a b', tag: ['x', 'y'] } })
  expect(sent[0]?.url).toBe('https://panel.example/api/thing/v1/search?text=a+b&tag=x&tag=y')
  expect(sent[0]?.body).toBeNull()
})

test('a request to a host different from the page is blocked before it is sent', async () => {
  const error = await failing(connect({ apiOrigin: () => 'https://elsewhere.example' })(list, listInput))
  expect(error.message).toBe('Cross-domain request blocked')
  expect(toasts).toEqual(['Cross-domain request blocked'])
  expect(sent).toEqual([])
})

test('outside localhost a call carries a timestamp and the SHA-256 of timestamp, token and body', async () => {
  await connect()(list, listInput)
  const [request] = sent
  expect(request?.headers.get('x-timestamp')).toBe(String(now))
  expect(request?.headers.get('x-signature')).toBe(SIGNATURE)
})

test('the signature is the same where the browser has no crypto.subtle', async () => {
  await connect({ subtle: undefined })(list, listInput)
  expect(sent[0]?.headers.get('x-signature')).toBe(SIGNATURE)
})

test('on localhost a call is signed where the server asks for it, and no longer than it does', async () => {
  host = pageAt('http://localhost:3000/')
  rememberSigning(true)
  await connect()(list, listInput)
  rememberSigning(false)
  await connect()(list, listInput)
  expect(sent.map(({ headers }) => headers.get('x-signature'))).toEqual([SIGNATURE, null])
})

test.each(['http://localhost:3000/', 'http://127.0.0.1:3000/', 'http://panel.localhost/', 'http://[::1]:3000/'])(
  'on %s nothing is signed',
  async (address) => {
    host = pageAt(address)
    await connect()(list, listInput)
    expect(sent[0]?.headers.has('x-signature')).toBe(false)
    expect(sent[0]?.headers.has('x-timestamp')).toBe(false)
  },
)

test('timestamps follow the clock of the server once an answer told its time', async () => {
  answers = [json({ status: 'success', data: { list: [] } }, { headers: { date: 'Sat, 21 Nov 2026 12:00:00 GMT' } })]
  const call = connect()
  await call(list, listInput)
  await call(list, listInput)
  expect(sent[1]?.headers.get('x-timestamp')).toBe(String(Date.parse('2026-11-21T12:00:00Z')))
})

test('a call refused for its signature is sent once more with the right time', async () => {
  const late = refusal(400, { 1004: 'The request signature is missing or wrong.' })
  late.headers.set('date', 'Sat, 21 Nov 2026 12:00:00 GMT')
  answers = [late, json({ status: 'success', data: { list: ['x'] } })]
  expect(await connect()(list, listInput)).toEqual({ list: ['x'] })
  expect(toasts).toEqual([])
  expect(sent[1]?.headers.get('x-timestamp')).toBe(String(Date.parse('2026-11-21T12:00:00Z')))
})

test('a failure with an envelope shows one notification per entry, "code - text", with the standard texts', async () => {
  answers = [refusal(409, { 403: 'no way', 1011: 'This e-mail is already in use.' })]
  const error = await failing(connect()(list, listInput))
  expect(toasts).toEqual(["403 - Access forbidden. You don't have permission.", '1011 - This e-mail is already in use.'])
  expect(error).toMatchObject({ status: 409, requestId: 'r-1' })
  expect(error.has(1011)).toBe(true)
})

test('an envelope with status "error" is a failure even when HTTP says 200', async () => {
  answers = [refusal(200, { 404: '' })]
  await failing(connect()(list, listInput))
  expect(toasts).toEqual(['404 - Page not found. Please check the URL.'])
})

test.each([
  [400, '400: Bad request. Please check your input.'],
  [401, '401: Unauthorized. Please log in.'],
  [403, "403: Access forbidden. You don't have permission."],
  [404, '404: Page not found. Please check the URL.'],
  [500, '500: Server error. Please contact support.'],
  [502, '502: Bad gateway. Please try again later.'],
])('a failure %d without an envelope shows "%s"', async (status, text) => {
  answers = [new Response('<html>', { status })]
  await failing(connect()(list, listInput))
  expect(toasts).toEqual([text])
})

test('a status without a standard text shows what the server called it', async () => {
  answers = [new Response('', { status: 503, statusText: 'Service Unavailable' })]
  await failing(connect()(list, listInput))
  expect(toasts).toEqual(['503: Service Unavailable'])
})

test('without any answer the raw message is shown', async () => {
  answers = [new TypeError('Failed to fetch')]
  const error = await failing(connect()(list, listInput))
  expect(toasts).toEqual(['Failed to fetch'])
  expect(error.status).toBe(0)
})

test('failures of check-user-data are never shown as notifications', async () => {
  answers = [refusal(400, { 400: 'x' }), new Response('', { status: 500 })]
  const call = connect()
  await failing(call(checkUserData, {}))
  await failing(call(checkUserData, {}))
  expect(toasts).toEqual([])
})

test('a quiet call shows nothing, and a form shows field errors at the fields', async () => {
  const call = connect()
  answers = [refusal(400, { 400: 'x' })]
  await failing(call(list, listInput, { quiet: true }))
  answers = [refusal(400, { 400: 'x' }, { 'name.first': 'Required' })]
  const error = await failing(call(list, listInput, { form: true }))
  expect(error.fields).toEqual({ 'name.first': 'Required' })
  expect(toasts).toEqual([])
  answers = [refusal(409, { 1012: 'Somebody changed this in the meantime. Reload and try again.' })]
  await failing(call(list, listInput, { form: true }))
  expect(toasts).toEqual(['1012 - Somebody changed this in the meantime. Reload and try again.'])
})

test('401 away from /login drops the session, on /login it does not', async () => {
  const call = connect()
  answers = [refusal(401, { 401: '' })]
  await failing(call(list, listInput))
  expect(unauthorized).toBe(1)
  host = pageAt('https://panel.example/login')
  answers = [refusal(401, { 401: '' })]
  await failing(call(list, listInput))
  expect(unauthorized).toBe(1)
})

test("a 401 for a token that is no longer the session's leaves the new session alone", async () => {
  answers = [
    async () => {
      token = 'newer'
      return refusal(401, { 401: '' })
    },
  ]
  await failing(connect()(list, listInput))
  expect(unauthorized).toBe(0)
})

test.each([
  ['a field that should be an array', { list: 'x' }],
  ['a field that is missing', {}],
  ['an array where none is expected', { list: [], total: [] }],
  ['an array in place of everything', []],
])('%s is a data loading error', async (_title, data) => {
  answers = [json({ status: 'success', data })]
  await failing(connect()(list, listInput))
  expect(toasts).toEqual(['Data loading error'])
})

test('an answer that is no JSON is a data loading error', async () => {
  answers = [new Response('<html>hello')]
  await failing(connect()(list, listInput))
  expect(toasts).toEqual(['Data loading error'])
})

test('the loading flag is on while any request is in flight', async () => {
  const gates: (() => void)[] = []
  const waiting = () => new Promise<Response>((resolve) => gates.push(() => resolve(json({ status: 'success', data: { list: [] } }))))
  answers = [waiting, waiting]
  const call = connect()
  expect(isLoading()).toBe(false)
  const first = call(list, listInput)
  const second = call(list, listInput)
  expect(isLoading()).toBe(true)
  await expect.poll(() => gates.length).toBe(2)
  // each is signed before it goes out: either may be the first to
  gates[0]?.()
  await Promise.race([first, second])
  expect(isLoading()).toBe(true)
  gates[1]?.()
  await Promise.all([first, second])
  expect(isLoading()).toBe(false)
})

test('the loading flag goes off after a failure too', async () => {
  answers = [new TypeError('Failed to fetch')]
  await failing(connect()(list, listInput))
  expect(isLoading()).toBe(false)
})

test('an abort is thrown silently', async () => {
  const abort = new AbortController()
  answers = [
    async () => {
      abort.abort()
      throw abort.signal.reason as Error // what fetch does
    },
  ]
  await expect(connect()(list, listInput, { signal: abort.signal })).rejects.toThrow(/abort/i)
  expect(toasts).toEqual([])
})

test('every answer tells which version of the constants is current, failures too', async () => {
  const headers = { 'x-constants-version': 'v7' }
  answers = [
    json({ status: 'success', data: { list: [] } }, { headers }),
    json({ status: 'error', errors: { 404: '' } }, { status: 404, headers }),
  ]
  const call = connect()
  await call(list, listInput)
  await failing(call(list, listInput))
  expect(versions).toEqual(['v7', 'v7'])
})

test('texts of failures come in the language on the screen', async () => {
  answers = [refusal(404, { 404: '' }), new Response('', { status: 502 })]
  const call = connect({ textOf: (code) => (code === '404' ? 'Сторінку не знайдено.' : undefined) })
  await failing(call(list, listInput))
  await failing(call(list, listInput))
  expect(toasts).toEqual(['404 - Сторінку не знайдено.', '502: Request failed'])
})
