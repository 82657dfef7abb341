import { instanceMark, MARK_PATH } from '../instance-mark.ts'
import type { HttpServer } from './app.ts'

/** Answers under any name which network this is, as trackers do: by it a domain shows that it leads here. */
export function markRoute(app: HttpServer, secretKey: string | null): void {
  const mark = instanceMark(secretKey)
  if (mark === '') return
  app.server.get(MARK_PATH, async (_request, reply) => reply.type('text/plain; charset=utf-8').send(mark))
}
