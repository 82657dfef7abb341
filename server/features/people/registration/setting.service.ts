import type { RegistrationSettings } from '#contract/people/registration.ts'
import { AppError, type FieldErrors } from '#server/platform/errors.ts'

/** Refuses what the shape of the settings cannot tell: questions nobody can answer. Throws `invalid_input`. */
export function checkRegistration({ questions }: RegistrationSettings): void {
  const fields: FieldErrors = {}
  for (const [place, { id, kind, options }] of questions.entries()) {
    if (questions.findIndex((other) => other.id === id) !== place) fields[`questions.${place}.text`] = 'There is such a question already'
    const chosen = kind === 'choice' || kind === 'several'
    const words = options.flatMap(({ en, uk }) => [...new Set([en, uk])].filter((word) => word !== ''))
    if (chosen && options.length < 2) fields[`questions.${place}.options`] = 'At least two to choose from'
    else if (chosen && new Set(words).size < words.length) fields[`questions.${place}.options`] = 'Each choice only once'
  }
  if (Object.keys(fields).length > 0) throw new AppError('invalid_input', { fields })
}
