import { TextInput } from '@mantine/core'
import { changeAt, fieldProps, valueAt } from '#web/kit/fields/field.ts'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'

/** A code of the app: digits on a telephone's keyboard, filled in where the device knows it. */
export function CodeField<Values extends { code: string }>({ of, label, help }: { of: SaveForm<Values>; label: string; help?: string }) {
  const name = 'code' as Parameters<typeof valueAt<Values, string>>[1] // every such form has it
  return (
    <TextInput
      {...fieldProps({ of, name, label, ...(help === undefined ? {} : { help }), required: true })}
      // shown at once, for nothing else is asked for
      ref={focusOnce}
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      maxLength={40}
      value={valueAt<Values, string>(of, name)}
      onChange={(event) => changeAt(of, name, event.currentTarget.value)}
    />
  )
}

function focusOnce(input: HTMLInputElement | null): void {
  input?.focus()
}
