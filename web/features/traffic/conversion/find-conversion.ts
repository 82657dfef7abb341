import { conversionApi } from '#contract/traffic/conversion.ts'
import { screenOf } from '#contract/screens.ts'
import { call } from '#web/api/call.ts'
import { LIFE } from '#web/conversion-words.ts'
import { partOf } from '#web/statistic-part.ts'
import { mayBeId, type Hit } from '#web/shell/page.ts'

/** The palette's search for conversions by number, click id or transaction id, whole; their life opens over the list. */
export async function findConversions(search: string, signal: AbortSignal): Promise<Hit[]> {
  if (!mayBeId(search)) return []
  const { list } = await call(conversionApi.list, { body: { search, count: 6 } }, { signal, quiet: true })
  return list.map(({ uuid, id, offer, offer_type, goal }) => ({
    uuid,
    label: String(id),
    detail: [goal?.title, offer.name].filter(Boolean).join(' · '),
    at: `${screenOf(partOf(offer_type).conversions).path}?${new URLSearchParams({ [LIFE]: uuid })}`,
  }))
}
