import { schemaResolver, useForm, type FormErrors, type LooseKeys, type UseFormReturnType } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ERRORS } from '#contract/errors.ts'
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
  /** Set once somebody else saved in between: takes what they saved instead of what was typed. */
  reload: (() => void) | undefined
  /** Label of each field drawn so far, for the summary. */
  labels: Map<string, string>
}

/** A form that stays over a record, of which a part may be saved beside it. */
type Following<E extends Endpoint> = {
  /** Takes into the record what was saved beside the form, as nothing that is left to save; what was typed stays. */
  follow: (change: (record: CallOutput<E>) => CallOutput<E>) => void
}

type Common<E extends Endpoint, Values> = {
  endpoint: E
  /** Endpoints whose answers are no longer true after saving. */
  invalidate: readonly Endpoint[]
  /** What is wrong beside what the schema says, by field, in its place: what only the screen knows better, such as an amount's currency. */
  check?: (values: Values) => Readonly<Record<string, string>>
  /** Asked when the server refuses a save: what is sent instead, or nothing where people would rather go on typing. Throws what is no question. */
  onRefused?: (error: CallError, input: CallInput<E>) => Promise<CallInput<E> | undefined>
  /** What the toast says; "Saved" when absent, nothing when empty. */
  savedText?: string
}

/** A form that is gone once it is saved: it makes something, or stands in a dialog. */
type Passing<E extends Endpoint, Values> = Common<E, Values> & {
  /** What the fields begin with. They mirror the screen: text boxes hold text, never null. */
  initial: Values
  /** Turns what the screen holds into the call; its body is checked with the endpoint's schema before it is sent. */
  toInput: (values: Values) => CallInput<E>
  onSaved: (output: CallOutput<E>, values: Values) => void
}

/** A form that stays over a stored record: after saving it holds what the server stored, which is the answer. */
type Staying<E extends Endpoint, Values> = Common<E, Values> & {
  /** The record as the endpoint answers it: the very object of the query, for another one counts as changed. */
  record: CallOutput<E>
  /** What the fields hold of the record. */
  valuesOf: (record: CallOutput<E>) => Values
  /** As above; `record` is the one these values were read from, also when another came in the background since. */
  toInput: (values: Values, record: CallOutput<E>) => CallInput<E>
  onSaved?: (output: CallOutput<E>, values: Values) => void
}

/**
 * Everything a form needs but its fields: the contract's schema, the call, the server's errors at the fields, a guard
 * against losing edits. Lay it out with `<PageForm>`, `<SideForm>` or `<DialogForm>`.
 */
