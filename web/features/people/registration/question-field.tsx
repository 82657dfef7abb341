import { inLanguage } from '#contract/people/application.ts'
import type { Question } from '#contract/people/registration.ts'
import { currentLanguage } from '#web/i18n/language.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { MultiSelectField } from '#web/kit/fields/multi-select-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import type { SignupValues } from './signup-values.ts'

/** A question of the network's own, in the language on the screen. */
export function QuestionField({ of, question: { id, kind, required, text, options } }: { of: SaveForm<SignupValues>; question: Question }) {
  const language = currentLanguage()
  const field = { of, name: `answers.${id}` as const, label: inLanguage(text, language), required, wide: true }
  const choices = options.map((option) => ({ value: inLanguage(option, language), label: inLanguage(option, language) }))
  if (kind === 'line') return <TextField {...field} />
  if (kind === 'paragraph') return <LongTextField {...field} />
  if (kind === 'choice') return <SelectField {...field} options={choices} clearable={!required} />
  return <MultiSelectField {...field} options={choices} />
}
