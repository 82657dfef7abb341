import { z } from 'zod'
import { STAFF_ROLES } from '#contract/access.ts'
import { endpoint } from '#contract/endpoint.ts'
import { email, languageCode, timeZone, uuid, version } from '#contract/fields.ts'
import { affiliateFields, affiliateStatus } from '#contract/people/affiliate.ts'
import { accountFields } from '#contract/people/account.ts'
import { managerFields } from '#contract/people/manager.ts'
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

/** What staff change of themselves, where they have a page for it; role, type and team are for others to change. */
export const staffProfileFields = {
  name: accountFields.name,
  language: languageCode,
  time_zone: timeZone,
  contacts: managerFields.contacts,
}

export const staffProfile = z.object({
  uuid,
  email: z.string(),
  new_email: ownProfile.shape.new_email,
  mail: ownProfile.shape.mail,
  role: z.enum(STAFF_ROLES),
  ...stored(staffProfileFields),
  version,
})

/** The own profile of admin and head. */
export const staffProfileApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/profile/v1/staff-get',
    access: 'setting.general',
    summary: 'The own profile of a member of staff.',
    response: staffProfile,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/profile/v1/staff-update',
    access: 'setting.general',
    key: 'never',
    summary: 'Changes it; refused where somebody changed it since it was read.',
    body: z.object({ ...staffProfileFields, version }),
    response: staffProfile,
  }),
}

/** An affiliate's own profile. An address is changed the same way by staff who have a page for their profile. */
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
    access: 'signedIn',
    key: 'never',
    summary: 'Mails a link to another address, which is the own one once the link is followed. The answer never tells whose an address is.',
    body: z.object({ email, password: z.string().min(1, 'Required').max(200) }),
    response: z.object({}),
  }),
  confirmEmail: endpoint({
    method: 'POST',
    path: '/api/profile/v1/confirm-email',
    access: 'signedIn',
    key: 'never',
    summary: 'Takes the address a link was mailed to, which its owner followed signed in; the old one is told.',
    body: z.object({ token: z.string().max(200) }),
    response: z.object({ email: z.string() }),
  }),
}
