import type { z } from 'zod'
import type { integrationNode, integrationPair, integrationSpec, OUTCOMES } from '#contract/leads/integration-spec.ts'

/** An integration written from an advertiser system's public documents or from public clients of it. */
export type IntegrationPreset = {
  key: string
  name: string
  /** For which kinds of leads it is offered first. */
  types: readonly string[]
  /** What staff should know before they use it: where its hosts differ, what could not be found. */
  notes: string
  spec: z.input<typeof integrationSpec>
}

type Node = z.input<typeof integrationNode>
type Pair = z.input<typeof integrationPair>
type Rule = {
  when: { at?: string; op: 'eq' | 'ne' | 'in' | 'exists' | 'absent' | 'truthy' | 'falsy' | 'contains' | 'matches'; value?: string }[]
  outcome: (typeof OUTCOMES)[number]
  reason?: string
}

/** Texts of a body by their path; a `!` behind the path makes it required, a number is given as `[template, 'number']`. */
export function nodes(of: Readonly<Record<string, string | readonly [string, Node['type']]>>): Node[] {
  return Object.entries(of).map(([path, said]) => {
    const [value, type] = typeof said === 'string' ? [said, 'string' as const] : said
    return { path: path.replace(/!$/, ''), type, value, required: path.endsWith('!') }
  })
}

/** Pairs of a query or headers; those without a value are left out. */
export function pairs(of: Readonly<Record<string, string>>): Pair[] {
  return Object.entries(of).map(([name, value]) => ({ name, value, omit_if_empty: true }))
}

/** A secret of a product. */
export const secret = (key: string, label: string) => ({ key, label, secret: true })
/** A plain parameter of a product. */
export const param = (key: string, label: string, required = true) => ({ key, label, secret: false, required })

/**
 * A day or moment that is really there: an empty text, `0`, `null` as a word or a row of noughts is none. What only stands there must not
 * bill.
 */
export const dated = (at: string) => ({ at, op: 'matches' as const, value: '^\\D*0*[1-9]' })

/** An answer with this status. */
export const status = (value: string, outcome: Rule['outcome']): Rule => ({ when: [{ at: '', op: 'in', value }], outcome })
/** An answer with this at a place. */
export const says = (at: string, op: Rule['when'][number]['op'], value: string, outcome: Rule['outcome']): Rule => ({
  when: [{ at, op, value }],
  outcome,
})
