import { sql, type RawBuilder } from 'kysely'

/** A person or company as answers name them, `{ uuid, id, name }`, of a joined row; null where the join found none. */
export function reference(columns: {
  uuid: string
  id: string
  name: string
}): RawBuilder<{ uuid: string; id: number; name: string } | null> {
  const [uuid, id, name] = [sql.ref(columns.uuid), sql.ref(columns.id), sql.ref(columns.name)]
  return sql`case when ${id} is not null then json_build_object('uuid', ${uuid}, 'id', ${id}, 'name', ${name}) end`
}
