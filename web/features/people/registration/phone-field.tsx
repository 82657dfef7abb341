import { useEffect } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { changeAt, fieldProps, type FieldProps } from '#web/kit/fields/field.ts'
import { PhoneInput } from '#web/kit/fields/phone-input.tsx'
import type { Option } from '#web/kit/list/filter.ts'
import type { SignupValues } from './signup-values.ts'

/** A telephone: the code of its country from the list, named "name: +code", and the rest. A number with a + is whole by itself. */
export function PhoneField({ codes, ...field }: FieldProps<SignupValues> & { codes: readonly Option[] }) {
  const { t } = useTranslation('registration')
  const { of, label } = field
  const { country, phone, phone_code: code } = of.values
  const { wrapperProps, id, error, onBlur, 'aria-required': required } = fieldProps(field)
  // the country somebody chose says which code is meant, until they choose another
  useEffect(() => {
    if (country === null || code !== null) return
    const name = new Intl.DisplayNames('en', { type: 'region' }).of(country) ?? ''
    const found = codes.find((one) => one.label.split(/: \+|, /).includes(name))
    if (found !== undefined) changeAt(of, 'phone_code', found.value)
    // only another country is a reason
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [country, codes])
  return (
    <PhoneInput
      id={id}
      label={label}
      codeLabel={t('phoneCode')}
      codes={codes}
      code={code}
      onCode={(next) => changeAt(of, 'phone_code', next)}
      text={phone}
      onText={(text) => changeAt(of, 'phone', text)}
      onBlur={onBlur}
      error={error}
      required={required}
      autoComplete="tel-national"
      wrapperProps={wrapperProps}
    />
  )
}
