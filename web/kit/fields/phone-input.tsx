import { Input, Select, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Option } from '#web/kit/list/filter.ts'

type PhoneInputProps = {
  id: string
  label: string
  /** How a screen reader calls the list of codes. */
  codeLabel: string
  codes: readonly Option[]
  code: string | null
  onCode: (code: string | null) => void
  text: string
  onText: (text: string) => void
  onBlur?: (() => void) | undefined
  help?: ReactNode
  error?: string | undefined
  required?: boolean | undefined
  autoComplete: 'tel' | 'tel-national' | 'off'
  wrapperProps: { 'data-wide': true | undefined }
}

/** The code of a country from the list, named "name: +code", and the rest of a telephone number beside it. */
export function PhoneInput(is: PhoneInputProps) {
  return (
    <Input.Wrapper {...is.wrapperProps} id={is.id} label={is.label} description={is.help} error={is.error} withAsterisk={is.required}>
      <div style={{ display: 'grid', gridTemplateColumns: 'repeat(2, minmax(0, 1fr))', gap: 8 }}>
        <Select
          aria-label={is.codeLabel}
          data={[...is.codes]}
          placeholder="+"
          searchable
          limit={60}
          maxDropdownHeight={280}
          comboboxProps={{ width: 320, position: 'bottom-start' }}
          value={is.code}
          onChange={is.onCode}
        />
        <TextInput
          id={is.id}
          type="tel"
          autoComplete={is.autoComplete}
          aria-required={is.required}
          error={is.error !== undefined}
          value={is.text}
          onBlur={is.onBlur}
          onChange={(event) => is.onText(event.currentTarget.value)}
        />
      </div>
    </Input.Wrapper>
  )
}
