import { Input, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useConstants } from '#web/api/constants.ts'
import { changeAt, drawnAlone, fieldProps, valueAt, type FieldProps } from '#web/kit/fields/field.ts'
import { macroAbout, macroProblems, macrosFor, samplePreview, type MacroPlace, type MacroSamples } from '#web/kit/fields/macro/macros.ts'
import classes from '#web/kit/fields/macro/macro-field.module.css'

type MacroFieldProps<Values> = FieldProps<Values> & { place: MacroPlace; placeholder?: string; samples?: MacroSamples }

/** An address with macros: chips put one in where the cursor stands, mistakes are told while typing, a sample shows what comes out, with `samples` where values are known. */
export const MacroField = drawnAlone(function MacroField<Values>({ place, placeholder, samples, ...field }: MacroFieldProps<Values>) {
  const { t } = useTranslation('kit')
  const { macros } = useConstants()
  const input = useRef<HTMLInputElement>(null)
  const value = valueAt<Values, string>(field.of, field.name)
  const props = fieldProps(field)
  const { usual, ofAdNetworks } = macrosFor(macros, place)
  const problems = macroProblems(value, macros, place)
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

  const chip = (name: string, about: string) => (
    <button
      key={name}
      type="button"
      className={classes.chip}
      title={about || undefined}
      disabled={field.disabled}
      onClick={() => insert(name)}
    >
      {`{${name}}`}
    </button>
  )
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
        value={value}
        onChange={(event) => changeAt(field.of, field.name, event.currentTarget.value)}
      />
      <div className={classes.chips} role="group" aria-label={t('macro.insert', { field: field.label })}>
        {usual.map(({ value: name }) => chip(name, macroAbout(name)))}
        {ofAdNetworks.length > 0 && (
          <details className={classes.folded}>
            <summary>{t('macro.adNetworks')}</summary>
            <p>{t('macro.adNetworksText')}</p>
            <div className={classes.chips}>{ofAdNetworks.map(({ value: name, ad_network }) => chip(name, ad_network ?? ''))}</div>
          </details>
        )}
      </div>
      {value !== '' && problems.length === 0 && value.includes('{') && (
        <Input.Description className={classes.preview}>
          {t('macro.preview')} <span>{samplePreview(value, macros, samples)}</span>
        </Input.Description>
      )}
    </div>
  )
})
