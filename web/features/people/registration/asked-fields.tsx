import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { RegistrationField, RegistrationForm } from '#contract/people/registration.ts'
import { guestConstantsQuery } from '#web/api/constants.ts'
import { countryName } from '#web/format.ts'
import { MultiSelectField } from '#web/kit/fields/multi-select-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import { PhoneField } from './phone-field.tsx'
import type { SignupValues } from './signup-values.ts'
import style from './signup.module.css'

const CONTACT: readonly RegistrationField[] = ['company', 'website', 'country', 'phone', 'telegram', 'skype', 'linkedin']
const TRAFFIC: readonly RegistrationField[] = ['traffic_sources', 'verticals', 'geos', 'currency']
const AUTOCOMPLETE = { company: 'organization', website: 'url', telegram: 'off', skype: 'off', linkedin: 'off' } as const
const EXAMPLES = { website: 'example.com', telegram: '@name', linkedin: 'linkedin.com/in/name' } as const

/** What the network asks beside name, e-mail and password: choices come from the reference data of guests. */
export function AskedFields({ of, asked }: { of: SaveForm<SignupValues>; asked: RegistrationForm }) {
  const { t, i18n } = useTranslation('registration')
  const { t: nameOf } = useTranslation('constant')
  const { data: guest } = useQuery(guestConstantsQuery)
  const isAsked = (name: RegistrationField) => asked.fields[name] !== 'hidden'
  const common = (name: RegistrationField) => ({
    of,
    name,
    label: t(`field.${name}`),
    required: asked.fields[name] === 'required',
  })
  const named = (list: 'traffic' | 'verticals', pairs: readonly { value: string; label: string }[] = []) =>
    pairs.map(({ value, label }) => ({ value, label: nameOf(`${list}.${value}` as 'traffic.seo', { defaultValue: label }) }))
  const countries = (guest?.geos ?? [])
    .map(({ value }) => ({ value, label: countryName(value) }))
    .toSorted((one, other) => one.label.localeCompare(other.label, i18n.language))
  const field = (name: RegistrationField) => {
    if (!isAsked(name)) return null
    if (name === 'phone') return <PhoneField key={name} {...common(name)} codes={guest?.country_code_phone ?? []} />
    if (name === 'country')
      return <SelectField key={name} {...common(name)} options={countries} clearable={asked.fields.country === 'optional'} />
    if (name === 'currency')
      return (
        <SelectField key={name} {...common(name)} options={Object.entries(asked.currencies).map(([value, label]) => ({ value, label }))} />
      )
    if (name === 'traffic_sources')
      return <MultiSelectField key={name} {...common(name)} options={named('traffic', guest?.trafficSources)} />
    if (name === 'verticals') return <MultiSelectField key={name} {...common(name)} options={named('verticals', guest?.verticals)} />
    if (name === 'geos') return <MultiSelectField key={name} {...common(name)} options={countries} />
    const example = name in EXAMPLES ? EXAMPLES[name as keyof typeof EXAMPLES] : undefined
    return <TextField key={name} {...common(name)} autoComplete={AUTOCOMPLETE[name]} placeholder={example} />
  }
  return (
    <>
      {CONTACT.some(isAsked) && <h2 className={style.group}>{t('group.contact')}</h2>}
      {CONTACT.map(field)}
      {TRAFFIC.some(isAsked) && <h2 className={style.group}>{t('group.traffic')}</h2>}
      {TRAFFIC.map(field)}
    </>
  )
}
