import { TextInput } from '@mantine/core'
import type { HTMLInputAutoCompleteAttribute, ReactNode } from 'react'
import { changeAt, drawnAlone, fieldProps, valueAt, type FieldProps } from '#web/kit/fields/field.ts'

type TextFieldProps<Values> = FieldProps<Values> & {
  placeholder?: string
  type?: 'text' | 'email' | 'tel' | 'url'
  autoComplete?: HTMLInputAutoCompleteAttribute
  leftSection?: ReactNode
}

/** One line of text. */
export const TextField = drawnAlone(function TextField<Values>({
  placeholder,
  type,
  autoComplete = 'off',
  leftSection,
  ...field
}: TextFieldProps<Values>) {
  return (
    <TextInput
      {...fieldProps(field)}
      type={type}
      placeholder={placeholder}
      autoComplete={autoComplete}
      leftSection={leftSection}
      value={valueAt<Values, string>(field.of, field.name)}
      onChange={(event) => changeAt(field.of, field.name, event.currentTarget.value)}
    />
  )
})
