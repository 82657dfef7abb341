import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import {
  countryCode,
  email,
  languageCode,
  line,
  newPassword,
  paragraph,
  requiredLine,
  timeZone,
  uuid,
  webAddress,
} from '#contract/fields.ts'
import { currency } from '#contract/money/amount.ts'
import { defineSetting } from '#contract/network/define-setting.ts'
import { LEGAL_KINDS } from '#contract/network/legal.ts'
import { byLanguage, source } from './application.ts'

/** Who may sign up: everybody at once, everybody whom staff let in, who was invited, nobody. */
export const REGISTRATION_MODES = ['open', 'moderated', 'invitation', 'closed'] as const
export const registrationMode = z.enum(REGISTRATION_MODES)

/** What can be asked beside name, e-mail and password, in the order of the form. */
export const REGISTRATION_FIELDS = [
  'company',
  'website',
  'country',
  'phone',
  'telegram',
  'skype',
  'linkedin',
  'traffic_sources',
  'verticals',
  'geos',
  'currency',
] as const
export type RegistrationField = (typeof REGISTRATION_FIELDS)[number]
export const fieldRule = z.enum(['hidden', 'optional', 'required'])
export type FieldRule = z.output<typeof fieldRule>

export const QUESTION_KINDS = ['line', 'paragraph', 'choice', 'several'] as const
export const MOST_QUESTIONS = 20
export const MOST_OPTIONS = 20

const said = (max: number) => byLanguage(max).refine(({ en, uk }) => en !== '' || uk !== '', { error: 'Required', path: ['en'] })

/** A question of the network's own. `options` are what can be chosen from, where something can. */
export const question = z.object({
  /** Names it in what is sent; it stays while the words change. */
  id: z.string().regex(/^[a-z0-9]{1,20}$/),
  kind: z.enum(QUESTION_KINDS),
  required: z.boolean(),
  text: said(300),
  options: z.array(said(100)).max(MOST_OPTIONS),
})
export type Question = z.output<typeof question>

const fieldRules = z.object(
  Object.fromEntries(REGISTRATION_FIELDS.map((name) => [name, fieldRule])) as Record<RegistrationField, typeof fieldRule>,
)

/** How affiliates sign up. */
export const registrationSetting = defineSetting(
  'registration',
  { access: 'setting.registration', about: 'how affiliates sign up: who may, what is asked, and what holds for whom' },
  {
    mode: registrationMode,
    /** Whether the address has to be confirmed by a mailed link first. */
    confirm_email: z.boolean(),
    fields: fieldRules,
    questions: z.array(question).max(MOST_QUESTIONS),
  },
  {
    mode: 'moderated',
    confirm_email: true,
    fields: {
      company: 'optional',
      website: 'optional',
      country: 'required',
      phone: 'optional',
      telegram: 'optional',
      skype: 'hidden',
      linkedin: 'hidden',
      traffic_sources: 'required',
      verticals: 'optional',
      geos: 'optional',
      currency: 'hidden',
    },
    questions: [],
  },
)
export type RegistrationSettings = typeof registrationSetting.defaults

/** The form as a guest sees it. */
export const registrationForm = z.object({
  mode: registrationMode,
  /** Signed when the form was opened; it goes with what is sent. '' where nobody may sign up this way. */
  form: z.string(),
  /** What the link in the address is for, where there is one. `expired` = it works no more. */
  link: z.enum(['none', 'invitation', 'confirmation', 'expired']),
  /** Of whoever was invited: the address it is for. */
  email: z.string(),
  /** Whether a link is mailed that confirms the address. */
  confirms: z.boolean(),
  fields: fieldRules,
  questions: z.array(
    z.object({
      ...question.shape,
      text: z.object({ en: z.string(), uk: z.string() }),
      options: z.array(z.object({ en: z.string(), uk: z.string() })),
    }),
  ),
  currencies: z.record(z.string(), z.string()),
  currency,
  /** The texts that are accepted by signing up, in the language asked for or the one there is. */
  legal: z.array(z.object({ uuid, kind: z.enum(LEGAL_KINDS) })),
})
export type RegistrationForm = z.output<typeof registrationForm>

