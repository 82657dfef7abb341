import { sql, type RawBuilder } from 'kysely'
import type { IntegrationSpec } from '#contract/leads/integration-spec.ts'

/**
 * What a version says, whose table has this alias, with every credential as secret as any version published before it had it: what was
 * entered as a secret is shown by none that calls it a plain field. Those versions never change, so neither does this.
 */
export function specOf(alias: 'v' | 'integration_version'): RawBuilder<IntegrationSpec> {
  const version = sql.table(alias)
  return sql<IntegrationSpec>`jsonb_set(${version}.spec, '{credentials}', (
    select coalesce(jsonb_agg(c.field || jsonb_build_object('secret', (c.field ->> 'secret')::boolean or exists (
      select from integration_version e, jsonb_array_elements(e.spec -> 'credentials') k (field)
       where e.integration_id = ${version}.integration_id and e.number < ${version}.number and e.state <> 'draft'
         and k.field ->> 'key' = c.field ->> 'key' and (k.field ->> 'secret')::boolean)) order by c.place), '[]')
      from jsonb_array_elements(${version}.spec -> 'credentials') with ordinality c (field, place)))`
}
