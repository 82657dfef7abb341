import { clickApi } from '#contract/traffic/click.ts'
import { SCREENS } from '#contract/screens.ts'
import { call } from '#web/api/call.ts'
import { mayBeId, type Hit } from '#web/shell/page.ts'

/** The palette's search for a click by its id, whole; it opens over the list. */
export async function findClick(uuid: string, signal: AbortSignal): Promise<Hit[]> {
  if (!mayBeId(uuid) || uuid.length < 16 || uuid.length > 64) return []
  const found = await call(clickApi.get, { params: { uuid } }, { signal, quiet: true }).catch(() => undefined)
  if (found === undefined) return []
  const at = `${SCREENS.statisticDirectClicks.path}?${new URLSearchParams({ click: uuid })}`
  return [{ uuid, label: uuid, detail: [found.click.offer.label, found.click.geo].filter(Boolean).join(' · '), at }]
}
