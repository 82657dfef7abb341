import { connect, rootCertificates, type PeerCertificate } from 'node:tls'
import type { OutboundError } from './send.ts'
import { codeOf, EVERY_ADDRESS, lookupFor } from './send.ts'
import { readTarget, type OutboundPolicy } from './target.ts'

/** The certificate a server shows for a name: `problem` is why nobody should trust it, in OpenSSL's words; '' = it is fine. */
export type SeenCertificate = { names: string[]; validTo: number; problem: string }

/** Looks at the certificate of a host, by the rules of every outgoing request. Answers a code where there was none to see; never throws. */
export async function lookAtCertificate(
  host: string,
  port: number,
  { timeoutMs, policy }: { timeoutMs: number; policy: OutboundPolicy },
): Promise<SeenCertificate | OutboundError> {
  const target = readTarget(`https://${host}:${port}/`, policy)
  if (typeof target === 'string') return 'refused_target'
  return new Promise((done) => {
    const socket = connect({
      host,
      port,
      servername: host,
      lookup: lookupFor(target.allowed, policy),
      ...EVERY_ADDRESS,
      // a bad one is what we want to tell of
      rejectUnauthorized: false,
      ...(policy.ca !== undefined && { ca: [...rootCertificates, policy.ca] }),
    })
    const end = (answer: SeenCertificate | OutboundError) => {
      clearTimeout(late)
      socket.destroy()
      done(answer)
    }
    const late = setTimeout(() => end('timed_out'), timeoutMs)
    socket.once('error', (error) => end(codeOf(error)))
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerCertificate()
      if (!('valid_to' in certificate)) return end('tls_failed')
      // Node says the code here, whatever its types say
      const problem = socket.authorized
        ? ''
        : String((socket.authorizationError as unknown as { code?: string })?.code ?? socket.authorizationError)
      end({ names: namesOf(certificate), validTo: Date.parse(certificate.valid_to), problem })
    })
  })
}

function namesOf({ subject, subjectaltname }: PeerCertificate): string[] {
  const names = (subjectaltname ?? '').split(', ').flatMap((entry) => (entry.startsWith('DNS:') ? entry.slice(4) : []))
  return (names.length > 0 ? names : [String(subject?.CN ?? '')]).filter((name) => name !== '').slice(0, 20)
}
