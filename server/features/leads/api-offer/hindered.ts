import type { HINDRANCES } from '#contract/leads/product.ts'
import { standstillOf, type CascadeMember } from '#server/rules/lead/cascade.ts'
import { hindranceOf, stateOf, type Standing } from '#server/rules/lead/hindrance.ts'
import { emptiesAt, type CapWindow } from './cap-window.queries.ts'

type Asked = Pick<CascadeMember, 'hours' | 'caps' | 'rejections'> & { windows: readonly CapWindow[] }

/** Why a product is offered no leads now, by the rules that offer them, and until when where that is known. */
export function hinderedBy(
  of: Standing,
  asked: Asked,
  now: number,
): { hindered: (typeof HINDRANCES)[number] | null; until: number | null } {
  const hindrance = hindranceOf(of, now)
  if (hindrance !== null) return { hindered: hindrance, until: hindrance === 'resting' ? (of.rests_until?.getTime() ?? null) : null }
  const still = standstillOf({ ...asked, state: stateOf(of, now) }, now)
  if (still?.check === 'hours') {
    const opens = still.detail['opens_at']
    return { hindered: 'closed', until: typeof opens === 'string' ? Date.parse(opens) : null }
  }
  if (still?.check === 'cap') return { hindered: 'full', until: emptiesAt(asked.windows, asked.caps, now) }
  return { hindered: still?.check === 'rejections' ? 'rejections' : null, until: null }
}
