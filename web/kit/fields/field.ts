import { fieldText } from '#web/i18n/language.ts'
import { fieldId, type FieldName, type SaveForm } from '#web/kit/form/use-save-form.ts'

/** What every field takes. `name` is the path of its value in the form; fields of the contract keep the contract's names. */
export type FieldProps<Values> = {
  of: SaveForm<Values>
  name: FieldName<Values>
  label: string
  /** One sentence under the field. */
  help?: string
  /** Marks the label; whether an empty value is accepted is the schema's business. */
  required?: boolean
  disabled?: boolean
  /** Takes both columns of its section. */
  wide?: boolean
}

/** For lists of options: `inPopover` hangs them into the popover the field stands in, where choosing is no click outside of it. */
export type DropdownProps = { inPopover?: boolean }

/** The properties of an input that are the same for every kind of field. */
export function fieldProps<Values>({ of, name, label, help, required, disabled, wide }: FieldProps<Values>) {
  of.labels.set(name, label)
  return {
    id: fieldId(of.id, name),
    label,
    description: help,
    withAsterisk: required,
    'aria-required': required || undefined,
    disabled,
    'data-wide': wide || undefined,
    wrapperProps: { 'data-wide': wide || undefined },
    error: errorAt(of, name),
    onBlur: () => of.form.getInputProps(name).onBlur?.(),
  }
}

/** The value a field shows. Each kind of field says what its value is; a form with another type there does not fit its schema. */
export function valueAt<Values, Value>(of: SaveForm<Values>, name: FieldName<Values>): Value {
  return of.form.getInputProps(name).value as Value // @mantine/form types values of paths as any
}

/** Changes the value of a field. */
export function changeAt<Values>(of: SaveForm<Values>, name: FieldName<Values>, value: unknown): void {
  of.form.getInputProps(name).onChange(value)
}

/** The error of a field, or of an entry inside it, such as the third tag. */
function errorAt<Values>(of: SaveForm<Values>, name: string): string | undefined {
  const error = of.form.errors[name] ?? Object.entries(of.form.errors).find(([path]) => path.startsWith(`${name}.`))?.[1]
  return typeof error === 'string' ? fieldText(error) : undefined
}
