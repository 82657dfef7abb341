import { Input, Select, TextInput } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { changeAt, fieldProps, type FieldProps } from '#web/kit/fields/field.ts'
import type { Option } from '#web/kit/list/filter.ts'
import type { SignupValues } from './signup-values.ts'
import style from './signup.module.css'

/** A telephone: the code of its country from the list, named "name: +code", and the rest. A number with a + is whole by itself. */
export function PhoneField({ codes, ...field }: FieldProps<SignupValues> & { codes: readonly Option[] }) {
  const { t } = useTranslation('registration')
  const { of, label } = field
  const { country, phone, phone_code: code } = of.values
  const { wrapperProps, description: _help, id, error, withAsterisk, onBlur, 'aria-required': required } = fieldProps(field)
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
    <Input.Wrapper {...wrapperProps} id={id} label={label} error={error} withAsterisk={withAsterisk}>
      <div className={style.phone}>
        <Select
          aria-label={t('phoneCode')}
          data={[...codes]}
          placeholder="+"
          searchable
          limit={60}
          maxDropdownHeight={280}
          comboboxProps={{ width: 320, position: 'bottom-start' }}
          value={code}
          onChange={(next) => changeAt(of, 'phone_code', next)}
        />
        <TextInput
          id={id}
          type="tel"
          autoComplete="tel-national"
          aria-required={required}
          error={error !== undefined}
          value={phone}
          onBlur={onBlur}
          onChange={(event) => changeAt(of, 'phone', event.currentTarget.value)}
        />
      </div>
    </Input.Wrapper>
  )
}
