import type { z } from 'zod'
import type { leadList, LeadListDetail } from '#contract/leads/lead-list.ts'
import type { countsOf, LeadListRow, unsendableOf, usesOf } from './lead-list.queries.ts'

type Figures = {
  counts: Awaited<ReturnType<typeof countsOf>>
  unsendable: Awaited<ReturnType<typeof unsendableOf>>
  uses: Awaited<ReturnType<typeof usesOf>>
}

/** A list with its figures; `geos` = so many countries. */
export function presentList(row: LeadListRow, figures: Figures, geos = 3): z.input<typeof leadList> {
  const counts = figures.counts.filter(({ list_id }) => list_id === row.id)
  const of = (source: string) => counts.reduce((sum, one) => (one.source === source ? sum + one.items : sum), 0)
  const unsendable = figures.unsendable.find(({ list_id }) => list_id === row.id)?.unsendable ?? 0
  const uses = figures.uses.filter(({ list_id }) => list_id === row.id)
  return {
    uuid: row.uuid,
    id: row.id,
    title: row.title,
    description: row.description,
    status: row.status,
    total: row.total,
    sendable: row.total - unsendable,
    by_source: { session: of('session'), conversion: of('conversion'), file: of('file') },
    geos: geosOf(counts, geos),
    used_in: uses.map(({ uuid, title, status }) => ({ uuid, title, status })),
    uses: uses[0]?.uses ?? 0,
    owner: row.owner,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    version: row.version,
  }
}

/** The same with what its page tells besides. */
export function presentListDetail(row: LeadListRow, figures: Figures): LeadListDetail {
  return {
    ...presentList(row, figures, 250),
    removed: figures.counts.reduce((sum, { removed }) => sum + removed, 0),
    suppressed: figures.unsendable[0]?.suppressed ?? 0,
  }
}

/** The countries of most people; none where it is not known. */
function geosOf(counts: Figures['counts'], most: number) {
  const byCountry = Map.groupBy(
    counts.filter(({ country, items }) => country !== '' && items > 0),
    ({ country }) => country,
  )
  return [...byCountry]
    .map(([country, those]) => ({ country, items: those.reduce((sum, { items }) => sum + items, 0) }))
    .toSorted((a, b) => b.items - a.items || a.country.localeCompare(b.country))
    .slice(0, most)
}
