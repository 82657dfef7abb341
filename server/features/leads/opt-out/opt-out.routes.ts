import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpApp, RouteParts } from '#server/access/implement.ts'
import { escape } from '#server/features/network/mail/markup.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { limitLine } from '#server/features/people/auth/limit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import { takeForms } from '#server/platform/http/take-forms.ts'
import { visitorLanguage } from '../lead-form/form-words.ts'
import { optOut } from './opt-out.service.ts'
import { readOptOutToken } from './opt-out-token.ts'

type Asked = { Params: { token: string } }

const WORDS = {
  en: {
    title: 'Do not contact me again',
    text: 'Confirm that your details are not to be passed on or used for offers any more.',
    confirm: 'Confirm',
    done: 'Done',
    doneText: 'Your details will not be passed on any more.',
    wrong: 'This link is not complete',
    wrongText: 'Copy the whole address out of the message.',
    tooMany: 'Too many requests',
    tooManyText: 'Try again in a few minutes.',
  },
  uk: {
    title: 'Більше не звертайтеся до мене',
    text: 'Підтвердьте, що ваші дані більше не можна передавати й використовувати для пропозицій.',
    confirm: 'Підтвердити',
    done: 'Готово',
    doneText: 'Ваші дані більше не передаватимуть.',
    wrong: 'Посилання неповне',
    wrongText: 'Скопіюйте з повідомлення всю адресу.',
    tooMany: 'Забагато запитів',
    tooManyText: 'Спробуйте за кілька хвилин.',
  },
} as const

/** Where people opt out: asked at `/opt-out/<token>`, done by its button. Previews of messengers, which only look, change nothing. */
export function routes(app: HttpApp, { db, config }: RouteParts): void {
  const { clock } = app
  const answer = async (request: FastifyRequest<Asked>, reply: FastifyReply) => {
    const language = visitorLanguage(request.headers['accept-language'])
    const words = WORDS[language]
    try {
      await limitLine(db, clock.now(), 'lead_form', request.ip.replace(/^::ffff:(?=\d+\.)/, ''))
      const uuid = readOptOutToken(config.secretKey, request.params.token)
      if (uuid === null) return sendPage(reply.code(404), language, words.wrong, `<p>${words.wrongText}</p>`)
      // who is asked to stop: the message may have named an advertiser alone
      const from = (await getGeneralSettings(db)).partner_title
      if (request.method !== 'POST')
        return sendPage(
          reply,
          language,
          words.title,
          `<p>${words.text}</p><form method="post"><button>${words.confirm}</button></form>`,
          from,
        )
      await optOut({ db, secretKey: config.secretKey }, clock.now(), uuid)
      return sendPage(reply, language, words.done, `<p>${words.doneText}</p>`, from)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'too_many_attempts') throw error
      if (error.retryAfter !== undefined) reply.header('retry-after', String(error.retryAfter))
      return sendPage(reply.code(429), language, words.tooMany, `<p>${words.tooManyText}</p>`)
    }
  }
  void app.server.register(async (scope) => {
    takeForms(scope, 1024)
    scope.route<Asked>({ method: ['GET', 'POST'], url: '/opt-out/:token', bodyLimit: 1024, exposeHeadRoute: false, handler: answer })
  })
}

/** A page that holds nothing of the person, only words of ours and the name of the network. */
function sendPage(reply: FastifyReply, language: string, title: string, body: string, from = ''): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-robots-tag', 'noindex')
    .header('vary', 'accept-language')
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    .send(
      `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
        `<title>${title}</title><style>:root{color-scheme:light dark}body{font:17px/1.5 system-ui,sans-serif;max-width:34rem;margin:12vh auto;padding:0 20px}h1{font-size:1.5rem;line-height:1.3}p{margin:0 0 1.4em}.from{margin:0;font-size:15px;opacity:.75}button{min-height:46px;padding:0 22px;border:0;border-radius:8px;background:#3b5bdb;color:#fff;font:600 16px system-ui,sans-serif;cursor:pointer}button:hover{background:#364fc7}button:focus-visible{outline:3px solid #91a7ff;outline-offset:2px}</style>` +
        `${from === '' ? '' : `<p class="from">${escape(from)}</p>`}<h1>${title}</h1>${body}</html>`,
    )
}
