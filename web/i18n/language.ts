import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { z } from 'zod'
import { localStore } from '#web/browser-store.ts'
import { withinChunkTimeout } from '#web/chunk.ts'
import { setDisplayLocale } from '#web/notation.ts'
import type { en } from './en.ts'
import type { Texts } from './texts.ts'

export type Language = 'en' | 'uk'

/** The languages there are texts in, named in themselves. */
export const LANGUAGES: readonly { value: Language; label: string }[] = [
  { value: 'en', label: 'English' },
  { value: 'uk', label: 'Українська' },
]

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell'
    fallbackNS: 'common'
    keySeparator: false
    resources: typeof en
    returnNull: false
  }
}

const REMEMBERED = 'ohma.language'

// what schemas say where neither they nor `contract/issue-text.ts` have words; zod's own are for programs
z.config({ localeError: () => 'This does not fit' })

/** The language on the screen, or the one that is being fetched to be there first. */
let wanted: Language | undefined

/** The languages the network lets people choose. */
export let offeredLanguages: typeof LANGUAGES = [...LANGUAGES]

/** Offers these languages from now on. */
export function offerLanguages(offered: readonly Language[]): void {
  offeredLanguages = LANGUAGES.filter(({ value }) => offered.includes(value))
}

/** Starts the texts in the language this browser chose, else in the network's. */
export async function startLanguage(fallback: Language): Promise<void> {
  wanted = remembered() ?? fallback
  const texts = textsOf(wanted)
  await i18next.use(initReactI18next).init({
    fallbackLng: 'en',
    defaultNS: 'shell',
    fallbackNS: 'common',
    keySeparator: false,
    interpolation: { escapeValue: false },
    resources: {},
  })
  await show(wanted, texts)
}

/** Adds the texts of the panel, which guests need not wait for. */
export async function loadPanelTexts(): Promise<void> {
  inPanel = true
  await addPanelTexts(wanted ?? currentLanguage())
}

/** Adds the texts a feature keeps for its own pages (`<feature>.late.<language>.json`); they follow the language from then on. */
export async function loadLateTexts(namespace: keyof Texts): Promise<void> {
  late.add(namespace)
  await addLateTexts(wanted ?? currentLanguage(), namespace)
}

/** Changes the language at once and for later visits of this browser. */
export async function setLanguage(language: Language): Promise<void> {
  localStore.setItem(REMEMBERED, language)
  wanted = language
  await show(language, textsOf(language))
}

/** The text of a failure in the language on the screen; undefined for a code this version does not know. */
export function errorText(code: string, values: Readonly<Record<string, string>> = {}): string | undefined {
  const shown = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      /^\d{4}-\d\d-\d\dT/.test(value) ? momentText(value) : name === 'fields' ? value.split(', ').map(fieldText).join(', ') : value,
    ]),
  )
  return i18next.exists(code, { ns: 'error' }) ? i18next.t(code, { ...shown, ns: 'error' }) : undefined
}

function momentText(moment: string): string {
  return new Date(moment).toLocaleString(localeOf(currentLanguage(), navigator.languages), { dateStyle: 'medium', timeStyle: 'short' })
}

/** What is wrong with a field, in the language on the screen: schemas speak English, on the server too. */
export function fieldText(message: string): string {
  const texts: Readonly<Record<string, string>> | undefined = i18next.getResourceBundle(i18next.language, 'field')
  return texts === undefined ? message : (translated(message, texts) ?? message)
}

const PLACE = /\{\{(\w+)\}\}/

/** The text of an English sentence, the key being itself or, where it carries values, itself with `{{name}}` in place of each. */
export function translated(sentence: string, texts: Readonly<Record<string, string>>): string | undefined {
  if (Object.hasOwn(texts, sentence)) return texts[sentence]
  for (const [key, text] of Object.entries(texts)) {
    const parts = key.split(PLACE) // texts and names in turn
    if (parts.length === 1) continue
    const pattern = parts
      .map((part, index) => (index % 2 === 1 ? `(?<${part}>[^{}]+)` : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
      .join('')
    const values = new RegExp(`^${pattern}$`, 's').exec(sentence)?.groups
    if (values !== undefined) return text.replace(new RegExp(PLACE, 'g'), (_place, name: string) => values[name] ?? '')
  }
  return undefined
}

/** The language on the screen. */
export function currentLanguage(): Language {
  return i18next.language === 'uk' ? 'uk' : 'en'
}

let inPanel = false
const late = new Set<keyof Texts>()

async function show(language: Language, fetched: ReturnType<typeof textsOf>): Promise<void> {
  addTexts(language, await fetched)
  if (inPanel) await addPanelTexts(language)
  await Promise.all([...late].map((namespace) => addLateTexts(language, namespace)))
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
  setDisplayLocale(localeOf(language, navigator.languages))
}

function textsOf(language: Language) {
  return language === 'uk' ? ukrainian() : english()
}

async function english() {
  return (await withinChunkTimeout(() => import('./en-start.ts'))).enStart
}

async function ukrainian() {
  return (await withinChunkTimeout(() => import('./uk-start.ts'))).ukStart
}

async function addPanelTexts(language: Language): Promise<void> {
  const panel = async () => (language === 'uk' ? (await import('./uk.ts')).uk : (await import('./en.ts')).en)
  addTexts(language, await withinChunkTimeout(panel))
}

async function addLateTexts(language: Language, namespace: keyof Texts): Promise<void> {
  const load = async () => (await import('./late-texts.ts')).lateTexts(language, namespace)
  addTexts(language, { [namespace]: await withinChunkTimeout(load) })
}

function addTexts(language: Language, texts: object): void {
  for (const [namespace, resources] of Object.entries(texts)) i18next.addResourceBundle(language, namespace, resources)
}

/** The region's own way to write numbers, where the browser names a region for this language. */
export function localeOf(language: Language, preferred: readonly string[]): string {
  return preferred.find((tag) => tag.startsWith(`${language}-`) && isKnown(tag)) ?? (language === 'en' ? 'en-GB' : 'uk-UA')
}

/** Under LANG=C Chromium calls its language `en-US@posix`, at which everything of Intl throws. */
function isKnown(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0
  } catch {
    return false
  }
}

function remembered(): Language | undefined {
  const stored = localStore.getItem(REMEMBERED)
  return offeredLanguages.find(({ value }) => value === stored)?.value
}
