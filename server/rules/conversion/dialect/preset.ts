import { BLANK_DIALECT, type Dialect, type DialectMeaning } from '#contract/traffic/dialect.ts'
import type { ConversionStatus } from '#contract/traffic/conversion.ts'

/** A system whose calls are known from its documentation. */
export type Preset = {
  id: string
  title: string
  kind: 'network' | 'tracker' | 'measurement' | 'shop'
  /** What our id is put into, in the offer's link: `sub1={click_id}`; '' = the system has its own way, which `note` says. */
  link: string
  /** The query its owner pastes behind our address, in the system's own macros; '' = it sends what it likes. */
  query: string
  /** What webhooks to set up there, where the system has several kinds. */
  topics: string[]
  dialect: Dialect
}

type Told = {
  names?: Partial<Record<DialectMeaning, string>>
  statuses?: Partial<Record<ConversionStatus, string>>
} & Partial<Pick<Dialect, 'path' | 'methods' | 'others' | 'numbers' | 'currency' | 'list' | 'signature'>>

/** A preset out of its names and words, each a list with spaces between. */
export function preset(
  id: string,
  title: string,
  kind: Preset['kind'],
  { link, query, topics = [], version = 1 }: Pick<Preset, 'link' | 'query'> & { topics?: string[]; version?: number },
  told: Told,
): Preset {
  const { names = {}, statuses = {}, ...rest } = told
  const listed = (text: string) => text.split(' ').filter((one) => one !== '')
  return {
    id,
    title,
    kind,
    link,
    query,
    topics,
    dialect: {
      ...BLANK_DIALECT,
      ...rest,
      preset: id,
      preset_version: version,
      names: Object.entries(names).flatMap(
        ([means, list]) => listed(list).map((name) => ({ name, means: means as DialectMeaning })), // its own keys
      ),
      words: Object.entries(statuses).flatMap(
        ([status, list]) => listed(list).map((word) => ({ word, status: status as ConversionStatus, goal: null })), // its own keys
      ),
    },
  }
}
