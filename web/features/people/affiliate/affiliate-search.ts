import { affiliateApi } from '#contract/people/affiliate.ts'
import { call } from '#web/api/call.ts'
import type { Hit } from '#web/shell/page.ts'

/** Affiliates by id, name or e-mail, for the palette. */
export async function findAffiliates(search: string, signal: AbortSignal): Promise<Hit[]> {
  const { list } = await call(affiliateApi.list, { body: { search, count: 6 } }, { signal, quiet: true })
  return list.map(({ uuid, id, name, email }) => ({ uuid, label: name, detail: `${id} · ${email}` }))
}
