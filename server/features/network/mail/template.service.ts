import type { z } from 'zod'
import { MAIL_EVENT_NAMES, type MailEvent } from '#contract/network/mail.ts'
import { macrosOf, type mailTemplate, type mailTemplateApi } from '#contract/network/mail-template.ts'
import type { Actor } from '#server/access/actor.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { refuseStale } from '#server/platform/pg/version.ts'
import type { PanelAddress } from '#server/features/network/domain/address.service.ts'
import { sampleValues, writeLetter, type Language } from './letter.service.ts'
import { MAIL_TEXTS, type MailText } from './mail-text.ts'
import { macrosIn, standsAlone } from './markup.ts'
import { deleteTemplate, findTemplate, listTemplates, storeTemplate } from './template.queries.ts'

type Template = z.output<typeof mailTemplate>
type Which = { event: MailEvent; language: Language }
const LANGUAGES = ['en', 'uk'] as const

/** The text of a message: the network's own, or the usual one. */
export async function textFor(db: DbOrTrx, event: MailEvent, language: Language): Promise<MailText> {
  const own = await findTemplate(db, { event, language })
  // one that would hand out a link, however it got there, is not sent
  return own === undefined || !standsAlone(own.body, 'link') ? MAIL_TEXTS[event][language] : own
}

/** Every text there is. */
export async function allTemplates(db: Db): Promise<Template[]> {
  const own = await listTemplates(db)
  return MAIL_EVENT_NAMES.flatMap((event) =>
    LANGUAGES.map((language) =>
      templateOf(
        { event, language },
        own.find((one) => one.event === event && one.language === language),
      ),
    ),
  )
}

/** Puts a text in other words. Throws `conflict`, and `invalid_input` where a macro is unknown or a needed one is missing. */
export async function updateTemplate(
  db: Db,
  now: number,
  actor: Actor,
  { event, language, subject, body, version }: z.output<typeof mailTemplateApi.update.body>,
): Promise<Template> {
  const which = { event, language }
  refuseMistakes(event, { subject, body })
  return db.transaction().execute(async (trx) => {
    const before = templateOf(which, await findTemplate(trx, which, true))
    refuseStale(before, version)
    // of two who write the first words of the network's own only one is taken
    if (!(await storeTemplate(trx, now, which, { subject, body }, version))) throw new AppError('conflict')
    await log(trx, now, actor, which, before, { subject, body })
    return templateOf(which, await findTemplate(trx, which))
  })
}

/** Goes back to the usual text. Throws `conflict`. */
export async function resetTemplate(
  db: Db,
  now: number,
  actor: Actor,
  { event, language, version }: z.output<typeof mailTemplateApi.reset.body>,
): Promise<Template> {
  const which = { event, language }
  return db.transaction().execute(async (trx) => {
    const before = templateOf(which, await findTemplate(trx, which, true))
    refuseStale(before, version)
    await deleteTemplate(trx, which, version)
    await log(trx, now, actor, which, before, MAIL_TEXTS[event][language])
    return templateOf(which, undefined)
  })
}

/** A text as it would arrive, with made-up values. Throws as `updateTemplate`. */
export async function previewTemplate(
  db: Db,
  panel: PanelAddress,
  { event, language, ...text }: z.output<typeof mailTemplateApi.preview.body>,
) {
  refuseMistakes(event, text)
  const [general, address] = await Promise.all([getGeneralSettings(db), panel(db)])
  const { subject, html, text: plain } = writeLetter(event, text, sampleValues(event, language, address), general, address)
  // a frame shows no parts of a message: the picture stands in the page itself
  return { subject, text: plain, html: html.replace('src="cid:logo"', `src="${general.logo ?? ''}"`) }
}

function templateOf(which: Which, own: (MailText & { version: number }) | undefined): Template {
  const { subject, body } = own ?? MAIL_TEXTS[which.event][which.language]
  return { ...which, subject, body, own: own !== undefined, version: own?.version ?? 0 }
}

/** A link that is missing makes a message useless; in a subject it would stand in the log and on locked screens. */
function refuseMistakes(event: MailEvent, { subject, body }: MailText): void {
  const known: string[] = macrosOf(event)
  const fields: Record<string, string> = {}
  const unknown = (text: string) => macrosIn(text).filter((name) => !known.includes(name))
  const [inSubject] = unknown(subject)
  const [inBody] = unknown(body)
  if (macrosIn(subject).includes('link')) fields['subject'] = 'The link belongs in the text: subjects are shown to others'
  if (inSubject !== undefined) fields['subject'] = `Nothing fills the macro ${inSubject} here`
  if (known.includes('link') && !macrosIn(body).includes('link'))
    fields['body'] = 'The text needs {link}: without it the message is of no use'
  if (!standsAlone(body, 'link')) fields['body'] = 'The macro {link} stands by itself, or is the whole address of a link'
  if (inBody !== undefined) fields['body'] = `Nothing fills the macro ${inBody} here`
  if (Object.keys(fields).length > 0) throw new AppError('invalid_input', { fields })
}

function log(trx: DbOrTrx, now: number, actor: Actor, { event, language }: Which, before: MailText, after: MailText): Promise<void> {
  const only = ({ subject, body }: MailText) => ({ subject, body })
  const change = { before: only(before), after: only(after) }
  return recordAudit(trx, actor, now, { action: 'update', entity: 'mail_template', entityId: `${event} ${language}`, ...change })
}
