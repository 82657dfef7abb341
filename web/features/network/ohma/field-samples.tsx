import { affiliateApi } from '#contract/people/affiliate.ts'
import { managerApi } from '#contract/people/manager.ts'
import { CountryField } from '#web/kit/fields/country-field.tsx'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { MultiSelectField } from '#web/kit/fields/multi-select-field.tsx'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { PasswordField } from '#web/kit/fields/password-field.tsx'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { TagsField } from '#web/kit/fields/tags-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { ZoneField } from '#web/kit/fields/zone-field.tsx'
import { FormProblems } from '#web/kit/form/form-problems.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

const OPTIONS = [
  { value: 'direct', label: 'Direct link' },
  { value: 'api', label: 'API' },
]

/** Every field; the button shows how errors look. Nothing is ever sent. */
export function FieldSamples() {
  const form = useSaveForm({
    endpoint: affiliateApi.setStatus,
    initial: {
      name: 'Найвідповідальніший',
      email: '',
      amount: '1234.50',
      percent: '12.5',
      type: 'direct',
      types: ['api'],
      tags: ['vip', 'push'],
      on: true,
      country: 'UA',
      zone: 'Europe/Kyiv',
      manager: null,
      password: 'secret',
      notes: 'Several\nlines',
    },
    toInput: () => ({ body: { uuids: [], status: 'active' as const } }),
    invalidate: [],
    onSaved: () => {},
  })
  const shown = { ...form, problems: [{ name: 'email', label: 'E-mail', text: 'This e-mail is already in use.' }] }
  return (
    <>
      <FormProblems of={shown} />
      <FormSection title="Account" text="One sentence where the title alone does not say it.">
        <TextField of={form} name="name" label="Name" required />
        <TextField of={form} name="email" label="E-mail" help="They sign in with it." placeholder="name@example.com" disabled />
        <NumberField of={form} name="amount" label="Payout" unit="EUR" />
        <NumberField of={form} name="percent" label="Commission" unit="%" />
        <SelectField of={form} name="type" label="Type" options={OPTIONS} />
        <MultiSelectField of={form} name="types" label="Types" options={OPTIONS} />
        <TagsField of={form} name="tags" label="Tags" />
        <CountryField of={form} name="country" label="Country" />
        <ZoneField of={form} name="zone" label="Time zone" />
        <ReferenceField of={form} name="manager" label="Manager" endpoint={managerApi.options} />
        <PasswordField of={form} name="password" label="Password" autoComplete="new-password" />
        <SwitchField of={form} name="on" label="Several conversions per click" help="Each needs a transaction id." />
        <LongTextField of={form} name="notes" label="Notes" wide />
      </FormSection>
    </>
  )
}
