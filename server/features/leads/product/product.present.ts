import type { z } from 'zod'
import type { IntegrationSpec } from '#contract/leads/integration-spec.ts'
import type { product, ProductDetail, ProductTest } from '#contract/leads/product.ts'
import type { listProducts, ProductRow, TestRow } from './product.queries.ts'

type Listed = Awaited<ReturnType<typeof listProducts>>['list'][number]

export function presentProduct(row: Listed): z.input<typeof product> {
  const { advertiser_uuid, advertiser_number, advertiser_name, integration_uuid, integration_number, integration_title, ...rest } = row
  return {
    ...rest,
    advertiser: { uuid: advertiser_uuid, id: advertiser_number, name: advertiser_name },
    integration: { uuid: integration_uuid, id: integration_number, name: integration_title },
    tested_at: row.tested_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** With its account: of secrets only whether there are any. `account` is what is sealed, by key. */
export function presentProductDetail(
  row: ProductRow,
  spec: IntegrationSpec,
  account: Readonly<Record<string, string>>,
  pushPath: string,
): ProductDetail {
  const { credentials: _sealed, version_id: _version, integration_id: _integration, advertiser_id: _advertiser, ...listed } = row
  const credentials = spec.credentials.map((field) => {
    const value = account[field.key] ?? ''
    return { ...field, set: value !== '', value: field.secret ? '' : value }
  })
  return { ...presentProduct(listed), credentials, push_path: pushPath }
}

export function presentTest({ at, external_id, redirect, ...test }: TestRow): ProductTest {
  const extracted = { ...(external_id !== '' && { external_id }), ...(redirect !== '' && { redirect_url: redirect }) }
  return { ...test, at: at.toISOString(), extracted }
}
