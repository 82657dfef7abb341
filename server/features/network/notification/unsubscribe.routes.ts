import type { FastifyReply } from 'fastify'
import type { HttpApp, RouteParts } from '#server/access/implement.ts'
import { escape } from '#server/features/network/mail/markup.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { stopMails } from './choice.queries.ts'
import { readUnsubscribe } from './unsubscribe.ts'

/**
 * Ending the mails of notifications without signing in. Mail programs post to the address by themselves (RFC 8058); people get a
 * page with a button, for programs that look at links in advance must not end anything.
 */
export function routes(app: HttpApp, { db, config }: RouteParts): void {
  void app.server.register(async (server) => {
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'])
      server.addContentTypeParser(type, { parseAs: 'string', bodyLimit: 4096 }, (_request, _body, done) => done(null, undefined))
    const path = '/unsubscribe/:token'
    const answer = async (reply: FastifyReply, words: (typeof WORDS)['ask'], button: boolean, status = 200) => {
      const { language, partner_title } = await getGeneralSettings(db)
      const form = button ? `<form method="post"><button type="submit">${words.button[language]}</button></form>` : ''
      return reply
        .status(status)
        .type('text/html; charset=utf-8')
        .header('x-robots-tag', 'noindex')
        .send(page(language, partner_title, `<h1>${words.title[language]}</h1><p>${words.text[language]}</p>${form}`))
    }
    server.get<{ Params: { token: string } }>(path, (request, reply) =>
      readUnsubscribe(config.secretKey, request.params.token) === undefined
        ? answer(reply, WORDS.unknown, false, 404)
        : answer(reply, WORDS.ask, true),
    )
    server.post<{ Params: { token: string } }>(path, async (request, reply) => {
      const uuid = readUnsubscribe(config.secretKey, request.params.token)
      const stopped = uuid !== undefined && (await stopMails(db, uuid))
      return stopped ? answer(reply, WORDS.done, false) : answer(reply, WORDS.unknown, false, 404)
    })
  })
}

const BUTTON = { en: 'Stop these mails', uk: 'Більше не надсилати' }
const WORDS = {
  ask: {
    title: { en: 'Stop the mails?', uk: 'Більше не надсилати листів?' },
    text: {
      en: 'You will no longer get mails about what happens in the network. Those that keep your account safe still come.',
      uk: 'Ви більше не отримуватимете листів про події в мережі. Ті, що захищають ваш обліковий запис, надходитимуть і далі.',
    },
    button: BUTTON,
  },
  done: {
    title: { en: 'Done', uk: 'Готово' },
    text: {
      en: 'These mails are off. You can choose them again in the panel, under Notifications in the account menu.',
      uk: 'Ці листи вимкнено. Обрати їх знову можна на панелі: «Сповіщення» в меню облікового запису.',
    },
    button: BUTTON,
  },
  unknown: {
    title: { en: 'This link is not valid', uk: 'Це посилання недійсне' },
    text: {
      en: 'Sign in and choose under Notifications in the account menu what is mailed to you.',
      uk: 'Увійдіть і оберіть у меню облікового запису, в розділі «Сповіщення», що вам надсилати.',
    },
    button: BUTTON,
  },
}

/** A page of its own: it must work without the app, from any mail program. */
function page(language: 'en' | 'uk', title: string, body: string): string {
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escape(title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:12vh auto;padding:0 1.25rem}h1{font-size:1.4rem}button{font:inherit;font-weight:600;padding:.7rem 1.3rem;border-radius:.5rem;border:1px solid currentColor;background:none;color:inherit;cursor:pointer}</style></head><body><p>${escape(title)}</p><main>${body}</main></body></html>`
}
