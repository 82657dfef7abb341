import type { z } from 'zod'
import type { answer } from '#contract/people/application.ts'
import {
  REGISTRATION_FIELDS,
  type Question,
  type RegistrationField,
  type registrationInput,
  type RegistrationSettings,
} from '#contract/people/registration.ts'
import { isChoice } from '#server/features/network/constant/constant.service.ts'
import type { FieldErrors } from '#server/platform/errors.ts'
import { NO_PHONE_OF_CODE } from '#contract/people/phone.ts'
import { readPhone } from '#server/rules/phone.ts'

type Input = z.output<typeof registrationInput>
type Answer = z.output<typeof answer>

const REQUIRED = 'Required'
const NOT_ASKED = 'This is not asked here'
const UNKNOWN = 'Choose from the list'
/** What can be chosen for fields that are lists of choices. */
const CHOICES: Partial<Record<RegistrationField, Parameters<typeof isChoice>[0]>> = {
  country: 'geos',
  traffic_sources: 'traffic',
  verticals: 'verticals',
  geos: 'geos',
}

/** What is wrong with the fields the network may ask, by their names: missing, not asked, or no choice there is. */
export function wrongFields(input: Input, { fields }: Pick<RegistrationSettings, 'fields'>): FieldErrors {
  const wrong: FieldErrors = {}
  for (const name of REGISTRATION_FIELDS) {
    const value = input[name]
    const empty = value === null || value.length === 0
    const known = CHOICES[name]
    if (empty && fields[name] === 'required') wrong[name] = REQUIRED
    else if (!empty && fields[name] === 'hidden') wrong[name] = NOT_ASKED
    else if (known !== undefined && [value ?? []].flat().some((one) => !isChoice(known, one))) wrong[name] = UNKNOWN
  }
  if (input.phone !== '' && wrong['phone'] === undefined && readPhone(input.phone) === undefined) wrong['phone'] = NO_PHONE_OF_CODE
  return wrong
}

/** The answers to the own questions as they are kept, with what is wrong by `answers.<question>`. */
export function readAnswers(questions: readonly Question[], said: Input['answers']): { answers: Answer[]; wrong: FieldErrors } {
  const wrong: FieldErrors = {}
  const answers: Answer[] = []
  for (const { question } of said)
    if (questions.every(({ id }) => id !== question)) wrong[`answers.${question.replace(/[^a-z0-9]/g, '')}`] = NOT_ASKED
  for (const { id, kind, required, text, options } of questions) {
    const given = said.filter(({ question }) => question === id)
    const values = [...new Set(given.flatMap((one) => one.values).filter((value) => value !== ''))]
    const chosen = values.map((value) => {
      if (kind === 'line' || kind === 'paragraph') return { en: value, uk: value }
      return options.find(({ en, uk }) => value === en || value === uk)
    })
    if (values.length === 0) {
      if (required) wrong[`answers.${id}`] = REQUIRED
    } else if (given.length > 1 || (kind !== 'several' && values.length > 1) || chosen.some((one) => one === undefined))
      wrong[`answers.${id}`] = UNKNOWN
    else if (kind === 'line' && /[\u0000-\u001f\u007f]/.test(values[0] ?? ''))
      wrong[`answers.${id}`] = 'Line breaks and control characters are not allowed'
    else answers.push({ question: text, values: chosen.flatMap((one) => one ?? []) })
  }
  return { answers, wrong }
}
