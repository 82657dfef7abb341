import type { i18n } from 'i18next'
import { useTranslation as useLibrary } from 'react-i18next'
import type { en } from './en.ts'

type All = typeof en

/** What texts of one purpose stand in: a feature's own, or one that features share. */
export type Namespace = keyof All & string

type Plural = 'one' | 'few' | 'many' | 'other'
/** A text that is there in a form for each number is asked for without the form. */
type Plain<Key> = Key extends `${infer Base}_${Plural}` ? Base | Key : Key
type Own<N extends Namespace> = { [One in N]: Plain<keyof All[One] & string> }[N]
type Elsewhere = { [N in Namespace]: `${N}:${Own<N>}` }[Namespace]

/** The keys of a namespace, those every screen has, and any with its namespace before it. */
export type TextKey<N extends Namespace> = Own<N> | Own<'common'> | Elsewhere

/** What stands in a text's places, and how it is asked for: `ns` another namespace, `defaultValue` what is said where it has none. */
export type TextValues = Readonly<Record<string, unknown>>

/** Says a text of a namespace. The library's own type works out every key of all namespaces anew for each call. */
export interface Say<N extends Namespace> {
  (key: TextKey<N> | readonly TextKey<N>[], values?: TextValues & { ns?: undefined }): string
  <M extends Namespace>(key: TextKey<M> | readonly TextKey<M>[], values: TextValues & { ns: M }): string
}

/** The texts of a namespace in the language on the screen, which draws anew when the language changes. */
export const useTranslation = useLibrary as unknown as <N extends Namespace = 'shell'>(
  namespace?: N,
  options?: { useSuspense?: boolean },
) => { t: Say<N>; i18n: i18n }
