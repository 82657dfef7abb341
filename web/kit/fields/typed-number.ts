import { decimalText } from '#web/kit/fields/decimal.ts'

/** What was typed into a `NumberField` as a number, for a contract that takes one: an empty field is none, which the schema refuses, and never 0. */
export function typedNumber(typed: string): number {
  const text = decimalText(typed)
  return text === '' ? Number.NaN : Number(text)
}

/** The same where the field may stay empty. */
export function typedNumberOrNull(typed: string): number | null {
  return typed.trim() === '' ? null : typedNumber(typed)
}
