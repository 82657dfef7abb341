type Weighed = { uuid: string; type: string; status: string; private: boolean; weight: number | string }

/** The share of visitors in percent that each landing should get: by weight, among the active ones of its type. */
export function sharesOf(landings: readonly Weighed[]): Map<string, number> {
  const drawn = landings.map((one) => ({ ...one, part: one.status === 'active' && !one.private ? Number(one.weight) || 0 : 0 }))
  const totals = new Map<string, number>()
  for (const { type, part } of drawn) totals.set(type, (totals.get(type) ?? 0) + part)
  return new Map(drawn.map(({ uuid, type, part }) => [uuid, part === 0 ? 0 : (part / (totals.get(type) ?? 1)) * 100]))
}
