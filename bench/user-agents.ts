import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeUserAgent } from '#server/rules/click/user-agent.ts'

/** What device-detector calls the kinds we have. */
const KINDS: Readonly<Record<string, string>> = {
  smartphone: 'mobile',
  phablet: 'mobile',
  'feature phone': 'mobile',
  tablet: 'tablet',
  desktop: 'desktop',
  tv: 'tv',
  console: 'console',
}

/**
 * How many User-Agents of Matomo's device-detector are told right: `npm run bench -- user-agents <its checkout>`. They are
 * LGPL and therefore not ours to bring along; `user-agent.test.ts` holds the rules to lists that are.
 */
export async function run([checkout]: string[]): Promise<void> {
  if (checkout === undefined) throw new Error('which checkout of github.com/matomo-org/device-detector?')
  const folder = join(checkout, 'Tests/fixtures')
  const entries = readdirSync(folder).flatMap((file) =>
    file.endsWith('.yml')
      ? readFileSync(join(folder, file), 'utf8')
          .split(/^- *$/m)
          .flatMap(entryOf(file === 'bots.yml'))
      : [],
  )
  const started = process.cpuUsage()
  const told = entries.map((entry) => ({ ...entry, facts: describeUserAgent(entry.text) }))
  const { user, system } = process.cpuUsage(started)
  const share = (rows: typeof told, right: (row: (typeof told)[number]) => boolean) =>
    `${((100 * rows.filter(right).length) / rows.length).toFixed(2)} % of ${rows.length}`
  for (const kind of new Set(Object.values(KINDS))) {
    const rows = told.filter((row) => row.kind === kind)
    const browsers = rows.filter(({ browser }) => browser)
    const right = ({ facts }: (typeof told)[number]) => facts.device === kind
    console.log(`${kind}: ${share(rows, right)}; in browsers ${share(browsers, right)}`)
  }
  const people = told.filter(({ kind }) => kind !== 'bot')
  console.log(
    `programs found: ${share(
      told.filter(({ kind }) => kind === 'bot'),
      ({ facts }) => facts.bot,
    )}`,
  )
  console.log(`called programs: ${share(people, ({ facts }) => facts.bot)}`)
  console.log(
    `of those on a machine of the five kinds: ${share(
      people.filter(({ kind }) => kind !== ''),
      ({ facts }) => facts.bot,
    )}`,
  )
  console.log(
    `of those in a browser: ${share(
      people.filter(({ browser }) => browser),
      ({ facts }) => facts.bot,
    )}`,
  )
  console.log(`${((user + system) / told.length).toFixed(0)} µs each`)
}

type Entry = { text: string; kind: string; browser: boolean }

/** An entry of a file of fixtures; `kind` is 'bot' or one of ours, '' any other. */
const entryOf =
  (isBot: boolean) =>
  (yaml: string): Entry[] => {
    const told = /^ {2}user_agent: (.*)$/m.exec(yaml)?.[1]?.trim() ?? ''
    const quoted = /^'(.*)'$/.exec(told)?.[1]?.replaceAll("''", "'")
    const text = told.startsWith('"') ? String(JSON.parse(told)) : (quoted ?? told)
    if (text === '') return []
    const type = /^ {2}device:\n {4}type: ([a-z ]+)$/m.exec(yaml)?.[1] ?? ''
    return [{ text, kind: isBot ? 'bot' : (KINDS[type] ?? ''), browser: /^ {2}client:\n {4}type: browser$/m.test(yaml) }]
  }
