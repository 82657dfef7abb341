import type { Say } from '#web/i18n/use-translation.ts'
import { percent, UNKNOWN } from '#web/format.ts'

type Weighed = { uuid: string; type: string; status: string; private: boolean; weight: number | string }

/** The share of visitors in percent that each landing should get: by weight, among the active ones of its type. */
export function sharesOf(landings: readonly Weighed[]): Map<string, number> {
  const drawn = landings.map((one) => ({ ...one, part: isDrawn(one) ? Number(one.weight) : 0 }))
  const totals = new Map<string, number>()
  for (const { type, part } of drawn) totals.set(type, (totals.get(type) ?? 0) + part)
  return new Map(drawn.map(({ uuid, type, part }) => [uuid, part === 0 ? 0 : (part / (totals.get(type) ?? 1)) * 100]))
}

/** The share of one of an offer's landings in words: what it gets by weight, what it would get once it is let in, or how else it is reached. */
export function shareWords(t: Say<'offer'>, landing: Weighed, landings: readonly Weighed[]): string {
  if (landing.status !== 'active' && landing.status !== 'moderation') return UNKNOWN
  if (landing.private || Number(landing.weight) === 0) return t('landing.onlyAsked')
  const letIn = landings.map((one) => (one.uuid === landing.uuid ? { ...one, status: 'active' } : one))
  const share = percent(sharesOf(letIn).get(landing.uuid) ?? 0)
  return landing.status === 'active' ? share : t('landing.onceApproved', { share })
}

/** The weight a landing joins those of its type with: an equal share beside what is drawn already, so that it is neither idle nor takes over. */
export function joiningWeight(landings: readonly Weighed[], type: string): string {
  const drawn = landings.filter((one) => one.type === type && isDrawn(one)).map(({ weight }) => Number(weight))
  return String(drawn.length === 0 ? 100 : Math.max(1, Math.round(drawn.reduce((sum, one) => sum + one, 0) / drawn.length)))
}

/** Whether visitors reach it by weight. */
function isDrawn({ status, private: hidden, weight }: Weighed): boolean {
  return status === 'active' && !hidden && Number(weight) > 0
}
