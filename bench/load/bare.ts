import { createServer } from 'node:http'

// The yardstick: a bare node:http server that answers every request with the same redirect.
const server = createServer({ optimizeEmptyRequests: true }, (_request, response) => {
  response.writeHead(302, [
    'Location',
    'https://shop.example/landing/page?click=0123456789012345678901234567890123456789',
    'Cache-Control',
    'no-store',
    'Content-Length',
    '0',
  ])
  response.end()
})
server.listen({ port: Number(process.env['PORT']), host: '127.0.0.1', backlog: 4096 }, () => process.stdout.write('ready\n'))
