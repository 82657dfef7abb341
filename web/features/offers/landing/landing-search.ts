import { landingApi } from '#contract/offers/landing.ts'
import { call } from '#web/api/call.ts'
import type { Hit } from '#web/shell/page.ts'

/** Landings by id, name or address, for the palette. */
export async function findLandings(search: string, signal: AbortSignal): Promise<Hit[]> {
  const { list } = await call(landingApi.list, { body: { search, count: 6 } }, { signal, quiet: true })
  return list.map(({ uuid, id, name, url }) => ({ uuid, label: name, detail: `${id} · ${url}` }))
}
