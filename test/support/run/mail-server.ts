import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'

const FIXTURES = join(import.meta.dirname, '../../fixtures/mail')
const pem = (name: string) => readFileSync(join(FIXTURES, name), 'utf8')

/** The certificate a server of the tests shows, for those who are to trust it. */
export const LOCALHOST_CA = pem('localhost.cert.pem')
export const OTHER_CA = pem('other.cert.pem')

export type Received = { from: string; to: string[]; raw: string; secure: boolean; user: string | undefined }

export type MailServer = {
  port: number
  /** What was taken, in its order. */
  received: Received[]
  /** What the server says from now on, instead of taking a message; by recipient. */
  answers: Map<string, { code: number; text: string; at: 'recipient' | 'data' }>
  close(): Promise<void>
}

/** A real mail server on a free port of this machine. */
export async function startMailServer(
  options: { security?: 'tls' | 'starttls' | 'none'; certificate?: 'localhost' | 'other'; password?: string } = {},
): Promise<MailServer> {
  const { security = 'none', certificate = 'localhost', password } = options
  const answers: MailServer['answers'] = new Map()
  const received: Received[] = []
  const refusal = ({ code, text }: { code: number; text: string }) => Object.assign(new Error(text), { responseCode: code })
  const server = new SMTPServer({
    secure: security === 'tls',
    key: pem(`${certificate}.key.pem`),
    cert: pem(`${certificate}.cert.pem`),
    disabledCommands: [...(security === 'starttls' ? [] : ['STARTTLS']), ...(password === undefined ? ['AUTH'] : [])],
    authOptional: password === undefined,
    allowInsecureAuth: true,
    closeTimeout: 100,
    onAuth: (auth, _session, done) =>
      auth.password === password ? done(null, { user: auth.username }) : done(refusal({ code: 535, text: '5.7.8 Wrong user or password' })),
    onRcptTo: ({ address }, _session, done) => {
      const answer = answers.get(address)
      done(answer?.at === 'recipient' ? refusal(answer) : null)
    },
    onData: (stream, session, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const message: Received = {
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(parts).toString('utf8'),
          secure: session.secure,
          user: typeof session.user === 'string' ? session.user : undefined,
        }
        const answer = message.to.map((address) => answers.get(address)).find((one) => one?.at === 'data')
        if (answer !== undefined) return done(refusal(answer))
        received.push(message)
        return done(null)
      })
    },
  })
  // a client that goes away in the middle is part of some tests
  server.on('error', () => {})
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve())
  })
  return {
    port: (server.server.address() as AddressInfo).port, // it listens on a port
    received,
    answers,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
