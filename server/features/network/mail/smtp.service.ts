import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { canSend, smtpConnection, smtpFields, smtpSetting, type smtp, type smtpInput, type SmtpOutcome } from '#contract/network/smtp.ts'
import { sectionOf } from '#contract/network/define-setting.ts'
import { moment } from '#contract/fields.ts'
import { may, type Actor } from '#server/access/actor.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import {
  getGeneralSettings,
  getSetting,
  lastChangeOf,
  lockSetting,
  storeSetting,
} from '#server/features/network/setting/setting.queries.ts'
import { AppError, type FieldErrors } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { pickFields } from '#server/platform/pg/fields.ts'
import { refuseStale } from '#server/platform/pg/version.ts'
import type { PanelAddress } from '#server/features/network/domain/address.service.ts'
import { sampleValues, writeLetter } from './letter.service.ts'
import { insertMail, mailQueue } from './mail.queries.ts'
import { dkimRecord, isDkimKey, newDkimKey, openSmtpSecrets, smtpSealer } from './secret.service.ts'
import { envelopeOf, errorOf } from './send.service.ts'
import { deleteSecret, readSecrets, storeSecret } from './smtp.queries.ts'
import { textFor } from './template.service.ts'
import { openTransport, type Problem } from './transport.service.ts'

type Input = z.output<typeof smtpInput>
type Values = typeof smtpSetting.defaults
type Parts = { db: Db; secretKey: string | null; panel: PanelAddress }

/** When a test message was last taken by the server. */
const testSetting = sectionOf('smtp_test', { at: moment.nullable() }, { at: null })

/** The settings as they are shown; of secrets whether they are set. */
export async function readSmtp(db: DbOrTrx, secretKey: string | null, now: number, actor: Actor): Promise<z.input<typeof smtp>> {
  const [setting, secrets, changed, queue, test] = await Promise.all([
    getSetting(db, smtpSetting),
    readSecrets(db),
    lastChangeOf(db, smtpSetting.key),
    mailQueue(db, now),
    getSetting(db, testSetting),
  ])
  return {
    ...setting,
    password_set: secrets.password !== undefined,
    dkim_record: dkimRecord(openSmtpSecrets(secretKey, secrets, setting).dkim),
    may_set_secrets: may(actor, 'setting.smtp_secret'),
    sends: canSend(setting),
    changed,
    waiting: queue.waiting,
    tested_at: test.at,
  }
}

/** Whether mail is set up and a server has taken a test message. */
export async function isMailProven(db: DbOrTrx): Promise<boolean> {
  const [setting, test] = await Promise.all([getSetting(db, smtpSetting), getSetting(db, testSetting)])
  return canSend(setting) && test.at !== null
}

/** Changes the settings and secrets. Throws `conflict`, `invalid_input`, and `forbidden` where only an admin may. */
export async function updateSmtp(db: Db, secretKey: string | null, now: number, actor: Actor, input: Input): Promise<void> {
  const { password, dkim_key, version } = input
  const values = valuesOf(input)
  const key = dkim_key === 'new' ? await newDkimKey() : dkim_key
  await db.transaction().execute(async (trx) => {
    const before = await lockSetting(trx, smtpSetting)
    refuseStale(before, version)
    const secrets = await readSecrets(trx)
    refuseMistakes(actor, before, input, secrets.password !== undefined)
    const sealer = smtpSealer(secretKey)
    // nobody to sign in as, nothing to sign in with
    if (values.user === '' || password === '') await deleteSecret(trx, 'password')
    else if (password !== null) await storeSecret(trx, now, 'password', sealer.seal(password))
    if (values.dkim_domain === '' || key === '') await deleteSecret(trx, 'dkim_key')
    else if (key !== null) await storeSecret(trx, now, 'dkim_key', sealer.seal(key))
    await storeSetting(trx, now, smtpSetting.key, values)
    const logged = async (of: Values, known: typeof secrets) => ({ ...valuesOf(of), ...marksOf(known) })
    const change = { before: await logged(before, secrets), after: await logged(values, await readSecrets(trx)) }
    await recordAudit(trx, actor, now, { action: 'update', entity: 'setting', entityId: smtpSetting.key, ...change })
  })
}

/** Reaches the server with these values and signs in; sends nothing. Throws what saving them would. */
export async function checkSmtp(parts: Parts, actor: Actor, input: Input): Promise<SmtpOutcome> {
  return tryOut(parts, actor, input, (transport) => transport.check(), false)
}

