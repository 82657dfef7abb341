import type { LeadListImportPlan, LeadListRowProblem } from '#contract/leads/lead-list-import.ts'
import { LEFT_OUT, type LeftOut } from '#contract/leads/lead-list.ts'
import type { Scope } from '#server/access/scope.ts'
import type { LeadVault } from '#server/features/leads/session/vault.ts'
import { suppressedForMany, suppressionKeys, type Suppressed } from '#server/features/leads/suppression/suppressed.service.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import type { FileRow } from './content.ts'
import { findSame, type SamePerson } from './lead-list-import.queries.ts'
import { readPerson, type FilePerson } from './read-person.ts'

type Hashes = { phone_hash: Buffer | null; email_hash: Buffer | null }
export type ReadRow = { row: FileRow; person: (FilePerson & Hashes) | null; problems: LeadListRowProblem[] }
/** `problems`: why it is not taken; `known`: the network had the person before, as far as whoever brings the file may know. */
export type JudgedRow = ReadRow & { known: boolean }

/** Rows of a file as people, with the hashes they are found by. */
export function readRows(rows: readonly FileRow[], plan: LeadListImportPlan, vault: LeadVault, now: number): ReadRow[] {
  return rows.map((row) => {
    const read = readPerson(row, plan, now)
    if (Array.isArray(read)) return { row, person: null, problems: read }
    const hash = (kind: 'phone' | 'email') => (read.told[kind] ? vault.hash(kind, read.told[kind]) : null)
    return { row, person: { ...read, phone_hash: hash('phone'), email_hash: hash('email') }, problems: [] }
  })
}

/**
 * Which rows are taken into a list, in their order: whoever shares the telephone or the e-mail address of somebody in it, or of an earlier
 * row, is the same to an advertiser and left out. `met`: contacts of earlier rows, which these are added to.
 */
export async function judgeRows(
  db: DbOrTrx,
  vault: LeadVault,
  now: number,
  { scope, listId, importId }: { scope: Scope; listId: number; importId: string },
  rows: readonly ReadRow[],
  met: Set<string>,
): Promise<JudgedRow[]> {
  const people = rows.flatMap(({ person }) => person ?? [])
  const same = await findSame(
    db,
    scope,
    listId,
    people.flatMap(({ phone_hash }) => phone_hash ?? []),
    people.flatMap(({ email_hash }) => email_hash ?? []),
  )
  const suppressed = await suppressedForMany(
    db,
    people.map(({ told }) => suppressionKeys(vault, told)),
    now,
  )
  const byContact = Map.groupBy(
    same.flatMap((one) => contactsOf(one).map((contact) => ({ contact, one }))),
    ({ contact }) => contact,
  )
  let place = 0
  return rows.map((read) => {
    if (read.person === null) return { ...read, known: false }
    const { person } = read
    const found = suppressed[place]
    place += 1
    const contacts = contactsOf(person)
    const alike = contacts.flatMap((contact) => (byContact.get(contact) ?? []).map(({ one }) => one))
    const reasons = new Set(reasonsOf(alike, found, importId))
    if (contacts.some((contact) => met.has(contact))) reasons.add('duplicate')
    for (const contact of contacts) met.add(contact)
    const first = LEFT_OUT.find((reason) => reasons.has(reason))
    return {
      ...read,
      problems: first === undefined ? [] : [{ field: '' as const, code: first }],
      known: alike.some((one) => one.seen && isSame(one.phone_hash, person.phone_hash) && isSame(one.email_hash, person.email_hash)),
    }
  })
}

function reasonsOf(alike: readonly SamePerson[], found: Suppressed | undefined, importId: string): LeftOut[] {
  return [
    ...(found?.erased ? ['erased' as const] : []),
    ...(found?.everywhere ? ['suppressed' as const] : []),
    ...alike.flatMap(({ restricted, suppressed, item_id, import_id, removed }): LeftOut[] => [
      ...(restricted ? ['restricted' as const] : []),
      ...(suppressed ? ['suppressed' as const] : []),
      ...(item_id === null ? [] : removed ? ['removed' as const] : import_id === importId ? ['duplicate' as const] : ['in_list' as const]),
    ]),
  ]
}

/** By what somebody is known, telephone and e-mail address apart. */
function contactsOf({ phone_hash, email_hash }: Hashes): string[] {
  return [
    phone_hash === null ? [] : `phone ${phone_hash.toString('hex')}`,
    email_hash === null ? [] : `email ${email_hash.toString('hex')}`,
  ].flat()
}

function isSame(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b)
}