export function useSaveForm<E extends Endpoint, Values extends Record<string, unknown>>(
  options: Staying<E, Values>,
): SaveForm<Values> & Following<E>
export function useSaveForm<E extends Endpoint, Values extends Record<string, unknown>>(options: Passing<E, Values>): SaveForm<Values>
export function useSaveForm<E extends Endpoint, Values extends Record<string, unknown>>(
  options: Passing<E, Values> | Staying<E, Values>,
): SaveForm<Values> & Following<E> {
  const { endpoint, invalidate, savedText } = options
  const staying = 'record' in options ? options : undefined
  const { t } = useTranslation('kit')
  const client = useQueryClient()
  const labels = useRef(new Map<string, string>())
  const [id] = useState(() => `form${Math.random().toString(36).slice(2, 8)}`)
  const [based, setBased] = useState(staying?.record)
  const [conflict, setConflict] = useState<'met' | 'reloading'>()
  const toInput = (values: Values) => ('record' in options ? options.toInput(values, based ?? options.record) : options.toInput(values))
  const resolve = schemaResolver(endpoint.body, { sync: true })
  const form = useForm<Values>({
    mode: 'controlled',
    initialValues: 'record' in options ? options.valuesOf(options.record) : options.initial,
    validate: (values) => ({ ...resolve(bodyOf(toInput(values))), ...options.check?.(values) }),
    clearInputErrorOnChange: true,
  })
  const dirty = form.isDirty()

  /** Makes a stored record the form's truth. What was typed since the save began stays, as an edit of it. */
  const take = (record: CallOutput<E>, sent: Values) => {
    if (staying === undefined) return
    const stored = staying.valuesOf(record)
    setBased(record)
    form.setInitialValues(stored)
    if (JSON.stringify(form.getValues()) === JSON.stringify(sent)) form.setValues(stored)
    form.resetDirty(stored)
  }

  const follow = (change: (record: CallOutput<E>) => CallOutput<E>) => {
    if (staying === undefined) return
    const record = change(based ?? staying.record)
    const stored = staying.valuesOf(record)
    setBased(record)
    form.setInitialValues(stored)
    form.resetDirty(stored)
  }

  const send = async (input: CallInput<E>) => {
    try {
      return await call(endpoint, input, { form: true })
    } catch (error) {
      if (!(error instanceof CallError) || options.onRefused === undefined) throw error
      const instead = await options.onRefused(error, input)
      if (instead === undefined) throw new LeftUnsaved()
      return call(endpoint, instead, { form: true })
    }
  }

  const save = useMutation({
    mutationFn: (values: Values) => send(toInput(values)),
    onSuccess: (output, values) => {
      if (staying === undefined) form.resetDirty(values)
      else take(output, values)
      setConflict(undefined)
      leave.release()
      void markStale(client, invalidate)
      if (savedText !== '') notify.success(savedText ?? t('form.saved'))
      options.onSaved?.(output, values)
    },
    onError: (error) => {
      if (!(error instanceof CallError)) return
      if (Object.keys(error.fields).length > 0) show(error.fields)
      if ((error.has(ERRORS.conflict.code) || error.has(ERRORS.invoice_changed.code)) && staying !== undefined) setConflict('met')
    },
  })
  const leave = useLeaveGuard(dirty, t('form.leave'))

  // a record that changed elsewhere, such as its status in the head of the page, is taken unless somebody is typing
  useEffect(() => {
    if (staying === undefined || staying.record === based || (dirty && conflict !== 'reloading')) return
    take(staying.record, form.getValues())
    form.clearErrors()
    setConflict(undefined)
    // only another record, or asking for it, is a reason
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [staying?.record, conflict])

  /** Shows errors, and takes people to the first one. */
  function show(errors: FormErrors) {
    form.setErrors(errors)
    const [first] = Object.keys(errors)
    if (first !== undefined)
      requestAnimationFrame(() => {
        focusField(id, first)
        showWhole(problemsId(id))
      })
  }

  return {
    id,
    form,
    values: form.values,
    submit: (event) => {
      // React leads it on from a drawer or dialog to the form of the page the drawer was opened in
      event?.stopPropagation()
      form.onSubmit((values) => save.mutate(values), show)(event)
    },
    discard: () => form.reset(),
    saving: save.isPending,
    dirty,
    problems: Object.entries(form.errors).map(([name, text]) => ({
      name,
      label: labels.current.get(name) ?? name,
      text: fieldText(String(text)),
    })),
    reload:
      conflict === undefined
        ? undefined
        : () => {
            setConflict('reloading')
            void markStale(client, invalidate)
          },
    labels: labels.current,
    follow,
  }
}

/** How far down the bar at the top reaches, with some air below. */
export const UNDER_BAR = 72

/** Somebody was asked and chose not to save: nothing is wrong. */
class LeftUnsaved extends Error {}

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

/** The id of what names a form's mistakes. */
export function problemsId(form: string): string {
  return `${form}-problems`
}

/** What is half below the bar at the top comes into sight; whatever is in the middle of the window stays there. */
function showWhole(id: string): void {
  const node = document.getElementById(id)
  if (node === null) return
  const { top, bottom } = node.getBoundingClientRect()
  if (top < UNDER_BAR && bottom > 0) node.scrollIntoView({ block: 'start' })
}

function bodyOf(input: unknown): unknown {
  return typeof input === 'object' && input !== null && 'body' in input ? input.body : {}
}