/** Sends a test message with these values, and keeps it in the log. Throws what saving them would. */
export async function testSmtp(parts: Parts, now: number, actor: Actor, input: Input & { to: string }): Promise<SmtpOutcome> {
  const { db } = parts
  if (input.sender_email === '') throw new AppError('invalid_input', { fields: { sender_email: 'Required' } })
  const uuid = randomUUID()
  const [text, general, address] = await Promise.all([textFor(db, 'test', actor.language), getGeneralSettings(db), parts.panel(db)])
  const written = writeLetter('test', text, sampleValues('test', actor.language, address), general, address)
  const outcome = await tryOut(
    parts,
    actor,
    input,
    (transport) => transport.send({ ...written, ...envelopeOf(valuesOf(input), { uuid }), to: input.to }),
    true,
  )
  const failed = outcome.steps.find((step) => !step.ok)
  const at = new Date(now)
  await insertMail(db, {
    uuid,
    event: 'test',
    language: actor.language,
    recipient: input.to,
    account_id: null,
    sealed: null,
    subject: written.subject,
    status: outcome.ok ? 'sent' : failed?.step === 'send' ? 'refused' : 'failed',
    attempts: 1,
    next_at: at,
    expires_at: at,
    created_at: at,
    settled_at: at,
    error: failed?.reason ? errorOf(failed.reason, failed.detail) : '',
  })
  if (outcome.ok) await storeSetting(db, now, testSetting.key, { at: at.toISOString() })
  return outcome
}

async function tryOut(
  { db, secretKey }: Parts,
  actor: Actor,
  input: Input,
  work: (transport: ReturnType<typeof openTransport>) => Promise<Problem | undefined>,
  sending: boolean,
): Promise<SmtpOutcome> {
  const [before, secrets] = await Promise.all([getSetting(db, smtpSetting), readSecrets(db)])
  refuseMistakes(actor, before, input, secrets.password !== undefined)
  if (input.host === '') throw new AppError('invalid_input', { fields: { host: 'Required' } })
  const stored = openSmtpSecrets(secretKey, secrets, input)
  const typed = input.dkim_key === null || input.dkim_key === '' || input.dkim_key === 'new' ? null : input.dkim_key
  const dkim = typed === null ? stored.dkim : { domain: input.dkim_domain, selector: input.dkim_selector, key: typed }
  const transport = openTransport({ ...valuesOf(input), password: input.password ?? stored.password }, { dkim, atOnce: 1 })
  try {
    return outcomeOf(input, await work(transport), sending)
  } finally {
    transport.close()
  }
}

/** Which steps there are with these values, each done until the one that failed. */
function outcomeOf({ security, user }: Input, problem: Problem | undefined, sending: boolean): SmtpOutcome {
  const all = [
    'connect',
    ...(security === 'none' ? [] : ['encrypt' as const]),
    ...(user === '' ? [] : ['sign_in' as const]),
    'send',
  ] as const
  const asked = all.filter((step) => sending || step !== 'send')
  const at = problem === undefined ? asked.length : asked.findIndex((step) => step === problem.step)
  const failed = at === -1 ? 0 : at
  return {
    ok: problem === undefined,
    steps: asked.slice(0, failed + 1).map((step, index) => {
      const ok = problem === undefined || index < failed
      return { step, ok, reason: ok ? null : problem.reason, detail: ok ? '' : problem.detail }
    }),
  }
}

const CONNECTION = Object.keys(smtpConnection) as (keyof typeof smtpConnection)[] // keys of a literal object

/**
 * What the shapes cannot tell. Links that sign people in, admins too, go to whatever server stands here, so only who may set
 * its secrets chooses it; and a stored password is only ever told to the server and user it was typed for.
 */
function refuseMistakes(actor: Actor, before: Values, input: Input, hasPassword: boolean): void {
  const fields: FieldErrors = {}
  const moved = CONNECTION.filter((name) => input[name] !== before[name])
  if (!may(actor, 'setting.smtp_secret')) {
    const own = 'Only an admin can change this'
    // without domain and selector the DKIM key is of no use, and is deleted
    for (const name of [...CONNECTION, 'dkim_domain', 'dkim_selector'] as const) if (input[name] !== before[name]) fields[name] = own
    if (input.password !== null) fields['password'] = own
    if (input.dkim_key !== null) fields['dkim_key'] = own
  }
  if (input.host !== '' && input.sender_email === '') fields['sender_email'] = 'Required'
  if (input.user !== '' && (input.password === '' || (input.password === null && !hasPassword))) fields['password'] ??= 'Required'
  if (input.user !== '' && input.password === null && hasPassword && moved.length > 0)
    fields['password'] ??= 'Type the password again: it is only used with the server and user it was saved for'
  if (input.dkim_domain !== '' && input.dkim_selector === '') fields['dkim_selector'] = 'Required'
  if (input.dkim_domain === '' && input.dkim_selector !== '') fields['dkim_domain'] = 'Required'
  if (input.dkim_key && input.dkim_domain === '') fields['dkim_domain'] = 'Required'
  if (input.dkim_key && input.dkim_key !== 'new' && !isDkimKey(input.dkim_key))
    fields['dkim_key'] = 'Paste an RSA private key of at least 1024 bits, beginning with -----BEGIN'
  if (Object.keys(fields).length > 0) throw new AppError('invalid_input', { fields })
}

function valuesOf(input: Values): Values {
  return pickFields(input, smtpFields)
}

/** What the log tells of secrets: that another one was set. Their names make it mask even that. */
function marksOf(secrets: Awaited<ReturnType<typeof readSecrets>>) {
  return { password: secrets.password?.set_at.toISOString() ?? '', dkim_key: secrets.dkim_key?.set_at.toISOString() ?? '' }
}
