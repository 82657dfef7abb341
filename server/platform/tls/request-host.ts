import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'

/** The name in a Host header, in lower case and without port; '' where it is none. */
export function hostIn(header: string): string {
  const host = header.trim().toLowerCase()
  if (host.startsWith('[')) return host.slice(1, Math.max(1, host.indexOf(']')))
  const colon = host.indexOf(':')
  return colon < 0 ? host : host.slice(0, colon)
}

/** Whether a request on a secured connection is for another name than the connection was opened for. */
export function isMisdirected({ socket, headers }: IncomingMessage): boolean {
  const { servername } = socket as Partial<TLSSocket> // plain sockets have none
  return typeof servername === 'string' && hostIn(headers.host ?? '') !== servername.toLowerCase()
}
