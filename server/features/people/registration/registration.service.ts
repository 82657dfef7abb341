import { givenToNew } from '../affiliate/setting.service.ts'
import type { z } from 'zod'
import { affiliateInput, blankAffiliate } from '#contract/people/affiliate.ts'
import { type registrationApi, registrationSetting, type RegistrationSettings } from '#contract/people/registration.ts'
import { activeAmong } from '#server/features/money/currency/currency.queries.ts'
import { acceptTexts, requireAccepted } from '#server/features/network/legal/legal.service.ts'
import { offeredOr } from '#server/features/network/setting/general.service.ts'
import { isMailSetUp } from '#server/features/network/mail/smtp.queries.ts'
import { tellStaff } from '#server/features/network/notification/tell.queries.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { announce } from '#server/features/traffic/snapshot/snapshot.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { hashPassword, hashToken } from '#server/platform/secret.ts'
import { insertAccount } from '../account/account.queries.ts'
import { refuseTakenEmail } from '../account/account.service.ts'
import { insertAffiliate } from '../affiliate/affiliate.queries.ts'
import { insertApplication } from '../application/application.queries.ts'
import type { Post } from '../application/decision.service.ts'
import { findInvitation, markInvitationUsed } from '../application/invitation.queries.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { attachReferrer } from '../referral/referral.service.ts'
import { limitLine } from '../auth/limit.service.ts'
import { mailConfirmation } from '../auth/recovery.service.ts'
import { readAnswers, wrongFields } from './asked.ts'
import type { Forms } from './form-token.ts'
import { readPhone } from '#server/rules/phone.ts'
import { isEmailTaken, isPhoneTaken, lockPhone, markFormUsed } from './registration.queries.ts'

type Input = z.output<typeof registrationApi.register.body>
type Answered = z.input<typeof registrationApi.register.response>

const EMAIL_TAKEN = { email: 'This e-mail is already in use' }
const PHONE_TAKEN = { phone: 'Somebody has signed up with this telephone already' }
const FORM_USED = 'This form was sent already. Log in, or reload the page to sign up somebody else'
const CLOSED = { closed: 'Nobody can sign up here at the moment', invitation: 'Signing up takes an invitation that is still valid' }

/**
 * Signs somebody up: makes the account and the affiliate, keeps what was said and accepted, and has the link mailed that
 * confirms the address. Where nothing can be mailed, nobody is let in unchecked: staff decide. Everything is in one
 * transaction with the mark of the form and of the invitation, so that twice at once makes one, and what fails leaves nothing.
 * Throws `too_many_attempts`, `email_taken`, and `invalid_input` at the fields.
 */
export async function register(
  db: Db,
  now: number,
  { forms, post }: { forms: Forms; post: Post },
  input: Input,
  from: { address: string; device: string },
): Promise<Answered> {
  await limitLine(db, now, 'register', from.address)
  if (input.fax !== '') throw new AppError('invalid_input', { fields: { fax: 'Leave this field empty: it is there for programs' } })
  const form = forms.read(input.form, now)
  if (typeof form === 'string') throw new AppError('invalid_input', { fields: { form } })
  const settings = await getSetting(db, registrationSetting)
  const { answers } = await check(db, now, settings, input)
  const hash = await hashPassword(input.password)

  return db.transaction().execute(async (trx) => {
    if (!(await markFormUsed(trx, form.id, form.expires))) throw new AppError('invalid_input', { fields: { form: FORM_USED } })
    const invitation = await requireInvitation(trx, now, settings, input, true)
    const phone = readPhone(input.phone) ?? ''
    if (phone !== '') {
      await lockPhone(trx, phone)
      if (await isPhoneTaken(trx, phone)) throw new AppError('invalid_input', { fields: PHONE_TAKEN })
    }
    const mailed = await isMailSetUp(trx)
    const confirmed = invitation?.mailed === true
    const status = confirmed || invitation ? 'active' : firstStatus(settings, mailed)
    const given = await givenToNew(trx, invitation === undefined)
    const manager_id = invitation === undefined ? given.managerId : invitation.manager_id
    const affiliate = {
      ...pick(input),
      status,
      phone,
      contacts: { skype: input.skype, telegram: input.telegram, linkedin: input.linkedin },
      currency: input.currency ?? given.currency,
      created_at: new Date(now),
    }
    const { email, name, time_zone } = input
    const language = await offeredOr(trx, input.language)
    const account = await refuseTakenEmail(() =>
      insertAccount(trx, { role: 'affiliate', email, name, language, time_zone, password_hash: hash, created_at: new Date(now) }),
    )
    const { id } = await insertAffiliate(trx, { ...affiliate, account_id: account.id, manager_id })
    await insertApplication(trx, {
      affiliate_id: id,
      answers: JSON.stringify(answers),
      source: JSON.stringify(input.source),
      address: from.address,
      device: from.device.slice(0, 300),
      created_at: new Date(now),
      confirmed_at: confirmed ? new Date(now) : null,
    })
    await attachReferrer(trx, now, id, input.source.ref)
    await acceptTexts(trx, now, { affiliateId: id, address: from.address }, input.language, input.accepted)
    if (invitation !== undefined) await markInvitationUsed(trx, invitation.id, now, id)
    const after = { ...affiliateInput.partial().parse({ ...blankAffiliate, ...affiliate, name, email, time_zone }), manager_id }
    await recordAudit(trx, null, now, { action: 'register', entity: 'affiliate', entityId: id, after })
    await announce(trx, 'affiliate', [id])
    const to = { id: account.id, email, name, language }
    if (status === 'unverified') await mailConfirmation(trx, now, post, to)
    else await receive(trx, now, post, { affiliateId: id, status, mailed }, to)
    return { status, email }
  })
}

