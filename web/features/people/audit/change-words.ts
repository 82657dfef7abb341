import i18next from 'i18next'
import type { Say } from '#web/i18n/use-translation.ts'
import { isAuditKind, type AuditEntry } from '#contract/people/audit.ts'
import { countryName, dateTime, UNKNOWN } from '#web/format.ts'

export type ChangeLine = { field: string; before: string[]; after: string[] }

type Named = AuditEntry['named']
type Told = Pick<AuditEntry, 'entity' | 'before' | 'after' | 'named'>

/** A logged change in words: one line for each field, what stayed the same left out. Times are in `zone`. */
export function changeWords(t: Say<'audit'>, change: Told, zone: string): ChangeLine[] {
  const names = [...new Set([...Object.keys(change.before ?? {}), ...Object.keys(change.after ?? {})])]
  return names.flatMap((name) => {
    const was = change.before === null ? [] : linesOf(t, name, change.before[name], change, zone)
    const is = change.after === null ? [] : linesOf(t, name, change.after[name], change, zone)
    const line = {
      field: fieldName(t, name, change.entity),
      before: was.filter((text) => !is.includes(text) && !(change.after === null && text === UNKNOWN)),
      // what a new thing does not say is no change
      after: is.filter((text) => !was.includes(text) && !(change.before === null && text === UNKNOWN)),
    }
    // a masked value reads the same before and after: that it changed is all there is to say
    const masked = [change.before?.[name], change.after?.[name]].every((value) => value === MASKED)
    if (masked) return [{ ...line, before: [t('hidden')], after: [t('hidden')] }]
    return line.before.length + line.after.length === 0 ? [] : [line]
  })
}

/** The same on one line, for a table and an export. */
export function changeText(t: Say<'audit'>, change: Told, zone: string): string {
  return changeWords(t, change, zone)
    .map(({ field, before, after }) => {
      const [was, is] = [before.join(', '), after.join(', ')]
      return `${field}: ${was === '' ? is : is === '' ? `${was} →` : `${was} → ${is}`}`
    })
    .join('; ')
}

/** What a kind of thing is called; one there no longer is, as the log calls it. */
export function entityName(t: Say<'audit'>, entity: string): string {
  return isAuditKind(entity) ? t(`entity.${entity}`) : plain(entity)
}

/** What was done, in a word or two. */
export function actionName(t: Say<'audit'>, action: string): string {
  return i18next.exists(`action.${action}`, { ns: 'audit' }) ? t(`action.${action}` as 'action.create') : plain(action) // exists() has just found it
}

/** What the log keeps in place of secrets and of how to reach people. */
const MASKED = '•••'
/** Longer texts are cut: a page of a legal text is no line of a log. */
const LONGEST = 300
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

function linesOf(t: Say<'audit'>, name: string, value: unknown, change: Told, zone: string): string[] {
  if (value === undefined) return []
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return [UNKNOWN]
  if (value === MASKED) return [t('hidden')]
  if (typeof value === 'boolean') return [t(value ? 'yes' : 'no')]
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) {
    return [value.map((one) => wordOf(name, one, change, zone)).join(', ')]
  }
  if (Array.isArray(value)) return value.map((one) => nested(t, one, change, zone))
  if (typeof value === 'object') {
    // each part is a line of its own, so that only what changed of it is shown
    return Object.entries(value).flatMap(([part, held]) => {
      const words = linesOf(t, part, held, change, zone).filter((text) => text !== UNKNOWN)
      return words.length === 0 ? [] : [`${fieldName(t, part, name)}: ${words.join(', ')}`]
    })
  }
  return [wordOf(name, value, change, zone)]
}

function nested(t: Say<'audit'>, value: unknown, change: Told, zone: string): string {
  if (typeof value !== 'object' || value === null) return cut(String(value))
  return Object.entries(value)
    .flatMap(([part, held]) => {
      const words = linesOf(t, part, held, change, zone).filter((text) => text !== UNKNOWN)
      return words.length === 0 ? [] : [`${fieldName(t, part)}: ${words.join(', ')}`]
    })
    .join(' · ')
}

/** One value by its name: what a key stands for, a country, a choice by its word, a time in the zone; anything else as it is. */
function wordOf(name: string, value: unknown, { entity, named }: Told, zone: string): string {
  const called = /^(.+)_(?:uuid|id)s?$/.exec(name)?.[1]
  if (called !== undefined) return nameOf(named, value)
  const text = String(value)
  if (name === 'country' || name === 'geos' || name === 'countries') return countryName(text)
  if (name === 'role' || name === 'roles' || name === 'second_factor') return word('layout', `role.${text}`) ?? text
  if (name === 'vertical' || name === 'verticals') return word('constant', `verticals.${text}`) ?? text
  if (name === 'traffic_sources') return word('constant', `traffic.${text}`) ?? text
  if (MOMENT.test(text)) return dateTime(text, zone)
  if (/<(p|h\d|ul|ol|strong|em|a)\b/.test(text)) return cut(plainText(text))
  return word(entity, `${name}.${text}`) ?? word('common', `${name}.${text}`) ?? word('audit', `value.${name}.${text}`) ?? cut(text)
}

function word(ns: string, key: string): string | undefined {
  const texts = ns as 'common' // which of them has it is asked first
  return i18next.exists(key, { ns: texts }) ? i18next.t(key as 'name', { ns: texts }) : undefined
}

/** What a number or uuid stands for; what is gone, or is not the reader's to know, by its number or a piece of its uuid. */
function nameOf(named: Named, key: unknown): string {
  const found = named.find((one) => one.uuid === key || one.id === key)
  if (found === undefined) return String(key).slice(0, 8)
  return found.name === '' ? String(found.id) : `${found.name} (${found.id})`
}

/** What a field is called; `of`: the field or thing it is a part of, where the same word means something else there. */
function fieldName(t: Say<'audit'>, name: string, of = ''): string {
  if (of !== '' && i18next.exists(`field.${of}.${name}`, { ns: 'audit' })) return t(`field.${of}.${name}` as 'field.name') // as below
  return i18next.exists(`field.${name}`, { ns: 'audit' }) ? t(`field.${name}` as 'field.name') : plain(name) // exists() has just found it
}

/** A word of the program as people write it. */
function plain(text: string): string {
  const words = text.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function plainText(html: string): string {
  const apart = html.replace(/<\/(p|li|h\d)>/g, '$& ') // paragraphs have no space between them
  return new DOMParser().parseFromString(apart, 'text/html').body.textContent.trim()
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
