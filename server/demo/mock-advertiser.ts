import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Verdict } from './leads/systems.ts'

/** What a mock advertiser was told of a lead, and what it said became of it. */
/** `payments`: its list tells each of them within the lead. */
export type MockLead = {
  id: string
  externalId: string
  email: string
  phone: string
  status: string
  deposit: string
  payments?: readonly { id: string; tx?: string; ftd_amount: string }[]
}
/**
 * Sessions at a mock advertiser: `POST /session/login` gives a token for `life` seconds that ends the one before, `/session/leads` takes
 * that one alone. `refuses`: it answers so instead of giving one; `takes` = how long that takes, in ms.
 */
export type MockSession = { valid: string; logIns: number; life: number; refuses: number; takes: number }
/** What a mock advertiser without an own way of speaking keeps. */
export type PlainState = { key: string; leads: MockLead[]; asked: string[]; emails: Set<string>; session: MockSession }
export type MockAdvertiser = PlainState & {
  /** `http://127.0.0.1:<port>` */
  host: string
  close(): Promise<void>
}

const LONGEST = 65_536
/** How long Slow takes, in ms. */
const SLOW = 600

/** The key of its account: calls without it are refused. */
export function openPlainState(key = 'mock-key-7f3a'): PlainState {
  return { key, leads: [], asked: [], emails: new Set(), session: { valid: '', logIns: 0, life: 3600, refuses: 0, takes: 0 } }
}

/**
 * An advertiser's system that is none, for the demo network and for tests. `POST /leads` takes a lead as JSON, a form or XML and does
 * what the person's first name says: Reject, Duplicate, Full, Broken (500 with a page), Denied (200 with an error), Silent (no
 * answer), Reset (the connection breaks), Slow; everybody else is accepted, once by e-mail. `POST /login` gives a token of its key for
 * `/token/leads`, `/session/login` one that ends; `POST /xml` answers XML; `GET /leads?from=…&to=…` tells what became of leads.
 */
export async function startMockAdvertiser(key?: string): Promise<MockAdvertiser> {
  const state = openPlainState(key)
  const server = createServer((request, response) => {
    void readBody(request).then((body) => answerPlainly(state, request, body, response))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // a TCP server has one
  return {
    ...state,
    host: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

const NAMED: Readonly<Record<string, Verdict>> = {
  Reject: 'rejected',
  Denied: 'rejected',
  Duplicate: 'duplicate',
  Full: 'full',
  Broken: 'broken',
  Silent: 'silent',
}

/** What somebody's first name asks of a mock advertiser, wherever it stands in a call; undefined where it asks for nothing. */
export function namedVerdict(text: string): Verdict | undefined {
  return NAMED[/\b(Reject|Denied|Duplicate|Full|Broken|Silent)\b/.exec(text)?.[1] ?? '']
}

/** How a mock advertiser answers that has no own way of speaking. */
export async function answerPlainly(
  state: PlainState,
  { method, url = '/', headers, socket }: IncomingMessage,
  body: string,
  to: ServerResponse,
): Promise<void> {
  state.asked.push(`${method} ${url}`)
  const { pathname } = new URL(url, 'http://mock')
  const json = (status: number, said: unknown) => to.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said))
  if (pathname === '/login') return void json(200, { token: body.includes(state.key) ? `token-of-${state.key}` : '' })
  if (pathname === '/session/login') return logIn(state, body, json)
  if (pathname.startsWith('/session/') && headers.authorization !== `Bearer ${state.session.valid}`)
    return void (method === 'GET'
      ? json(200, { success: false, code: 'token_expired' })
      : json(401, { error: `no token ${headers.authorization}` }))
  const expected = pathname.startsWith('/session/')
    ? `Bearer ${state.session.valid}`
    : pathname.startsWith('/token/')
      ? `Bearer token-of-${state.key}`
      : `Bearer ${state.key}`
  if (headers.authorization !== expected) return void json(401, { error: `wrong key ${headers.authorization ?? ''}` })
  if (method === 'GET')
    return void json(200, { data: state.leads.map(({ id, status, deposit, payments }) => ({ id, status, ftd_amount: deposit, payments })) })
  const told = bodyOf(body)
  const text = (name: string) => told[name] ?? ''
  const took = () => {
    const lead = {
      id: `M-${state.leads.length + 1}`,
      externalId: text('external_id'),
      email: text('email'),
      phone: text('phone'),
      status: 'New',
      deposit: '',
    }
    state.leads.push(lead)
    return lead.id
  }
  if (pathname === '/xml') {
    return void to
      .writeHead(200, { 'content-type': 'text/xml' })
      .end(`<?xml version="1.0"?><answer><result>ok</result><lead id="${took()}"/></answer>`)
  }
  switch (text('first_name')) {
    case 'Silent':
      return
    case 'Reset':
      return void socket.destroy()
    case 'Slow':
      await setTimeout(SLOW)
      break
    case 'Broken':
      return void to.writeHead(500, { 'content-type': 'text/html' }).end('<html><body>Internal error</body></html>')
    case 'Denied':
      return void json(200, { success: false, message: 'Country is not served' })
    case 'Reject':
      return void json(422, { success: false, message: 'Invalid phone' })
    case 'Full':
      return void json(200, { success: false, message: 'Daily cap reached' })
    case 'Duplicate':
      return void json(409, { success: false, message: 'Lead exists' })
  }
  if (state.emails.has(text('email'))) return void json(409, { success: false, message: 'Lead exists' })
  if (text('email') !== '') state.emails.add(text('email'))
  const id = took()
  json(201, { success: true, id, redirect_url: `https://mock.example/login/${id}` })
}

async function logIn({ session, key }: PlainState, body: string, json: (status: number, said: unknown) => void): Promise<void> {
  session.logIns++
  const number = session.logIns
  if (session.takes > 0) await setTimeout(session.takes)
  if (session.refuses > 0) return json(session.refuses, { error: 'no log-in now' })
  if (!body.includes(key)) return json(401, { error: 'wrong account' })
  session.valid = `session-${number}-of-an-account`
  json(200, { token: session.valid, expires_in: session.life })
}

/** The texts of a body by their names: JSON, XML without anything nested, else a form. */
function bodyOf(body: string): Record<string, string> {
  if (body.startsWith('<')) return Object.fromEntries([...body.matchAll(/<(\w+)>([^<]*)<\/\1>/g)].map(([, name, text]) => [name, text]))
  if (!body.startsWith('{')) return Object.fromEntries(new URLSearchParams(body))
  try {
    return JSON.parse(body) as Record<string, string> // whoever sends numbers finds them again as such
  } catch {
    return {}
  }
}

/** The beginning of a body. */
export async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text = `${text}${String(chunk)}`.slice(0, LONGEST)
  return text
}
