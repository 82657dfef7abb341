import { isValidElement, memo, type FunctionComponent, type ReactNode } from 'react'
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

/**
 * A kind of field that is drawn when its own value, its error or what it is given has changed, not whenever another field of the
 * form has: in a long form that is most of what typing costs. Lists and objects it is given count by what they hold, functions
 * and elements by identity. It may read nothing else of the form while it is drawn.
 */
export function drawnAlone<Field extends (props: never) => ReactNode>(field: Field): Field {
  return memo(field as unknown as FunctionComponent<FieldProps<unknown>>, sameField) as unknown as Field // it takes what the field takes
}

function sameField({ of: before, ...was }: FieldProps<unknown>, { of: now, ...is }: FieldProps<unknown>): boolean {
  return (
    before.id === now.id &&
    same(was, is) &&
    same(within(before.values, was.name), within(now.values, is.name)) &&
    errorAt(before, was.name) === errorAt(now, is.name)
  )
}

function within(values: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown> | null | undefined)?.[key], values) // a path of the form
}

function same(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (!isPlain(one) || !isPlain(other)) return false
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every((key) => key in other && same(one[key], other[key]))
}

/** Whether it is nothing but what it holds: a list, or an object without a class. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || isValidElement(value)) return false
  return [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value))
}
