import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startChild } from './child.ts'
import { writeWhole } from './data-folder.ts'

/** How somebody signs in to the demo network. */
export type DemoLogin = { role: string; email: string; password: string }

const file = (dataDir: string) => join(dataDir, 'demo-logins.json')

/** Whether the demo network of a folder is whole: its logins are written down last. */
export function demoIsMade(dataDir: string): boolean {
  return existsSync(file(dataDir))
}

/** Makes the demo network in its own databases, which are made anew: whatever was cut short goes with them. */
export async function makeDemo(
  dataDir: string,
  shared: Record<string, string | undefined>,
  printLine: (line: string) => void,
): Promise<void> {
  printLine('making the demo network: 30 days of traffic')
  const child = startChild('discard,migrate,demo', { ...shared, OHMA_PROCESS: 'demo' })
  try {
    const { logins = [] } = await child.ready
    writeWhole(file(dataDir), JSON.stringify(logins), 0o600)
  } finally {
    await child.stop(3_000)
  }
  printLine('the demo network is ready')
}

/** Prints one line per role of the demo network, the same at every start. */
export function printLogins(dataDir: string): void {
  if (!demoIsMade(dataDir)) return
  const logins = JSON.parse(readFileSync(file(dataDir), 'utf8')) as DemoLogin[] // only we write it
  for (const { role, email, password } of logins) console.log(`login ${role} ${email} ${password}`)
}
