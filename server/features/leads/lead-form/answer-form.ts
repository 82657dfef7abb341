import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppError } from '#server/platform/errors.ts'
import { escape } from './form-html.ts'
import { FORM_WORDS, visitorLanguage } from './form-words.ts'

/** Whatever became of a lead, its person hears the same: on to `target`, '' = a page that says thank you. */
export function answerThanks(request: FastifyRequest, reply: FastifyReply, target: string): FastifyReply {
  prepare(reply)
  if (wantsJson(request)) return reply.code(200).send({ status: 'success', redirect_url: target === '' ? null : target })
  if (target !== '') return reply.redirect(target, 303)
  const language = visitorLanguage(request.headers['accept-language'])
  const { thanks, thanksText } = FORM_WORDS[language]
  return sendPage(reply.code(200), language, thanks, `<p>${thanksText}</p>`)
}

/** What was wrong, field by field, in the visitor's language; nothing they filled in is repeated. */
export function answerMistakes(request: FastifyRequest, reply: FastifyReply, status: number, error: AppError): FastifyReply {
  prepare(reply)
  const language = visitorLanguage(request.headers['accept-language'])
  const words = FORM_WORDS[language]
  const told = (text: string) => words.messages[text] ?? (language === 'en' ? text : words.wrong)
  const fields = Object.fromEntries(Object.entries(error.fields ?? {}).map(([name, text]) => [name, told(text)]))
  const message =
    error.code === 'too_many_attempts'
      ? words.tooMany
      : error.code === 'not_found'
        ? words.address
        : error.code === 'lead_offer_closed'
          ? words.closed
          : words.failed
  if (wantsJson(request)) return reply.code(status).send({ status: 'error', reason: error.code, message, fields })
  const labels: Readonly<Record<string, string | undefined>> = words.labels
  const rows = Object.entries(fields).map(([name, text]) => `<li><strong>${escape(labels[name] ?? name)}</strong>: ${escape(text)}</li>`)
  const body = rows.length > 0 ? `<ul>${rows.join('')}</ul><p>${words.back}</p>` : `<p>${escape(message)}</p>`
  return sendPage(reply.code(status), language, words.failed, body)
}

/** Any page may ask: nobody is signed in here. */
function prepare(reply: FastifyReply): void {
  void reply.header('access-control-allow-origin', '*').header('vary', 'accept, accept-language').header('referrer-policy', 'no-referrer')
}

function wantsJson({ headers }: FastifyRequest): boolean {
  return /\bapplication\/json\b/i.test(`${headers.accept ?? ''} ${headers['content-type'] ?? ''}`)
}

function sendPage(reply: FastifyReply, language: string, title: string, body: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors *")
    .send(
      `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
        `<title>${title}</title><style>:root{color-scheme:light dark}body{font:17px/1.5 system-ui,sans-serif;max-width:34rem;margin:12vh auto;padding:0 20px}h1{font-size:1.5rem}</style>` +
        `<h1>${title}</h1>${body}</html>`,
    )
}
