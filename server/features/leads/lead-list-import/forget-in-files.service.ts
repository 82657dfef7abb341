import type { Told } from '#server/features/leads/session/vault.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import { openContent, tellsOf } from './content.ts'
import { FILES_OF_PEOPLE, listKept, updateImport } from './lead-list-import.queries.ts'

/**
 * Forgets files in which somebody stands who is erased: of those that are over the rows that were kept, of drafts all. Of a file that is
 * being read nobody erased is added, and no row stays (`end` in its job). Comes last of what erases: whoever ends a file waits for it.
 */
export async function forgetInFiles(trx: Trx, secretKey: string | null, tolds: readonly Told[], at: Date): Promise<void> {
  await lockName(trx, FILES_OF_PEOPLE)
  for (const { id, status, content } of await listKept(trx)) {
    if (content === null) continue
    const file = openContent(secretKey, content)
    if (!tolds.some((told) => tellsOf(file, told))) continue
    await updateImport(trx, id, { content: null, ...(status === 'draft' && { status: 'cancelled', problem: 'erased', ended_at: at }) })
  }
}
