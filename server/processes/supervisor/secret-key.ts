import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { isWeakKey } from '#server/platform/config.ts'
import { StartError } from './console-output.ts'
import { writeWhole } from './data-folder.ts'

/** What is kept sealed by the instance's key, as table and column. A new one stands here too, or its loss would be found too late. */
export const SEALED = [
  ['second_factor', 'secret'],
  ['smtp_secret', 'sealed'],
  ['mail', 'sealed'],
  ['certificate', 'sealed'],
  ['payment_method', 'sealed'],
  ['acme_account', 'sealed'],
  ['advertiser_dialect', 'secret'],
  ['payout_file', 'sealed'],
  ['affiliate_postback', 'sealed_headers'],
  ['affiliate_postback', 'signing_secret'],
  ['affiliate_postback', 'signing_secret_before'],
  ['kept_answer', 'sealed'],
  ['webhook', 'secret'],
  ['webhook', 'secret_before'],
  ['person', 'sealed'],
  ['user_session', 'sealed'],
  ['lead_send', 'call'],
  ['lead_send', 'redirect'],
  ['product', 'credentials'],
  ['product_token', 'sealed'],
  ['contact_export', 'sealed'],
  ['lead_list_item', 'sealed'],
  ['lead_list_import', 'content'],
] as const

const keyFile = (dataDir: string) => join(dataDir, 'secret-key')

/** The key kept in the data folder; null where there is none. Throws `StartError` where others may read it, or it is too weak to be one. */
export function keptKey(dataDir: string): string | null {
  const file = keyFile(dataDir)
  if (!existsSync(file)) return null
  if ((statSync(file).mode & 0o077) !== 0)
    throw new StartError(`Others on this machine may read ${file}, which opens what Ohma keeps sealed.\nClose it: chmod 600 ${file}`)
  const key = readFileSync(file, 'utf8').trim()
  if (isWeakKey(key))
    throw new StartError(
      `${file} holds no key: at least 32 random characters belong there.\nPut the one back that was there; it stands in a backup of this instance.`,
    )
  return key
}

/**
 * Makes the key of an instance that has none and keeps it in the data folder, for its own user only (0600). Throws `StartError`, and
 * makes none, where the database holds values sealed by another: with a new key they could never be opened again.
 */
export async function makeKey(dataDir: string, databaseUrl: string): Promise<string> {
  const file = keyFile(dataDir)
  const sealed = await sealedTables(databaseUrl)
  if (sealed.length > 0)
    throw new StartError(
      `The key is missing that opens what the database keeps sealed (${sealed.join(', ')}).\nPut it back: into ${file}, for this user only, or into SECRET_KEY. A backup holds it as files/secret-key.\nIf it is lost for good, put a new one there (openssl rand -hex 32): second factors then let in by recovery codes only, mail has to be set up again, and affiliates have to name again where they are paid.`,
    )
  const key = randomBytes(32).toString('hex')
  writeWhole(file, `${key}\n`, 0o600)
  return key
}

/** Those of `SEALED` that hold something; none in a database that is not there yet. */
async function sealedTables(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  try {
    await client.connect()
    const found: string[] = []
    for (const [table, column] of SEALED) {
      const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table])
      if (!rows[0]?.there) continue
      const { rowCount } = await client.query(`select 1 from ${table} where ${column} is not null limit 1`)
      if (rowCount !== 0) found.push(table)
    }
    return found
  } catch (error) {
    // `pg` puts PostgreSQL's code on its errors, Node the system's. 3D000: there is no database of this name yet.
    const { code = '', message } = error as { code?: string; message: string }
    if (code === '3D000') return []
    throw new StartError(`PostgreSQL at ${new URL(databaseUrl).host} cannot be used: ${message || code}. Check DATABASE_URL.`)
  } finally {
    await client.end()
  }
}
