import { schemaResolver, useForm, type FormErrors, type LooseKeys, type UseFormReturnType } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { CallInput, CallOutput, Endpoint } from '#contract/endpoint.ts'
import { call } from '#web/api/call.ts'
import { CallError } from '#web/api/call-error.ts'
import { invalidate as markStale } from '#web/api/query.ts'
import { fieldText } from '#web/i18n/language.ts'
import { useLeaveGuard } from '#web/kit/feedback/leave-guard.tsx'
import { notify } from '#web/notify.ts'

export type FieldName<Values> = LooseKeys<Values>

/** One thing that keeps a form from being saved, with the field it concerns. */
export type Problem = { name: string; label: string; text: string }

/** A form as its fields, its summary and its bar see it. */
export type SaveForm<Values> = {
  /** Prefix of the ids of the fields, so that two forms on one screen do not collide. */
  id: string
  form: UseFormReturnType<Values>
  values: Values
  submit: (event?: FormEvent<HTMLFormElement>) => void
  discard: () => void
  saving: boolean
  dirty: boolean
  problems: Problem[]
  /** Label of each field drawn so far, for the summary. */
  labels: Map<string, string>
}

type SaveFormOptions<E extends Endpoint, Values> = {
  endpoint: E
  /** What the fields begin with. They mirror the screen: text boxes hold text, never null. */
  initial: Values
  /** Turns what the screen holds into the call; its body is checked with the endpoint's schema before it is sent. */
  toInput: (values: Values) => CallInput<E>
  onSaved: (output: CallOutput<E>, values: Values) => void
  /** Endpoints whose answers are no longer true after saving. */
  invalidate: readonly Endpoint[]
  /** What the toast says; "Saved" when absent, nothing when empty. */
  savedText?: string
}

/**
 * Everything a form needs but its fields: the contract's schema, the call, the server's errors at the fields, a guard
 * against losing edits. Lay it out with `<PageForm>`, `<SideForm>` or `<DialogForm>`.
 */
export function useSaveForm<E extends Endpoint, Values extends Record<string, unknown>>(
  options: SaveFormOptions<E, Values>,
): SaveForm<Values> {
  const { endpoint, initial, toInput, onSaved, invalidate, savedText } = options
  const { t } = useTranslation('kit')
  const client = useQueryClient()
  const labels = useRef(new Map<string, string>())
  const [id] = useState(() => `form${Math.random().toString(36).slice(2, 8)}`)
  const resolve = schemaResolver(endpoint.body, { sync: true })
  const form = useForm<Values>({
    mode: 'controlled',
    initialValues: initial,
    validate: (values) => resolve(bodyOf(toInput(values))),
    clearInputErrorOnChange: true,
  })
  const dirty = form.isDirty()

  const save = useMutation({
    mutationFn: (values: Values) => call(endpoint, toInput(values), { form: true }),
    onSuccess: (output, values) => {
      form.setInitialValues(values)
      form.resetDirty(values)
      leave.release()
      void markStale(client, invalidate)
      if (savedText !== '') notify.success(savedText ?? t('form.saved'))
      onSaved(output, values)
    },
    onError: (error) => {
      if (error instanceof CallError && Object.keys(error.fields).length > 0) show(error.fields)
    },
  })
  const leave = useLeaveGuard(dirty, t('form.leave'))

  /** Shows errors, and takes people to the first one. */
  function show(errors: FormErrors) {
    form.setErrors(errors)
    const [first] = Object.keys(errors)
    if (first !== undefined) requestAnimationFrame(() => focusField(id, first))
  }

  return {
    id,
    form,
    values: form.values,
    submit: form.onSubmit((values) => save.mutate(values), show),
    discard: () => form.reset(),
    saving: save.isPending,
    dirty,
    problems: Object.entries(form.errors).map(([name, text]) => ({
      name,
      label: labels.current.get(name) ?? name,
      text: fieldText(String(text)),
    })),
    labels: labels.current,
  }
}

/** The id of a field's input. */
export function fieldId(form: string, name: string): string {
  return `${form}-${name.replaceAll('.', '-')}`
}

/** Scrolls to a field and puts the cursor there. */
export function focusField(form: string, name: string): void {
  // an error deep inside, such as that of one country of a row, leads to the nearest thing that is drawn
  let field: HTMLElement | null = null
  for (let path = name; field === null && path !== ''; path = path.slice(0, Math.max(0, path.lastIndexOf('.'))))
    field = document.getElementById(fieldId(form, path))
  field?.scrollIntoView({ block: 'center' })
  field?.focus({ preventScroll: true })
}

function bodyOf(input: unknown): unknown {
  return typeof input === 'object' && input !== null && 'body' in input ? input.body : {}
}
