import { useMemo, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useConstants } from '#web/api/constants.ts'
import { changeAt, fieldProps, valueAt, type FieldProps } from '#web/kit/fields/field.ts'
import { PhoneInput } from '#web/kit/fields/phone-input.tsx'
import { joinPhone, splitPhone } from '#web/kit/fields/phone-number.ts'

type PhoneFieldProps<Values> = FieldProps<Values> & {
  /** The country of who it belongs to: its code is meant while no other is chosen. */
  home?: string | null
  /** Whether it is the number of the person who types it. */
  own?: true
}

/** A telephone, kept as one text such as `+380 67 123 4567`: the code of its country from the list, and the rest. */
export function PhoneField<Values>({ home = null, own, ...field }: PhoneFieldProps<Values>) {
  const { t } = useTranslation('kit')
  const { country_code_phone: options } = useConstants()
  const codes = useMemo(
    () => options.map(({ value, label }) => ({ country: value, digits: label.slice(label.lastIndexOf('+') + 1) })),
    [options],
  )
  const [chosen, setChosen] = useState<string | null>(null)
  const whole = valueAt<Values, string>(field.of, field.name)
  const { wrapperProps, description, id, error, onBlur } = fieldProps(field)
  const { country, rest } = whole === '' ? { country: chosen ?? home, rest: '' } : splitPhone(whole, codes, [chosen, home])
  const put = (code: string | null, text: string) => {
    const found = splitPhone(text, codes, [chosen, home])
    if (found.country !== null) setChosen(found.country)
    // a code alone is no number yet
    changeAt(field.of, field.name, found.country !== null && found.rest === '' ? '' : joinPhone(code, text, codes))
  }
  return (
    <PhoneInput
      id={id}
      label={field.label}
      codeLabel={t('phoneCode')}
      codes={options}
      code={country}
      onCode={(code) => {
        setChosen(code)
        put(code, rest)
      }}
      text={rest}
      onText={(text) => put(country, text)}
      onBlur={onBlur}
      help={description}
      error={error}
      required={field.required}
      autoComplete={own ? 'tel-national' : 'off'}
      wrapperProps={wrapperProps}
    />
  )
}
