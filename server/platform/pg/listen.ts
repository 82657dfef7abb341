import pg from 'pg'
import { log } from '../log.ts'

/**
 * Listens on PostgreSQL channels with a connection of its own that comes back by itself. After every (re)connect
 * `onConnect` runs first, because whatever was announced meanwhile is lost: reread, then follow. Where the first one fails nothing is
 * left behind: whoever wanted it decides when to try again.
 */
export async function listen(
  connectionString: string,
  channels: Record<string, (payload: string) => void>,
  onConnect: () => Promise<void>,
): Promise<{ stop(): Promise<void> }> {
  let stopped = false
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let delay = 100

  const connect = async () => {
    const fresh = new pg.Client({ connectionString, application_name: 'ohma-listen', keepAlive: true })
    client = fresh
    let lost = false
    const again = (error?: unknown) => {
      if (lost || stopped) return
      lost = true
      log.warn({ err: error }, 'lost the connection that listens for changes')
      void fresh.end().catch(() => {})
      retry = setTimeout(() => void connect().catch(() => {}), delay)
      delay = Math.min(delay * 2, 5_000)
    }
    fresh.on('error', again)
    fresh.on('end', () => again())
    fresh.on('notification', (message) => channels[message.channel]?.(message.payload ?? ''))
    try {
      await fresh.connect()
      for (const channel of Object.keys(channels)) await fresh.query(`listen ${pg.escapeIdentifier(channel)}`)
      await onConnect()
      delay = 100
    } catch (error) {
      again(error)
      throw error
    }
  }

  const stop = async () => {
    stopped = true
    clearTimeout(retry)
    await client?.end().catch(() => {})
  }
  try {
    await connect()
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}
