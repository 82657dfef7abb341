import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecure } from 'node:https'

// The yardstick: a bare node:http server, with KEY and CERT a bare node:https one, that answers every request with the same redirect.
const answer = (_request: IncomingMessage, response: ServerResponse) => {
  response.writeHead(302, [
    'Location',
    'https://shop.example/landing/page?click=0123456789012345678901234567890123456789',
    'Cache-Control',
    'no-store',
    'Content-Length',
    '0',
  ])
  response.end()
}
const { KEY, CERT } = process.env
const server =
  KEY && CERT
    ? createSecure({ optimizeEmptyRequests: true, key: readFileSync(KEY), cert: readFileSync(CERT) }, answer)
    : createServer({ optimizeEmptyRequests: true }, answer)
server.listen({ port: Number(process.env['PORT']), host: '127.0.0.1', backlog: 4096 }, () => process.stdout.write('ready\n'))
