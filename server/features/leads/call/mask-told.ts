import type { Told } from '#server/features/leads/session/vault.ts'
import { buildRequest } from '#server/rules/lead/integration/build-request.ts'
import { isOpen, maskPerson } from '#server/rules/lead/mask-person.ts'
import type { Circumstances } from './make-call.service.ts'

/** Shorter words tell nobody: dots in place of each `39` would make calls unreadable. */
const SHORTEST = 3

/**
 * Puts dots in place of a person in what was said to an advertiser and what it answered: as they told it, and as the calls of a spec
 * say it, behind whatever transforms, such as a password that was mended. `redirect` = where they went on.
 */
export function maskTold(
  told: Told,
  redirect: string,
  { spec, values, country }: Pick<Circumstances, 'spec' | 'values' | 'country'>,
): (text: string) => string {
  const words = new Set<string>()
  const of = (macro: string) => macro.startsWith('request.') || macro === 'lead.full_name' || isOfPerson(told, macro)
  for (const { request } of [...spec.steps, spec]) {
    const built = buildRequest(request, values, { tables: spec.tables, country }, { of, words })
    // said whole in a header it is still a body, which is shown without the person
    if ('body' in built && built.body !== null) words.delete(built.body)
  }
  const said = [...words].filter((word) => word.replace(/[^\p{L}\p{N}]/gu, '').length >= SHORTEST)
  return maskPerson({ ...told, redirect }, Object.fromEntries(said.map((word, at) => [`said.${at}`, word])))
}

function isOfPerson(told: Told, macro: string): boolean {
  const name = macro.slice('lead.'.length)
  return macro.startsWith('lead.') && name in told && !isOpen(name)
}
