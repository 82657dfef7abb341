import type { z } from 'zod'
import type { condition, IntegrationSpec, PullSpec, RequestSpec, ResponseSpec } from '#contract/leads/integration-spec.ts'
import { LEAD_MACROS, POLL_MACROS, SEND_MACROS } from '#contract/leads/lead-macro.ts'
import { patternAt, patternMistake } from './pattern.ts'
import { macrosOf, saidOfLead, sharedSteps, stepOf } from './step.ts'
import { readTemplate, type TemplateMistake } from './template.ts'

/** A mistake by the path of the field that has it: `request.url`, `steps.0.request.nodes.2.value`, `response.rules.1.when.0.value`. */
export type SpecMistake = {
  path: string
  code: TemplateMistake['code'] | 'pattern' | 'pattern_long' | 'name_twice' | 'no_rule' | 'of_lead'
  at: string
}

const MOST = 50

/**
 * What of a spec must be mended before it can be used: macros and transforms nobody knows, patterns that cannot be read, names used
 * twice, an answer nothing is said about. A step gives what it gives to those after it only; what is kept for all leads, or given to a
 * pull, says nothing of one.
 */
export function checkSpec(spec: IntegrationSpec): SpecMistake[] {
  const mistakes: SpecMistake[] = []
  const base = new Set<string>([...LEAD_MACROS, ...SEND_MACROS, ...spec.credentials.map(({ key }) => `cred.${key}`)])
  namedTwice(spec.credentials.map(({ key }) => key)).forEach((at) => mistakes.push({ path: 'credentials', code: 'name_twice', at }))
  namedTwice(spec.steps.map(({ name }) => name)).forEach((at) => mistakes.push({ path: 'steps', code: 'name_twice', at }))
  const given = new Set<string>()
  const shared = new Set(sharedSteps(spec.steps).map(({ name }) => name))
  for (const [at, step] of spec.steps.entries()) {
    mistakes.push(
      ...checkRequest(step.request, `steps.${at}.request`, known(base, given)),
      ...checkResponse(step.response, `steps.${at}.response`),
      ...Object.entries(step.give).flatMap(([text, places]) => checkPlaces(places, `steps.${at}.give.${text}`)),
      ...checkPlaces(step.expires ?? [], `steps.${at}.expires`),
    )
    if (step.keep_seconds > 0 && !shared.has(step.name)) {
      const macros = macrosOf(step.request)
      const said = saidOfLead(macros) ?? [...macros].find((macro) => stepOf(macro) !== undefined) ?? ''
      mistakes.push({ path: `steps.${at}.keep_seconds`, code: 'of_lead', at: said })
    }
    for (const text of Object.keys(step.give)) given.add(`step.${step.name}.${text}`)
  }
  mistakes.push(...checkRequest(spec.request, 'request', known(base, given)), ...checkResponse(spec.response, 'response'))
  if (spec.response.rules.every(({ outcome }) => outcome !== 'accepted'))
    mistakes.push({ path: 'response.rules', code: 'no_rule', at: 'accepted' })
  if (spec.pull !== null) {
    const poll = new Set([...base, ...POLL_MACROS])
    const ofAll = new Set([...given].filter((macro) => shared.has(stepOf(macro) ?? '')))
    mistakes.push(...checkRequest(spec.pull.request, 'pull.request', known(poll, ofAll)), ...checkRows(spec.pull))
  }
  return mistakes.slice(0, MOST)
}

function known(base: ReadonlySet<string>, given: ReadonlySet<string>): (macro: string) => boolean {
  return (macro) => base.has(macro) || given.has(macro) || /^lead\.fields\.[a-z0-9_]{1,40}$/.test(macro)
}

function checkRequest(spec: RequestSpec, path: string, isKnown: (macro: string) => boolean): SpecMistake[] {
  const ofBody = (macro: string) => isKnown(macro) || macro === 'request.body' || macro === 'request.sorted'
  const texts: [path: string, text: string, isKnown: (macro: string) => boolean][] = [
    [`${path}.url`, spec.url, ofBody],
    [`${path}.raw`, spec.raw, isKnown],
    ...spec.nodes.map(({ value }, at): [string, string, typeof isKnown] => [`${path}.nodes.${at}.value`, value, isKnown]),
    ...(['query', 'headers'] as const).flatMap((list) =>
      spec[list].flatMap(({ name, value }, at): [string, string, typeof isKnown][] => [
        [`${path}.${list}.${at}.name`, name, ofBody],
        [`${path}.${list}.${at}.value`, value, ofBody],
      ]),
    ),
  ]
  return texts.flatMap(([where, text, knows]) => readTemplate(text, knows).mistakes.map(({ code, at }) => ({ path: where, code, at })))
}

function checkResponse({ rules, extract }: ResponseSpec, path: string): SpecMistake[] {
  return [
    ...rules.flatMap(({ when }, rule) => checkConditions(when, `${path}.rules.${rule}.when`)),
    ...Object.entries(extract).flatMap(([what, places]) => checkPlaces(places, `${path}.extract.${what}`)),
  ]
}

/** What is looked for in the rows of a pull; where the rows themselves stand no pattern is asked. */
function checkRows({ paging, error_when, sale_when, id, status, amount, transaction = [], at }: PullSpec): SpecMistake[] {
  return [
    ...(paging.by === 'cursor' ? checkPlace(paging.at, 'pull.paging.at') : []),
    ...error_when.flatMap((all, rule) => checkConditions(all, `pull.error_when.${rule}`)),
    ...checkConditions(sale_when, 'pull.sale_when'),
    ...Object.entries({ id, status, amount, transaction, at }).flatMap(([what, places]) => checkPlaces(places, `pull.${what}`)),
  ]
}

function checkConditions(all: readonly z.output<typeof condition>[], path: string): SpecMistake[] {
  return all.flatMap(({ at, op, value }, one) => [
    ...checkPlace(at, `${path}.${one}.at`),
    ...(op === 'matches' ? checkPattern(value, `${path}.${one}.value`) : []),
  ])
}

function checkPlaces(places: readonly string[], path: string): SpecMistake[] {
  return places.flatMap((place, at) => checkPlace(place, `${path}.${at}`))
}

function checkPlace(place: string, path: string): SpecMistake[] {
  const pattern = patternAt(place)
  return pattern === undefined ? [] : checkPattern(pattern, path)
}

function checkPattern(pattern: string, path: string): SpecMistake[] {
  const code = patternMistake(pattern)
  return code === null ? [] : [{ path, code, at: pattern.slice(0, 60) }]
}

function namedTwice(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))]
}
