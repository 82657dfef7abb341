import type { IntegrationSpec, RequestSpec, StepSpec } from '#contract/leads/integration-spec.ts'
import { readTemplate } from './template.ts'

/** Every macro a call names, also as an argument. */
export function macrosOf({ url, raw, query, headers, nodes }: RequestSpec): Set<string> {
  const found = new Set<string>()
  const pairs = [...query, ...headers].flatMap(({ name, value }) => [name, value])
  for (const text of [url, raw, ...pairs, ...nodes.map(({ value }) => value)])
    readTemplate(text, (macro) => {
      found.add(macro)
      return true
    })
  return found
}

const OF_A_LEAD = /^(lead|session|send|click|aff|offer)\./

/** The first thing a call says of one lead; undefined = it is the same for all. */
export function saidOfLead(macros: ReadonlySet<string>): string | undefined {
  return [...macros].find((macro) => OF_A_LEAD.test(macro))
}

/** The name of the step a macro comes from; undefined for any other macro. */
export function stepOf(macro: string): string | undefined {
  return /^step\.([^.]+)\./.exec(macro)?.[1]
}

/** Steps that are the same for all leads: they say nothing of one, nor stand on a step that does. */
export function sharedSteps(steps: readonly StepSpec[]): StepSpec[] {
  const shared: StepSpec[] = []
  for (const step of steps) {
    const macros = macrosOf(step.request)
    const needs = [...macros].flatMap((macro) => stepOf(macro) ?? [])
    if (saidOfLead(macros) === undefined && needs.every((name) => shared.some((one) => one.name === name))) shared.push(step)
  }
  return shared
}

/** The steps a question about leads needs before it, in their order. */
export function stepsOfPull({ steps, pull }: Pick<IntegrationSpec, 'steps' | 'pull'>): StepSpec[] {
  if (pull === null) return []
  const needed = new Set([...macrosOf(pull.request)].flatMap((macro) => stepOf(macro) ?? []))
  // a later step may stand on an earlier one
  for (const step of steps.toReversed())
    if (needed.has(step.name)) for (const macro of macrosOf(step.request)) needed.add(stepOf(macro) ?? step.name)
  return steps.filter(({ name }) => needed.has(name))
}

const YEAR = 366 * 86_400_000

/**
 * When what a step gave ends, in ms: what its answer says (seconds from now, a moment as unix time in seconds or ms, or written out), at
 * most as long as the step says.
 */
export function keptUntil(said: string | undefined, keepSeconds: number, now: number): number {
  const most = now + keepSeconds * 1000
  const told = said === undefined ? null : momentOf(said, now)
  return told === null ? most : Math.min(told, most)
}

function momentOf(text: string, now: number): number | null {
  if (/^\d{1,13}(\.\d+)?$/.test(text)) {
    const number = Number(text)
    if (number * 1000 < YEAR) return now + number * 1000
    return number < 100_000_000_000 ? number * 1000 : number
  }
  const at = Date.parse(/^\d{4}-\d{2}-\d{2}[T ][\d:.]+$/.test(text) ? `${text.replace(' ', 'T')}Z` : text)
  return Number.isNaN(at) ? null : at
}
