import type { ColdAudience, ColdReferenceField } from '#contract/leads/cold-audience.ts'

/** What the conditions of an audience on a field name. */
export function uuidsOf(audience: ColdAudience, field: ColdReferenceField): string[] {
  return audience.groups.flatMap(({ conditions }) => conditions.flatMap((one) => (one.field === field ? one.values : [])))
}
