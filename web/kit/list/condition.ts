import { addDays } from '#web/period.ts'

/** How a condition compares. In an address it stands before what is compared: `is.city=Lviv`, `not.city=Kyiv`, `has.city=vi`, `empty.city=1` (0: is not empty). */
export const OPERATORS = ['is', 'not', 'has', 'empty'] as const
export type Operator = (typeof OPERATORS)[number]

/** What a filter asks for: see `filterBy` of the contract. */
export type Asked = { is: string[]; not: string[]; contains: string; empty: boolean | null }

/** What an address holds, by its keys. */
export type Held = Readonly<Record<string, readonly string[] | undefined>>

/** The keys of an address under which conditions on something stand. */
export function conditionKeys(id: string): string[] {
  return OPERATORS.map((operator) => `${operator}.${id}`)
}

/** What an address holds. */
export function heldIn(search: URLSearchParams): Held {
  return Object.fromEntries([...search.keys()].map((key) => [key, search.getAll(key)]))
}

/** What the conditions of an address ask of one thing; undefined where there are none. */
export function askedOf(id: string, held: Held): Asked | undefined {
  const [is, not, has, empty] = conditionKeys(id).map((key) => (held[key] ?? []).filter((value) => value !== ''))
  if (!is?.length && !not?.length && !has?.length && !empty?.length) return undefined
  return {
    is: (is ?? []).map(plainText),
    not: (not ?? []).map(plainText),
    contains: has?.at(-1) ?? '',
    empty: empty?.length ? empty.at(-1) !== '0' : null,
  }
}

/** The conditions that narrow to one value, or leave it out; '' is an empty one. Others on the same thing that would speak against it go. */
export function compared(id: string, operator: 'is' | 'not', value: string, held: Held): Record<string, string[] | undefined> {
  const written = wholeText(value)
  if (operator === 'is') {
    const none = Object.fromEntries(conditionKeys(id).map((key) => [key, undefined]))
    return value === '' ? { ...none, [`empty.${id}`]: ['1'] } : { ...none, [`is.${id}`]: [written] }
  }
  if (value === '') return { [`empty.${id}`]: ['0'] }
  const rest = held[`is.${id}`]?.filter((one) => one !== written) ?? []
  return { [`not.${id}`]: [...new Set([...(held[`not.${id}`] ?? []), written])], [`is.${id}`]: rest.length > 0 ? rest : undefined }
}

/**
 * An address of before conditions had operators as it is written today, null where it is: `is.city=~vi` had a part, an empty
 * value stood for none, and lists called things otherwise (`names`: old → present).
 */
export function renewed(search: URLSearchParams, names: Readonly<Record<string, string>>): URLSearchParams | null {
  const next = new URLSearchParams()
  for (const [key, value] of search) {
    if (key === '_days') continue
    const id = names[key] ?? (key.startsWith('is.') ? key.slice(3) : undefined)
    if (id === undefined) next.append(key, value)
    else if (value === '') next.set(`empty.${id}`, '1')
    else if (value.startsWith('~')) next.set(`has.${id}`, value.slice(1))
    else next.append(`is.${id}`, value)
  }
  const [from = '', to = ''] = search.getAll('_days')
  if (from !== '' || to !== '') {
    const last = to || new Date().toISOString().slice(0, 10)
    next.set('period', 'custom')
    next.set('from', from || addDays(last, -365))
    next.set('to', last)
  }
  return next.toString() === search.toString() ? null : next
}

/** A whole text as a value of an address: what begins with a sign of old addresses has a `=` before it. */
export function wholeText(text: string): string {
  return /^[~=]/.test(text) ? `=${text}` : text
}

/** The text a value of an address stands for. */
export function plainText(value: string): string {
  return value.startsWith('=') ? value.slice(1) : value
}
