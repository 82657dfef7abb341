import type { RegistrationSettings } from '#contract/people/registration.ts'
import { requireCurrency } from '#server/features/money/currency/currency.service.ts'
import { AppError, type FieldErrors } from '#server/platform/errors.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { findManagerId } from '../manager/manager.queries.ts'

/** Refuses what the shape of the settings cannot tell: questions nobody can answer, a manager who is none. Throws `invalid_input`, `unknown_reference`. */
export async function checkRegistration(trx: Trx, { questions, manager, manager_uuid, currency }: RegistrationSettings): Promise<void> {
  await requireCurrency(trx, currency, 'currency')
  const fields: FieldErrors = {}
  for (const [place, { id, kind, options }] of questions.entries()) {
    if (questions.findIndex((other) => other.id === id) !== place) fields[`questions.${place}.text`] = 'There is such a question already'
    const chosen = kind === 'choice' || kind === 'several'
    const words = options.flatMap(({ en, uk }) => [...new Set([en, uk])].filter((word) => word !== ''))
    if (chosen && options.length < 2) fields[`questions.${place}.options`] = 'At least two to choose from'
    else if (chosen && new Set(words).size < words.length) fields[`questions.${place}.options`] = 'Each choice only once'
  }
  if (manager === 'one' && (manager_uuid === null || (await findManagerId(trx, { kind: 'all' }, manager_uuid)) === undefined))
    fields['manager_uuid'] = 'Choose a manager who works here'
  if (Object.keys(fields).length > 0) throw new AppError('invalid_input', { fields })
}
