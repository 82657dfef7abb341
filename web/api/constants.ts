import { useMemo } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { create } from 'zustand'
import { CONSTANTS_VERSION_HEADER, constantApi } from '#contract/network/constant.ts'
import { localStore } from '#web/browser-store.ts'
import { setCurrencyFormats } from '#web/notation.ts'
import { call } from './call.ts'
import { currentLanguage } from '#web/i18n/language.ts'
import { constantPairs, guestPairs, inReadersLanguage, type Constants } from './constant-pairs.ts'
import { readCachedConstants, writeCachedConstants, type ConstantsOwner } from './constants-cache.ts'
import { query } from './query.ts'
import { hasShape } from './shape.ts'

type Wire = z.output<typeof constantApi.all.response>
type State = { owner: ConstantsOwner | null; status: 'idle' | 'loading' | 'ready' | 'failed'; version: string; constants: Constants | null }

const empty: State = { owner: null, status: 'idle', version: '', constants: null }

/** Where the constants of the signed-in person stand. */
export const useConstantsState = create<State>(() => empty)

/** Loads the constants once after sign-in: from the browser when it kept them less than 24 hours ago, else from the server. */
export async function loadConstants(owner: ConstantsOwner): Promise<void> {
  const { owner: current, status } = useConstantsState.getState()
  if (current?.uuid === owner.uuid && current.role === owner.role && (status === 'ready' || status === 'loading')) return
  const cached = readCachedConstants(localStore, owner, Date.now())
  const outdated = seenVersion !== '' && cached?.version !== seenVersion
  if (cached !== undefined && !outdated && hasShape(constantApi.all.response, cached.data)) {
    keep(owner, cached.version, cached.data as Wire) // its outline was just checked
    return
  }
  useConstantsState.setState({ ...empty, owner, status: 'loading' })
  await fetchConstants(owner)
}

/** Forgets the constants in memory: nobody is signed in any more. */
export function forgetConstants(): void {
  useConstantsState.setState(empty)
}

let refetching = false
let seenVersion = ''
const tried = new Set<string>()

/** Each answer names the current version; another one than ours makes us fetch the constants again, once for each version. */
export function noteConstantsVersion(version: string): void {
  seenVersion = version
  const { owner, status, version: ours } = useConstantsState.getState()
  if (owner === null || status !== 'ready' || version === ours || refetching || tried.has(version)) return
  tried.add(version)
  refetching = true
  void fetchConstants(owner).finally(() => {
    refetching = false
  })
}

// the server names the entries of these lists in English
const NAMED_HERE = ['verticals', 'goals', 'traffic'] as const

/** The constants of the panel as value/label pairs, in the language on the screen. Only for screens inside the panel, whose gate waits for them. */
export function useConstants(): Constants {
  const { t } = useTranslation('constant')
  const constants = useConstantsState((state) => state.constants)
  const named = useMemo(() => {
    if (constants === null) return null
    const lists = NAMED_HERE.map((list) => [
      list,
      // entries the file does not know keep the server's name
      constants[list].map(({ value, label }) => ({ value, label: t(`${list}.${value}` as 'traffic.seo', { defaultValue: label }) })),
    ])
    const currency = constants.currency.map(inReadersLanguage(currentLanguage()))
    return { ...constants, currency, ...(Object.fromEntries(lists) as Pick<Constants, (typeof NAMED_HERE)[number]>) } // the same lists under other names
  }, [constants, t])
  if (named === null) throw new Error('useConstants() is for screens inside the panel')
  return named
}

/** The reference call of guest pages; `useQuery(guestConstantsQuery).data` is pairs, undefined when it failed. */
export const guestConstantsQuery = { ...query(constantApi.guest, {}), staleTime: Infinity, select: guestPairs }

function keep(owner: ConstantsOwner, version: string, wire: Wire): void {
  setCurrencyFormats(wire.currency_format)
  useConstantsState.setState({ owner, status: 'ready', version, constants: constantPairs(wire) })
}

async function fetchConstants(owner: ConstantsOwner): Promise<void> {
  let version = ''
  const onHeaders = (headers: Headers) => (version = headers.get(CONSTANTS_VERSION_HEADER) ?? '')
  const wire = await call(constantApi.all, {}, { onHeaders }).catch(() => undefined) // the call showed what went wrong
  if (useConstantsState.getState().owner !== owner) return // somebody else signed in meanwhile
  if (wire !== undefined) {
    writeCachedConstants(localStore, owner, { version, saved_at: Date.now(), data: wire })
    keep(owner, version, wire)
  } else if (useConstantsState.getState().constants === null) {
    useConstantsState.setState({ status: 'failed' })
  }
}
