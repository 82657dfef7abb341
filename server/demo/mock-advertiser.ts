import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a mock advertiser was told of a lead, and what it said became of it. */
export type MockLead = { id: string; externalId: string; email: string; phone: string; status: string; deposit: string }
export type MockAdvertiser = {
  /** `http://127.0.0.1:<port>` */
  host: string
  /** The key of its account: calls without it are refused. */
  key: string
  leads: MockLead[]
  /** What it was asked, newest last: method and path. */
  asked: string[]
  close(): Promise<void>
}

const LONGEST = 65_536

/**
 * An advertiser's system that is none, for the demo network and for tests. `POST /leads` takes a lead as JSON and does what the
 * person's first name says: Reject, Duplicate, Full, Broken (500 with a page), Denied (200 with an error), Silent (no answer);
 * everybody else is accepted, once by e-mail. `POST /login` gives a token of its key for `/token/leads`; `POST /xml` answers XML;
 * `GET /leads?from=…&to=…` tells what became of leads.
 */
export async function startMockAdvertiser(key = 'mock-key-7f3a'): Promise<MockAdvertiser> {
  const leads: MockLead[] = []
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    void readBody(request).then((body) => answer({ key, leads }, request, body, response))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // a TCP server has one
  return {
    host: `http://127.0.0.1:${port}`,
    key,
    leads,
    asked,
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

function answer(
  state: { key: string; leads: MockLead[] },
  { method, url = '/', headers }: IncomingMessage,
  body: string,
  to: ServerResponse,
): void {
  const { pathname } = new URL(url, 'http://mock')
  const json = (status: number, said: unknown) => to.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said))
  if (pathname === '/login') return void json(200, { token: body.includes(state.key) ? `token-of-${state.key}` : '' })
  const expected = pathname.startsWith('/token/') ? `Bearer token-of-${state.key}` : `Bearer ${state.key}`
  if (headers.authorization !== expected) return void json(401, { error: `wrong key ${headers.authorization ?? ''}` })
  if (method === 'GET') return void json(200, { data: state.leads.map(({ id, status, deposit }) => ({ id, status, ftd_amount: deposit })) })
  const told = bodyOf(body)
  const text = (name: string) => (typeof told[name] === 'string' ? told[name] : '')
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
  if (state.leads.some(({ email }) => email !== '' && email === text('email')))
    return void json(409, { success: false, message: 'Lead exists' })
  const id = took()
  json(201, { success: true, id, redirect_url: `https://mock.example/login/${id}` })
}

function bodyOf(text: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text = `${text}${String(chunk)}`.slice(0, LONGEST)
  return text
}
