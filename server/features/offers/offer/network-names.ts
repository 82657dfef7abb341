import { z } from 'zod'
import { targeting } from '#contract/offers/offer-fields.ts'
import type { GeoChoices } from '#server/platform/geo/choices.ts'

type Named = { network?: { values: readonly string[] } | null | undefined }

/** What people call the networks that targetings name, by number; one the data do not know any more is left out. */
export async function networkNames(choices: GeoChoices, targetings: readonly Named[]): Promise<Record<string, string>> {
  return Object.fromEntries(await choices.labels('network', [...new Set(targetings.flatMap(({ network }) => network?.values ?? []))]))
}

/** The targetings a logged change goes from and to. */
export function targetingsIn({ before, after }: { before: unknown; after: unknown }): Named[] {
  return [before, after].flatMap((side) => z.object({ targeting }).safeParse(side).data?.targeting ?? [])
}
