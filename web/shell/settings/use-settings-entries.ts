import { useTranslation } from '#web/i18n/use-translation.ts'
import { useLocation, useSearchParams } from 'react-router'
import { SCREEN_IDS, screenOf, type ScreenId } from '#contract/screens.ts'
import type { Texts } from '#web/i18n/texts.ts'
import { useScreens } from '#web/shell/access.ts'
import { useSession } from '#web/shell/session.ts'

/** The parts of the general settings beside the first: those the texts name, as `tab.<part>`. */
export type SettingsPart = Extract<keyof Texts['setting'], `tab.${string}`> extends `tab.${infer Part}` ? Part : never

/** Groups of settings by the word in their address, in the order they are listed; what is in none of them comes last. */
const GROUPS = {
  network: ['general', 'domains', 'smtp', 'news'],
  partners: ['affiliates', 'registration', 'payments', 'referrals'],
  traffic: ['postback', 'trafficback', 'test-api'],
  account: ['profile', 'security', 'personal'],
} as const
type Group = keyof typeof GROUPS
const ORDER: readonly string[] = Object.values(GROUPS).flat()

/** One line of the settings' navigation. */
export type SettingsEntry = {
  key: string
  screen: ScreenId
  search: string
  name: string
  /** One line on what stands there; '' where nobody wrote one. */
  about: string
  group: Group | 'other'
  /** What else people may look for it by. */
  words: string
  /** A part of the entry before it. */
  part: boolean
  current: boolean
}

/** The settings the person may open, in groups. */
export function useSettingsEntries(): SettingsEntry[] {
  const { t: nameOf } = useTranslation('screen')
  const { t, i18n } = useTranslation('setting')
  const open = useScreens()
  const { pathname } = useLocation()
  const [address] = useSearchParams()
  const own = useSession().role === 'affiliate' ? '.own' : ''
  const texts: Record<string, string> = i18n.getResourceBundle(i18n.language, 'setting')
  const parts = Object.entries(texts).flatMap(([key, label]) => (key.startsWith('tab.') ? [{ tab: key.slice(4), label }] : []))
  const told = (kind: 'about' | 'find', word: string) => texts[`${kind}.${word}${own}`] ?? ''
  return SCREEN_IDS.filter((id) => open.has(id))
    .flatMap((screen) => {
      const word = /^\/settings\/([a-z-]+)$/.exec(screenOf(screen).path)?.[1]
      return word === undefined ? [] : [{ screen, word }]
    })
    .toSorted((one, other) => placeOf(one.word) - placeOf(other.word))
    .flatMap(({ screen, word }) => {
      const here = pathname === `/settings/${word}` || pathname.startsWith(`/settings/${word}/`)
      const shown = parts.find(({ tab }) => tab === address.get('tab'))?.tab ?? ''
      const whole = {
        key: word,
        screen,
        search: '',
        // the first exists only for some screens
        name: nameOf([`tab.${screen}`, screen] as unknown as [typeof screen]),
        about: told('about', word),
        group: groupOf(word),
        words: told('find', word),
        part: false,
        current: here && (word !== 'general' || shown === ''),
      }
      if (word !== 'general') return [whole]
      const beside = parts.map(({ tab, label }) => ({
        ...whole,
        key: tab,
        search: `?tab=${tab}`,
        name: label,
        about: t(`about.${tab}` as unknown as 'about.general'), // each part has its line
        words: '',
        part: true,
        current: here && shown === tab,
      }))
      return [whole, ...beside]
    })
}

function placeOf(word: string): number {
  const place = ORDER.indexOf(word)
  return place === -1 ? ORDER.length : place
}

function groupOf(word: string): SettingsEntry['group'] {
  const groups = Object.keys(GROUPS) as Group[] // keys of a literal object
  return groups.find((group) => (GROUPS[group] as readonly string[]).includes(word)) ?? 'other'
}
