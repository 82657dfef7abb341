import { Input, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useConstants } from '#web/api/constants.ts'
import { changeAt, drawnAlone, fieldProps, valueAt, type FieldProps } from '#web/kit/fields/field.ts'
import { addressHints } from '#web/kit/fields/macro/forgotten.ts'
import { MacroHints } from '#web/kit/fields/macro/macro-hints.tsx'
import { MacroPicker } from '#web/kit/fields/macro/macro-picker.tsx'
import { macroProblems, samplePreview, type MacroPlace, type MacroSamples } from '#web/kit/fields/macro/macros.ts'
import classes from '#web/kit/fields/macro/macro-field.module.css'

type MacroFieldProps<Values> = FieldProps<Values> & { place: MacroPlace; placeholder?: string; samples?: MacroSamples }

/** An address with macros: a picker at its end puts one in where the cursor stands, mistakes are told while typing, a sample shows what comes out, with `samples` where values are known. */
export const MacroField = drawnAlone(function MacroField<Values>({ place, placeholder, samples, ...field }: MacroFieldProps<Values>) {
  const { t } = useTranslation('kit')
  const { macros } = useConstants()
  const input = useRef<HTMLInputElement>(null)
  const value = valueAt<Values, string>(field.of, field.name)
  const props = fieldProps(field)
  const problems = macroProblems(value, macros, place)
  const hints = problems.length === 0 && place === 'postback' ? addressHints(value) : []
  const told = problems.map(({ code, macro }) => t(`macro.${code}`, { macro: `{${macro}}` })).join(' ')

  const insert = (name: string) => {
    const box = input.current
    const from = box?.selectionStart ?? value.length
    const to = box?.selectionEnd ?? value.length
    changeAt(field.of, field.name, `${value.slice(0, from)}{${name}}${value.slice(to)}`)
    const cursor = from + name.length + 2
    requestAnimationFrame(() => {
      box?.focus()
      box?.setSelectionRange(cursor, cursor)
    })
  }

  return (
    <div data-wide={field.wide || undefined}>
      <TextInput
        {...props}
        ref={input}
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        error={props.error ?? (told || undefined)}
        rightSection={<MacroPicker place={place} field={field.label} disabled={field.disabled} onPick={insert} />}
        value={value}
        onChange={(event) => changeAt(field.of, field.name, event.currentTarget.value)}
      />
      <MacroHints hints={hints} />
      {value !== '' && problems.length === 0 && value.includes('{') && (
        <Input.Description className={classes.preview}>
          {t('macro.preview')} <span>{samplePreview(value, macros, place, samples)}</span>
        </Input.Description>
      )}
    </div>
  )
})
