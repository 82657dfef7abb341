import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { SCREENS } from '#contract/screens.ts'
import { sendFailure } from './answer-error.ts'
import type { HttpServer } from './app.ts'

type Served = { content: Buffer; contentType: string }

/**
 * Serves the built web app: hashed assets for ever, the page itself fresh. An address that is no screen gets the same
 * page with status 404, so that the web can show its not-found screen and a machine still reads the truth. `favicon` is the sign in tabs and bookmarks.
 */
export async function serveWeb(app: HttpServer, folder: string, favicon: () => Promise<Served>): Promise<void> {
  serveFavicon(app, favicon)
  if (existsSync(folder)) {
    await app.server.register(fastifyStatic, {
      root: folder,
      index: false,
      wildcard: true,
      cacheControl: false,
      // the build writes every text as .br and .gz too
      preCompressed: true,
      setHeaders: (response, path) => {
        if (path.includes(`${join(folder, 'assets')}`)) void response.header('cache-control', 'public, max-age=31536000, immutable')
      },
    })
  }
  // otherwise the static files would take `/` for a folder nobody may list
  app.server.get('/', (_request, reply) => reply.callNotFound())
  const screens = Object.values(SCREENS).map((screen) => new RegExp(`^${screen.path.replace(/:\w+/g, '[^/]+')}/?$`))
  app.server.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    if (!['GET', 'HEAD'].includes(request.method) || path.startsWith('/api/') || path.startsWith('/assets/')) {
      return sendFailure(request, reply, 'not_found')
    }
    const page = await readFile(join(folder, 'index.html'), 'utf8').catch(() => undefined)
    if (page === undefined) return reply.status(503).type('text/plain').send('The web app is not built yet.')
    const known = path === '/' || screens.some((screen) => screen.test(path))
    return reply
      .status(known ? 200 : 404)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(page)
  })
}

function serveFavicon(app: HttpServer, favicon: () => Promise<Served>): void {
  app.server.get('/favicon', async (request, reply) => {
    const { content, contentType } = await favicon()
    const tag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
    // another one is seen at the next page: it is asked for again each time, and mostly answered that nothing changed
    void reply.header('cache-control', 'no-cache').header('etag', tag)
    if (request.headers['if-none-match'] === tag) return reply.status(304).send()
    return reply.type(contentType).send(content)
  })
}
