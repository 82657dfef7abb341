import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drainPending, Session } from 'chdb'
import { openPool, type Pool } from './pool.ts'
import { quote } from './statement.ts'

// Reports, inserts and everything else have connections of their own, so that none waits for the others.
const POOLS = { read: 6, insert: 4, work: 2 } as const

/** Threads libuv needs: each running statement holds one until it ends; the rest serve files and DNS. */
export const THREADS = POOLS.read + POOLS.insert + POOLS.work + 1 + 4

export type EngineOptions = {
  /** Folder of the data, owned by this process alone. */
  folder: string
  /** Where files of one request may lie for a moment. */
  scratch: string
  /** Memory the engine may use in all, in bytes. */
  memory: number
}

export type Engine = {
  pools: Record<keyof typeof POOLS, Pool>
  version: string
  /** Asks the engine to end the statement that carries this mark (its `log_comment`). */
  kill(mark: string): Promise<void>
  close(): Promise<void>
}

/** Opens the engine over its folder: 0.15 to 0.4 s. Fails when another process holds it. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  mkdirSync(options.folder, { recursive: true, mode: 0o700 })
  mkdirSync(options.scratch, { recursive: true, mode: 0o700 })
  const configFile = join(options.scratch, 'engine.xml')
  writeFileSync(configFile, engineConfig(options), { mode: 0o600 })
  const connectionArgs = [`--config-file=${configFile}`]
  const open = () => new Session(options.folder, { connectionArgs })
  // Held from the first moment to the last: the engine lives as long as one connection does.
  const keeper = open()
  const version = (await keeper.queryAsync('SELECT version()', { format: 'TabSeparated' })).text().trim()
  const pools = { read: openPool(POOLS.read, open), insert: openPool(POOLS.insert, open), work: openPool(POOLS.work, open) }
  let killing: Promise<unknown> = Promise.resolve()
  return {
    pools,
    version,
    kill(mark) {
      // ASYNC, because SYNC waits for the killed connection's next call, which may never come.
      const kill = () => keeper.queryAsync(`KILL QUERY WHERE Settings['log_comment'] = ${quote(mark)} ASYNC`, { format: 'Null' })
      const done = killing.then(kill)
      killing = done.catch(() => {})
      return done.then(() => {})
    },
    async close() {
      await killing
      for (const pool of Object.values(pools)) pool.close()
      await drainPending()
      keeper.close()
      await drainPending()
    },
  }
}

/** Everything is capped: the defaults give the mark and index caches 5 GB each. */
function engineConfig({ scratch, memory }: EngineOptions): string {
  const mebibyte = 1024 * 1024
  const cache = Math.round(Math.min(memory / 8, 512 * mebibyte))
  return `<clickhouse>
  <timezone>UTC</timezone>
  <max_server_memory_usage>${memory}</max_server_memory_usage>
  <mark_cache_size>${cache}</mark_cache_size>
  <primary_index_cache_size>${cache}</primary_index_cache_size>
  <uncompressed_cache_size>0</uncompressed_cache_size>
  <query_condition_cache_size>${16 * mebibyte}</query_condition_cache_size>
  <mmap_cache_size>64</mmap_cache_size>
  <compiled_expression_cache_size>${16 * mebibyte}</compiled_expression_cache_size>
  <backups><allowed_path>${scratch}</allowed_path></backups>
</clickhouse>
`
}