/** What follows once somebody has shown who they are, or needs not: staff are told, and who waits for them is told so. */
export async function receive(
  trx: DbOrTrx,
  now: number,
  { mail }: Post,
  { affiliateId, status, mailed }: { affiliateId: number; status: 'moderation' | 'active'; mailed: boolean },
  { id, email, name, language }: { id: number; email: string; name: string; language: 'en' | 'uk' },
): Promise<void> {
  const told = { side: 'affiliate', permission: 'affiliate.write', but: null } as const
  await tellStaff(trx, now, [{ kind: 'affiliate_registered', affiliateId, status }], told)
  if (status === 'moderation' && mailed)
    await mail.add(trx, now, { event: 'registration_received', to: { email, language, accountId: id }, values: { name } })
}

/** Where who signs up without an invitation begins. */
function firstStatus({ mode, confirm_email }: RegistrationSettings, mailed: boolean): 'unverified' | 'moderation' | 'active' {
  if (!mailed) return 'moderation'
  if (confirm_email) return 'unverified'
  return mode === 'open' ? 'active' : 'moderation'
}

/** Refuses what can be told before a password is hashed, which takes much CPU and memory; all mistakes at once. */
async function check(db: Db, now: number, settings: RegistrationSettings, input: Input) {
  await requireInvitation(db, now, settings, input)
  const { answers, wrong } = readAnswers(settings.questions, input.answers)
  const fields = { ...wrongFields(input, settings), ...wrong }
  const phone = readPhone(input.phone)
  if (phone !== undefined && fields['phone'] === undefined && (await isPhoneTaken(db, phone))) Object.assign(fields, PHONE_TAKEN)
  if (input.currency !== null && fields['currency'] === undefined && !(await activeAmong(db, [input.currency])).has(input.currency))
    fields['currency'] = 'Choose from the list'
  if (await isEmailTaken(db, input.email)) throw new AppError('email_taken', { fields: { ...EMAIL_TAKEN, ...fields } })
  if (Object.keys(fields).length > 0) throw new AppError('invalid_input', { fields })
  await requireAccepted(db, input.language, input.accepted)
  return { answers }
}

/** The invitation somebody came with, where they did. Throws `invalid_input` where one is needed, or is another's. */
async function requireInvitation(db: DbOrTrx, now: number, { mode }: RegistrationSettings, { invitation, email }: Input, lock = false) {
  if (mode === 'closed') throw new AppError('invalid_input', { fields: { form: CLOSED.closed } })
  const found = invitation === '' ? undefined : await findInvitation(db, hashToken(invitation), now, lock)
  if (found === undefined) {
    if (mode === 'invitation' || invitation !== '') throw new AppError('invalid_input', { fields: { form: CLOSED.invitation } })
    return undefined
  }
  if (found.email !== email) throw new AppError('invalid_input', { fields: { email: 'The invitation is for another address' } })
  return found
}

function pick({ company, website, country, traffic_sources, verticals, geos }: Input) {
  return { company, website, country, traffic_sources, verticals, geos }
}
