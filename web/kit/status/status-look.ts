import type { Endpoint } from '#contract/endpoint.ts'
import type { StatusChange } from '#contract/fields.ts'
import type { z } from 'zod'
import type { Icon } from '@tabler/icons-react'
import type { Question } from '#web/kit/feedback/confirm.tsx'
import type { Tone } from '#web/kit/show/status-badge.tsx'
import type { Namespace, Say, TextKey } from '#web/i18n/use-translation.ts'

/** Texts of a namespace by keys that were checked where they were declared. */
export type Words = (key: string, options?: Record<string, unknown>) => string

/** The states of a thing and how they look. The text of each is `<field>.<value>`. */
export type StatusLook<Value extends string, Field extends string = 'status'> = {
  /** The field of the row that holds it. */
  field: Field
  texts: Namespace
  values: readonly Value[]
  tones: Readonly<Record<Value, Tone>>
}

/** An endpoint that gives up to 1,000 rows one status. */
export type StatusEndpoint<Value extends string> = Endpoint<
  z.ZodType,
  z.ZodType,
  z.ZodType<unknown, StatusChange<Value>>,
  z.ZodType<{ changed: number }>
>

/** One way out of a state, as an entry of a row's menu. */
export type StatusMove<Value extends string> = {
  text: string
  to: Value
  /** The states it leads out of; every other one when absent. */
  from?: readonly Value[]
  icon: Icon
  danger?: true
}

export type HasStatus<Value extends string> = { uuid: string; status: Value }

/** A status that staff change: what its badge, filter, bulk menu, row menu, undo and toast are made of. */
export type StatusSet<Value extends string, Row extends HasStatus<Value> = HasStatus<Value>> = StatusLook<Value> & {
  endpoint: StatusEndpoint<Value>
  /** Endpoints whose answers show it. */
  refresh: readonly Endpoint[]
  moves: readonly StatusMove<Value>[]
  /** Takes own changes back, where that is more than giving the earlier status: what somebody did since is left alone. */
  undo?: StatusEndpoint<Value>
  /** Whether rows that got a status may get their earlier one back by the undo toast; absent = always. */
  mayReturn?: (earlier: Value, status: Value) => boolean
  /** What people are asked before these rows, none of which has the status, get it, one or many; null = nothing. */
  ask?: (rows: readonly Row[], status: Value, words: Words) => Question | null
}

/** Says which text is missing where one is. */
type HasTexts<Texts extends Namespace, Key extends string> = [Key] extends [TextKey<Texts>]
  ? unknown
  : { missing_text: Exclude<Key, TextKey<Texts>> }

/** Declares states that are only shown. */
export function statusLook<Texts extends Namespace, Value extends string, Field extends string>(
  look: StatusLook<Value, Field> & { texts: Texts } & HasTexts<Texts, Field | `${Field}.${Value}`>,
): StatusLook<Value, Field> {
  return look
}

/** Declares a status that staff change. `statusChanged` is the sentence of its toast, with `{{number}}` and `{{status}}`. */
export function statusSet<
  Texts extends Namespace,
  Value extends string,
  Move extends string,
  Row extends HasStatus<Value> = HasStatus<Value>,
>(
  set: Omit<StatusSet<Value, Row>, 'field' | 'moves'> & { texts: Texts; moves: readonly (StatusMove<Value> & { text: Move })[] } & HasTexts<
      Texts,
      `status.${Value}` | 'statusChanged' | NoInfer<Move>
    >,
): StatusSet<Value, Row> {
  return { ...set, field: 'status' }
}

/** The texts of a namespace for keys that are made of a field and its value, whose parts the declarations above check. */
export function wordsOf<N extends Namespace>(t: Say<N>): Words {
  return t as unknown as Words
}