const codes = z.array(requiredLine(40)).max(50).default([])
const text = (max: number) => line(max).default('')

/** What somebody sends who signs up. What the network does not ask is refused where it says anything. */
export const registrationInput = z.object({
  form: z.string().max(300),
  /** The token of an invitation. */
  invitation: z.string().max(200).default(''),
  /** Nobody sees this field: only programs fill it. */
  fax: z.string().max(200).default(''),
  name: requiredLine(),
  email,
  password: newPassword,
  language: languageCode,
  time_zone: timeZone,
  company: text(200),
  website: webAddress().default(''),
  country: countryCode.nullable().default(null),
  phone: text(40),
  telegram: text(100),
  skype: text(100),
  linkedin: text(200),
  traffic_sources: codes,
  verticals: codes,
  geos: z.array(countryCode).max(250).default([]),
  currency: currency.nullable().default(null),
  answers: z
    .array(z.object({ question: z.string().max(20), values: z.array(paragraph(2000)).max(MOST_OPTIONS) }))
    .max(MOST_QUESTIONS)
    .default([]),
  /** The legal texts that were accepted, as the form named them. */
  accepted: z.array(uuid).max(LEGAL_KINDS.length).default([]),
  source: source.prefault({}),
})

const found = z.enum(['free', 'taken', 'malformed']).nullable()

/** Signing up. Paths of the specification are kept to the letter. */
export const registrationApi = {
  open: endpoint({
    method: 'POST',
    path: '/api/registration/v1/open',
    access: 'public',
    summary: 'The form of sign-up as it is now, and what the link in its address is for.',
    /** `ref`: the code of who is to be told that somebody looked; it decides nothing. */
    body: z.object({ token: z.string().max(200).default(''), language: languageCode.default('en'), ref: z.string().max(100).default('') }),
    response: registrationForm,
  }),
  register: endpoint({
    method: 'POST',
    path: '/api/auth/v1/registration',
    access: 'public',
    summary: 'Signs up as an affiliate. Answers where that stands: to be confirmed, to be looked at, or let in.',
    body: registrationInput,
    response: z.object({ status: z.enum(['unverified', 'moderation', 'active']), email: z.string() }),
  }),
  checkUserData: endpoint({
    method: 'POST',
    path: '/api/auth/v1/check-user-data',
    access: 'public',
    summary:
      'Tells of each thing sent whether it is free, taken or malformed; null of what was not sent. A login is an e-mail address. At most ten a minute.',
    body: z.object({ email: z.string().max(300).optional(), phone: z.string().max(60).optional(), login: z.string().max(300).optional() }),
    response: z.object({ email: found, phone: found, login: found }),
  }),
  confirm: endpoint({
    method: 'POST',
    path: '/api/registration/v1/confirm',
    access: 'public',
    summary: 'Confirms the e-mail address of whoever was sent this link.',
    body: z.object({ token: z.string().max(200) }),
    response: z.object({ status: z.enum(['moderation', 'active']), email: z.string() }),
  }),
  resend: endpoint({
    method: 'POST',
    path: '/api/registration/v1/resend',
    access: 'public',
    summary: 'Sends the confirming link once more, if there is somebody to confirm; the answer is the same if there is not.',
    body: z.object({ email }),
    response: z.object({}),
  }),
  settings: registrationSetting.read,
  updateSettings: registrationSetting.update,
  state: endpoint({
    method: 'GET',
    path: '/api/registration/v1/state',
    access: 'setting.registration',
    summary: 'Whether mail is set up, without which nobody is let in unchecked.',
    response: z.object({ mail: z.boolean() }),
  }),
}
