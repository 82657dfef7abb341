export type ClusterOptions = { cluster: string; database: string }

/**
 * The statements of a migration for a cluster: each table becomes a replicated `<name>_local` on every shard, and its
 * own name a Distributed table over them, sharded by affiliate so that one affiliate's clicks lie together. Views fill
 * the local tables. Generated and checked by the engine's parser; never run by the tests, which have no cluster.
 * Throws on a statement it does not know, so that no new kind of DDL slips through unreplicated.
 */
export function clusterStatements(statements: string[], { cluster, database }: ClusterOptions): string[] {
  return statements.flatMap((statement) => {
    const table = /^CREATE TABLE IF NOT EXISTS (\w+) \(/.exec(statement)?.[1]
    if (table !== undefined) return [replicated(statement, table, cluster, database), distributed(statement, table, cluster, database)]
    const view = /^CREATE MATERIALIZED VIEW IF NOT EXISTS (\w+) TO (\w+) AS/.exec(statement)
    if (view) return [filling(statement, cluster)]
    const changed = /^ALTER TABLE (\w+) (?:MODIFY COLUMN|ADD COLUMN IF NOT EXISTS) /.exec(statement)?.[1]
    if (changed !== undefined) return altered(statement, changed, cluster, database)
    const query = /^ALTER TABLE (\w+) (MODIFY QUERY .+) FROM (\w+)$/.exec(statement)
    if (query) return [`ALTER TABLE ${query[1]} ON CLUSTER ${cluster} ${query[2]} FROM ${query[3]}_local`]
    const gone = /^DROP TABLE IF EXISTS (\w+) SYNC$/.exec(statement)?.[1]
    if (gone !== undefined)
      return [gone, `${gone}_local`].map((name) => `DROP TABLE IF EXISTS ${database}.${name} ON CLUSTER ${cluster} SYNC`)
    // through the tables over all shards
    if (/^INSERT INTO \w+ \(/.test(statement))
      return [statement.replace(/^INSERT INTO /, `INSERT INTO ${database}.`).replace(/^FROM (\w+)$/m, `FROM ${database}.$1`)]
    throw new Error(`No cluster form is known for: ${statement.slice(0, 80)}`)
  })
}

function replicated(statement: string, table: string, cluster: string, database: string): string {
  const path = `'/clickhouse/tables/{shard}/${database}/${table}_local', '{replica}'`
  return statement
    .replace(`EXISTS ${table} (`, `EXISTS ${database}.${table}_local ON CLUSTER ${cluster} (`)
    .replace(/^ENGINE = (\w*)MergeTree$/m, `ENGINE = Replicated$1MergeTree(${path})`)
    .replace('non_replicated_deduplication_window', 'replicated_deduplication_window')
}

function distributed(statement: string, table: string, cluster: string, database: string): string {
  // Roll-ups without an affiliate stay on the shard whose clicks filled them.
  const key = /^\s+affiliate\s/m.test(statement) ? 'affiliate' : 'rand()'
  return `CREATE TABLE IF NOT EXISTS ${database}.${table} ON CLUSTER ${cluster} AS ${database}.${table}_local\nENGINE = Distributed(${cluster}, ${database}, ${table}_local, ${key})`
}

/** A column changes where the rows are, then in the table over them, which has no codecs and no order. */
function altered(statement: string, table: string, cluster: string, database: string): string[] {
  const named = (name: string, text: string) => text.replace(`TABLE ${table} `, `TABLE ${database}.${name} ON CLUSTER ${cluster} `)
  const overAll = statement.replace(/ CODEC\(\w+(\(\d+\))?\)/g, '').replace(/, MODIFY ORDER BY \([^)]*\)/, '')
  return [named(`${table}_local`, statement), named(table, overAll)]
}

function filling(statement: string, cluster: string): string {
  return statement
    .replace(/EXISTS (\w+) TO (\w+) AS/, `EXISTS $1 ON CLUSTER ${cluster} TO $2_local AS`)
    .replace(/^FROM (\w+)$/m, 'FROM $1_local')
}
