import type { CallInput } from '#contract/endpoint.ts'
import { REGISTRATION_FIELDS, type registrationApi, type RegistrationForm } from '#contract/people/registration.ts'
import { currentLanguage } from '#web/i18n/language.ts'
import { guestSource } from './source.ts'

/** What the fields of sign-up hold. */
export type SignupValues = {
  name: string
  email: string
  password: string
  company: string
  website: string
  country: string | null
  phone_code: string | null
  phone: string
  telegram: string
  skype: string
  linkedin: string
  traffic_sources: string[]
  verticals: string[]
  geos: string[]
  currency: string | null
  answers: Record<string, string | string[] | null>
  accepted: boolean
  fax: string
}

export function blankSignup({ email, questions, fields, currency }: RegistrationForm): SignupValues {
  return {
    name: '',
    email,
    password: '',
    company: '',
    website: '',
    country: null,
    phone_code: null,
    phone: '',
    telegram: '',
    skype: '',
    linkedin: '',
    traffic_sources: [],
    verticals: [],
    geos: [],
    currency: fields.currency === 'hidden' ? null : currency,
    answers: Object.fromEntries(questions.map(({ id, kind }) => [id, kind === 'several' ? [] : kind === 'choice' ? null : ''])),
    accepted: false,
    fax: '',
  }
}

/** What the network asks and nobody has said yet, by the names of the fields. */
export function missingOf(values: SignupValues, { fields, questions, legal }: RegistrationForm): Record<string, string> {
  const empty = (value: string | readonly string[] | null | undefined) => value === null || value === undefined || value.length === 0
  const asked = REGISTRATION_FIELDS.filter((name) => fields[name] === 'required' && empty(values[name]))
  const answers = questions.filter(({ id, required }) => required && empty(values.answers[id])).map(({ id }) => `answers.${id}`)
  const missing = Object.fromEntries([...asked, ...answers].map((name) => [name, 'Required']))
  return legal.length > 0 && !values.accepted ? { ...missing, accepted: 'Please accept them to go on' } : missing
}

/** The telephone as one number, from its code and the rest; who types a + has typed all of it. */
export function wholePhone({ phone, phone_code }: Pick<SignupValues, 'phone' | 'phone_code'>): string {
  const typed = phone.trim()
  return typed === '' || typed.startsWith('+') || phone_code === null ? typed : `+${phone_code} ${typed}`
}

export function signupInput(
  { answers, accepted, phone_code: _code, website, ...values }: SignupValues,
  { form, legal }: Pick<RegistrationForm, 'form' | 'legal'>,
  invitation: string,
): CallInput<typeof registrationApi.register> {
  const site = website.trim()
  return {
    body: {
      ...values,
      form,
      invitation,
      language: currentLanguage(),
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      phone: wholePhone({ phone: values.phone, phone_code: _code }),
      website: site === '' || /^[a-z]+:\/\//i.test(site) ? site : `https://${site}`,
      // a currency of the list, by its code
      currency: values.currency as CallInput<typeof registrationApi.register>['body']['currency'],
      answers: Object.entries(answers).flatMap(([question, said]) => {
        const given = [said ?? ''].flat().filter((value) => value.trim() !== '')
        return given.length === 0 ? [] : [{ question, values: given }]
      }),
      accepted: accepted ? legal.map(({ uuid }) => uuid) : [],
      source: guestSource(),
    },
  }
}
