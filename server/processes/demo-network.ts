import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startChild } from './child.ts'
import { writeWhole } from './data-folder.ts'

/** How somebody signs in to the demo network. */
export type DemoLogin = { role: string; email: string; password: string }

const file = (dataDir: string) => join(dataDir, 'demo-logins.json')

/** Makes the demo network in its own databases unless it is there; a making that was cut short begins anew. */
export async function makeDemoOnce(
  dataDir: string,
  shared: Record<string, string | undefined>,
  say: (line: string) => void,
): Promise<void> {
  if (existsSync(file(dataDir)) || !existsSync(join(import.meta.dirname, 'demo.ts'))) return
  say('making the demo network: 30 days of traffic')
  const child = startChild('demo', { ...shared, OHMA_PROCESS: 'demo' })
  try {
    const { logins = [] } = await child.ready
    writeWhole(file(dataDir), JSON.stringify(logins), 0o600)
  } finally {
    await child.stop(3_000)
  }
  say('the demo network is ready')
}

/** Prints one line per role of the demo network, the same at every start. */
export function printLogins(dataDir: string): void {
  if (!existsSync(file(dataDir))) return
  const logins = JSON.parse(readFileSync(file(dataDir), 'utf8')) as DemoLogin[] // only we write it
  for (const { role, email, password } of logins) console.log(`login ${role} ${email} ${password}`)
}
