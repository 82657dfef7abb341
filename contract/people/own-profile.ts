import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { email, languageCode, timeZone, uuid, version } from '#contract/fields.ts'
import { affiliateFields, affiliateStatus } from '#contract/people/affiliate.ts'
import { accountFields } from '#contract/people/account.ts'
import { stored } from '#contract/shape.ts'

const { company, website, country, phone, contacts, currency } = affiliateFields

/** What affiliates change of themselves; the rest is their manager's business. */
export const ownProfileFields = {
  name: accountFields.name,
  language: languageCode,
  time_zone: timeZone,
  company,
  website,
  country,
  phone,
  contacts,
  currency,
}

export const ownProfile = z.object({
  uuid,
  /** Numeric: the `pid` of click links. */
  id: z.int(),
  email: z.string(),
  /** The address a link was mailed to that is still good, which has not been followed yet. */
  new_email: z.string().nullable(),
  /** Whether mail leaves at all, without which nobody changes an address by themselves. */
  mail: z.boolean(),
  status: affiliateStatus,
  ...stored(ownProfileFields),
  version,
})

/** An affiliate's own profile. */
export const ownProfileApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/profile/v1/get',
    access: 'setting.own',
    summary: 'The own profile of an affiliate.',
    response: ownProfile,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/profile/v1/update',
    access: 'setting.own',
    summary: 'Changes it; refused where somebody changed it since it was read.',
    body: z.object({ ...ownProfileFields, version }),
    response: ownProfile,
  }),
  changeEmail: endpoint({
    method: 'POST',
    path: '/api/profile/v1/change-email',
    access: 'setting.own',
    key: 'never',
    summary: 'Mails a link to another address, which is the own one once the link is followed. The answer never tells whose an address is.',
    body: z.object({ email, password: z.string().min(1, 'Required').max(200) }),
    response: z.object({}),
  }),
  confirmEmail: endpoint({
    method: 'POST',
    path: '/api/profile/v1/confirm-email',
    access: 'setting.own',
    key: 'never',
    summary: 'Takes the address a link was mailed to, which its owner followed signed in; the old one is told.',
    body: z.object({ token: z.string().max(200) }),
    response: z.object({ email: z.string() }),
  }),
}
