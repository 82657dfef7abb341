import type { KeyScope } from '#contract/people/key-scope.ts'
import { newKey } from '#server/features/people/api-key/key-actor.service.ts'
import { hashToken } from '#server/platform/secret.ts'
import type { TestApi } from '#test/support/run/api.ts'

/** A key of somebody with some scopes, as it stands in the database once made. */
export async function makeKey(api: TestApi, person: { accountId: number }, scopes: readonly KeyScope[]): Promise<string> {
  const key = newKey()
  const row = { account_id: person.accountId, name: scopes.join(), token_hash: hashToken(key), hint: '', allowed_ips: [] }
  await api.db
    .insertInto('api_key')
    .values({ ...row, scopes: [...scopes], created_at: new Date(api.clock.now()) })
    .execute()
  return key
}
