import { affiliateSetting } from '#contract/people/affiliate-setting.ts'
import type { RegistrationForm } from '#contract/people/registration.ts'
import { registrationSetting } from '#contract/people/registration.ts'
import { listCurrentTexts } from '#server/features/network/legal/legal.queries.ts'
import { isMailSetUp } from '#server/features/network/mail/smtp.queries.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { hashToken } from '#server/platform/secret.ts'
import { findInvitation } from '../application/invitation.queries.ts'
import { findLink } from '../auth/link.queries.ts'
import type { Forms } from './form-token.ts'
import { listOfferedCurrencies } from './registration.queries.ts'

/** The form of sign-up as it is now, and what the link is for by which somebody came. */
export async function openForm(
  db: Db,
  now: number,
  forms: Forms,
  { token, language }: { token: string; language: 'en' | 'uk' },
): Promise<RegistrationForm> {
  const [settings, mailed, legal, currencies, link, { currency }] = await Promise.all([
    getSetting(db, registrationSetting),
    isMailSetUp(db),
    listCurrentTexts(db, language),
    listOfferedCurrencies(db),
    linkOf(db, now, token),
    getSetting(db, affiliateSetting),
  ])
  const { mode, confirm_email, fields, questions } = settings
  const invited = link.link === 'invitation' && mode !== 'closed'
  return {
    mode,
    form: invited || mode === 'open' || mode === 'moderated' ? forms.sign(now) : '',
    ...link,
    confirms: mailed && confirm_email && !invited,
    fields,
    questions,
    currencies,
    currency,
    legal: legal.map(({ uuid, kind }) => ({ uuid, kind })),
  }
}

async function linkOf(db: Db, now: number, token: string): Promise<Pick<RegistrationForm, 'link' | 'email'>> {
  if (token === '') return { link: 'none', email: '' }
  const hash = hashToken(token)
  const invitation = await findInvitation(db, hash, now)
  if (invitation !== undefined) return { link: 'invitation', email: invitation.email }
  const confirmation = await findLink(db, hash, now, ['confirm_email'])
  return confirmation === undefined ? { link: 'expired', email: '' } : { link: 'confirmation', email: confirmation.email ?? '' }
}
