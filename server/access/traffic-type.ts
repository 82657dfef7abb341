import type { TRAFFIC_CHOICES, TrafficType } from '#contract/leads/traffic-type.ts'
import type { Scope } from './scope.ts'

/** Of which traffic rows are, as somebody asked; undefined = of both. Where nothing is said staff are told of warm leads alone. */
export function trafficOf(asked: (typeof TRAFFIC_CHOICES)[number] | null | undefined, scope: Scope): TrafficType | undefined {
  if (asked === 'all') return undefined
  return asked ?? (scope.kind === 'affiliate' ? undefined : 'warm')
}
