import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, email, languageCode, line, moment, paragraph, reference, uuid } from '#contract/fields.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'

/** A text in each language of the panel; where one is empty the other is shown. */
export const byLanguage = (max: number) => z.object({ en: line(max), uk: line(max) })
export type ByLanguage = { en: string; uk: string }

/** The text for a reader of a language. */
export function inLanguage(text: ByLanguage, language: keyof ByLanguage): string {
  return text[language] || text.en || text.uk
}

/** One of the network's own questions with what was answered: several values only where several could be chosen. */
export const answer = z.object({
  question: byLanguage(300),
  values: z.array(z.object({ en: paragraph(2000), uk: paragraph(2000) })).max(20),
})

const address = line(2048).default('')
const mark = line(200).default('')

/** Where somebody who signs up came from: a partner's code, the page that led here, the page opened first, and how that was advertised. */
export const source = z.object({
  ref: line(100).default(''),
  referrer: address,
  landing: address,
  utm_source: mark,
  utm_medium: mark,
  utm_campaign: mark,
  utm_term: mark,
  utm_content: mark,
})

/** What an affiliate said who signed up; null for one whom staff made. */
export const application = z.object({
  created_at: moment,
  /** When the address was confirmed by its link; null = not yet, or nothing could be mailed. */
  confirmed_at: moment.nullable(),
  decided_at: moment.nullable(),
  reason: z.string(),
  answers: z.array(answer),
  source,
  /** Who brought them by a code, and for what share; nobody is named whom the reader does not see. */
  brought: z.object({ who: reference.nullable(), percent: z.string(), months: z.int() }).nullable(),
  address: z.string(),
  device: z.string(),
  accepted: z.array(z.object({ uuid, kind: z.string(), language: languageCode, version: z.int(), accepted_at: moment })),
})

export const INVITATION_STATES = ['open', 'used', 'revoked', 'expired'] as const

export const invitation = z.object({
  uuid,
  email: z.string(),
  language: languageCode,
  state: z.enum(INVITATION_STATES),
  mailed: z.boolean(),
  manager: reference.nullable(),
  /** Who invited; '' once that account is gone. */
  by: z.string(),
  affiliate: reference.nullable(),
  created_at: moment,
  expires_at: moment,
})

/** Applications of those who signed up, and invitations to do so, as staff see them. */
export const applicationApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/application/v1/get/:uuid',
    access: 'affiliate.read',
    summary: 'What an affiliate said at sign-up, where from, and which legal texts were accepted; null where staff made it.',
    params: byUuid,
    response: z.object({ application: application.nullable() }),
  }),
  resend: endpoint({
    method: 'POST',
    path: '/api/application/v1/resend/:uuid',
    access: 'affiliate.write',
    key: 'never',
    summary: 'Sends the link that confirms the e-mail address once more; the one before stops working.',
    params: byUuid,
    response: z.object({}),
  }),
  invite: endpoint({
    method: 'POST',
    path: '/api/application/v1/invite',
    access: 'affiliate.write',
    key: 'never',
    summary: 'Invites somebody to sign up by a one-time link, which is mailed; where no mail is set up it is answered once.',
    body: z.object({ email, language: languageCode, manager_uuid: uuid.nullable().default(null) }),
    response: z.object({ uuid, link: z.string().nullable() }),
  }),
  invitations: endpoint({
    method: 'POST',
    path: '/api/application/v1/invitations',
    access: 'affiliate.write',
    reads: true,
    summary: 'Invitations in the own scope, newest first.',
    body: z.object({ ...paging, ...sorting(['created_at']), search: line(100).default('') }),
    response: listOf(invitation),
  }),
  revoke: endpoint({
    method: 'POST',
    path: '/api/application/v1/revoke/:uuid',
    access: 'affiliate.write',
    key: 'never',
    summary: 'Takes an invitation back that nobody has used.',
    params: z.object({ uuid }),
    response: z.object({}),
  }),
}
