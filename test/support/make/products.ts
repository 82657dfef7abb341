import { integrationSpec } from '#contract/leads/integration-spec.ts'
import { sealAccount } from '#server/features/leads/product/account.service.ts'
import { readConfig } from '#server/platform/config.ts'
import type { Db } from '#server/platform/pg/database.ts'

/** A product of an advertiser by a published integration of its own; its address is nobody's. `now` in ms. */
export async function makeProduct(db: Db, advertiserId: number, now: number): Promise<{ id: number; uuid: string; integration: string }> {
  const at = new Date(now)
  const spec = integrationSpec.parse({
    credentials: [{ key: 'api_key', label: 'Key', secret: true }],
    request: { method: 'POST', url: '{{product.host}}/leads' },
    response: { rules: [{ when: [{ op: 'eq', value: '200' }], outcome: 'accepted' }] },
  })
  const integration = await db
    .insertInto('integration')
    .values({ title: `Integration ${advertiserId}`, type: 'generic', created_at: at, updated_at: at })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
  const version = await db
    .insertInto('integration_version')
    .values({ integration_id: integration.id, number: 1, spec: JSON.stringify(spec), state: 'active', created_at: at, published_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test')
  const product = await db
    .insertInto('product')
    .values({
      advertiser_id: advertiserId,
      title: 'Product',
      integration_id: integration.id,
      version_id: version.id,
      host: 'https://crm.advertiser.example',
      time_zone: 'UTC',
      credentials: sealAccount(secretKey, { api_key: 'secret' }),
      created_at: at,
      updated_at: at,
    })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
  return { ...product, integration: integration.uuid }
}
