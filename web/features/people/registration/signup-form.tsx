import { Alert, Button, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { registrationApi, type RegistrationForm } from '#contract/people/registration.ts'
import { PasswordField } from '#web/guest/password-field.tsx'
import { StrengthMeter } from '#web/guest/strength-meter.tsx'
import { fieldText } from '#web/i18n/language.ts'
import { changeAt, fieldProps } from '#web/kit/fields/field.ts'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { FormProblems } from '#web/kit/form/form-problems.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { AskedFields } from './asked-fields.tsx'
import { LegalConsent } from './legal-consent.tsx'
import { QuestionField } from './question-field.tsx'
import type { Signed } from './signup-done.tsx'
import { blankSignup, missingOf, signupInput, wholePhone, type SignupValues } from './signup-values.ts'
import style from './signup.module.css'
import { useCheckedField } from './use-checked-field.ts'

type SignupFormProps = {
  /** The form as the network asks it. */
  asked: RegistrationForm
  /** The token of an invitation, whose address is set. */
  invitation: string
  /** The form, or what is accepted by it, is another one by now. */
  onOutdated: () => void
  onDone: (signed: Signed) => void
  /** Shown to who sets it up: nothing is sent. */
  preview?: boolean
}

/** What is wrong with the form as a whole, not with one of its fields. */
const WHOLE = ['form', 'fax', 'accepted', 'language', 'time_zone']

/** The form of sign-up: who somebody is, what the network asks, what is agreed to. */
export function SignupForm({ asked, invitation, onOutdated, onDone, preview = false }: SignupFormProps) {
  const { t } = useTranslation('registration')
  const form = useSaveForm({
    endpoint: registrationApi.register,
    initial: blankSignup(asked),
    toInput: (values: SignupValues) => signupInput(values, asked, invitation),
    invalidate: [],
    savedText: '',
    onRefused: async (error) => {
      // a form that is too old, or texts that have changed, are fetched anew; what was typed stays
      if (error.fields['form'] !== undefined || error.fields['accepted'] !== undefined) onOutdated()
      throw error
    },
    onSaved: onDone,
  })
  const { values } = form
  useCheckedField(form, 'email', preview || invitation !== '' ? '' : values.email)
  useCheckedField(form, 'phone', preview || asked.fields.phone === 'hidden' ? '' : wholePhone(values))
  const whole = form.problems.filter(({ name }) => WHOLE.includes(name) && name !== 'accepted')
  const { description: _help, ...password } = fieldProps({ of: form, name: 'password', label: t('password'), required: true })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const missing = missingOf(values, asked)
    if (!preview && Object.keys(missing).length === 0) return form.submit(event)
    // everything that is missing is said at once, also what only the network asks for
    event.preventDefault()
    if (!preview) form.form.setErrors({ ...form.form.validate().errors, ...missing })
  }
  return (
    <form onSubmit={submit} noValidate aria-label={t('title')}>
      <div className={style.grid}>
        {whole.map(({ name, text }) => (
          <Alert key={name} color="var(--ohma-bad)" role="alert" data-wide p="sm">
            {fieldText(text)}
          </Alert>
        ))}
        <div data-wide hidden={form.problems.length - whole.length < 2}>
          <FormProblems of={{ ...form, problems: form.problems.filter((one) => !whole.includes(one)) }} />
        </div>
        <TextField of={form} name="name" label={t('name')} help={t('nameHelp')} autoComplete="name" required wide />
        <TextField
          of={form}
          name="email"
          label={t('email')}
          type="email"
          autoComplete="username"
          help={invitation === '' ? undefined : t('emailInvited')}
          disabled={invitation !== ''}
          required
        />
        <div>
          <PasswordField
            {...password}
            autoComplete="new-password"
            value={values.password}
            onChange={(event) => changeAt(form, 'password', event.currentTarget.value)}
          />
          <div className={style.strength}>
            <StrengthMeter password={values.password} />
          </div>
        </div>
        <AskedFields of={form} asked={asked} />
        {asked.questions.length > 0 && <h2 className={style.group}>{t('group.questions')}</h2>}
        {asked.questions.map((question) => (
          <QuestionField key={question.id} of={form} question={question} />
        ))}
        <div className={style.trap} aria-hidden>
          <TextInput
            label={t('fax')}
            name="fax"
            tabIndex={-1}
            autoComplete="off"
            value={values.fax}
            onChange={(event) => changeAt(form, 'fax', event.currentTarget.value)}
          />
        </div>
        {asked.legal.length > 0 && <LegalConsent of={form} legal={asked.legal} />}
        <Button type="submit" size="md" fullWidth loading={form.saving} data-wide mt={4}>
          {t('submit')}
        </Button>
      </div>
    </form>
  )
}
