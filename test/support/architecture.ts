import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'

/** A source file by its path from the root of the project. */
export type Source = { path: string; text: string }

/** One broken rule: where, and what it says. */
export type Violation = { path: string; rule: string }

const ROOT = join(import.meta.dirname, '../..')
const FOLDERS = ['contract', 'server', 'web', 'test', 'bench']

/** Every TypeScript file of ours. */
export function readSources(): Source[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  ).map((file) => ({ path: relative(ROOT, file), text: readFileSync(file, 'utf8') }))
}

/** The rules that need more than one line of a file, or its place: what lint cannot say. */
export function findViolations(sources: Source[]): Violation[] {
  return sources.flatMap((source) => RULES.filter(({ breaks }) => breaks(source)).map(({ rule }) => ({ path: source.path, rule })))
}

type Rule = { rule: string; breaks(source: Source): boolean }

const isTest = (path: string) => /\.(test|e2e|torture)\.tsx?$/.test(path) || path.startsWith('test/')
const code = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
const feature = (path: string) => /^(server|web)\/features\/([^/]+\/[^/]+)\//.exec(path)?.[2]

/** Paths a source imports, from the root of the project; packages are left out. */
export function importsOf({ path, text }: Source): string[] {
  const specifiers = [
    ...text.matchAll(
      /(?:^|[\s;])(?:import|export)\s[^'"]*?from\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]/gm,
    ),
  ]
  return specifiers
    .map((match) => match[1] ?? match[2] ?? match[3] ?? '')
    .filter((specifier) => /^(#|\.)/.test(specifier))
    .map((specifier) => (specifier.startsWith('#') ? specifier.slice(1) : normalize(join(dirname(path), specifier))))
}

/** Features of a room that know each other in a ring: each reaches all others of its ring. */
export function findRings(sources: Source[], room: string): string[][] {
  const known = new Map<string, Set<string>>()
  for (const source of sources) {
    const own = feature(source.path)
    if (!source.path.startsWith(`server/features/${room}/`) || isTest(source.path) || own === undefined) continue
    const others = importsOf(source).flatMap((target) => (target.startsWith(`server/features/${room}/`) ? (feature(target) ?? []) : []))
    known.set(own, new Set([...(known.get(own) ?? []), ...others.filter((other) => other !== own)]))
  }
  const reached = new Map([...known.keys()].map((one) => [one, reach(one, known)]))
  const left = new Set(known.keys())
  const rings: string[][] = []
  for (const one of known.keys()) {
    if (!left.has(one)) continue
    const ring = [...left].filter((other) => reached.get(one)?.has(other) && reached.get(other)?.has(one))
    for (const member of ring) left.delete(member)
    if (ring.length > 1) rings.push(ring.map((path) => path.slice(room.length + 1)).toSorted())
  }
  return rings.toSorted((a, b) => (a[0] ?? '').localeCompare(b[0] ?? ''))
}

function reach(from: string, known: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const found = new Set<string>()
  const next = [from]
  for (let one = next.pop(); one !== undefined; one = next.pop())
    for (const other of known.get(one) ?? [])
      if (!found.has(other)) {
        found.add(other)
        next.push(other)
      }
  return found
}

/** Who may import what (docs/architecture.md): the first row that fits a file decides; tests may look everywhere. Pages and router know all features, so nothing below them may know these. */
const DIRECTIONS: [from: RegExp, may: RegExp][] = [
  [/^contract\//, /^contract\//],
  [/^server\/platform\//, /^(contract|server\/(platform|tables|migrations))\//],
  [/^server\/access\//, /^(contract|server\/(access|platform))\//],
  [/^server\/rules\//, /^(contract|server\/(rules|platform))\//],
  [/^server\/tables\//, /^(contract|server\/(tables|rules))\//],
  [/^server\/tracker\/core\//, /^(contract|server\/(tracker(?!\/http)|platform|rules))\//],
  [/^server\/(tracker|ingester)\//, /^(contract|server\/(tracker|ingester|platform|rules))\//],
  [/^server\/statistics\//, /^(contract|server\/(statistics|access|platform|rules|tables))\//],
  [/^server\/features\//, /^(contract|server\/(features|access|platform|rules|tables|statistics))\//],
  [/^server\//, /^(contract|server|package\.json)/],
  [/^web\/i18n\//, /^(contract|web\/(api|i18n|features\/.*\.json$|(?!pages\.|guest-pages\.|panel\.|router\.)[^/]+$))/],
  [/^web\/api\//, /^(contract|web\/(api|i18n|(?!pages\.|guest-pages\.|panel\.|router\.)[^/]+$))/],
  [/^web\/kit\//, /^(contract|web\/(kit|api|i18n|(?!pages\.|guest-pages\.|panel\.|router\.)[^/]+$))/],
  [/^web\/shell\//, /^(contract|web\/(shell|kit|api|i18n|(?!pages\.|guest-pages\.|panel\.|router\.)[^/]+$))/],
  [/^web\//, /^(contract|web)\//],
]

const RULES: Rule[] = [
  {
    rule: 'imports only what its layer may know',
    breaks: (source) => {
      if (isTest(source.path)) return false
      const may = DIRECTIONS.find(([from]) => from.test(source.path))?.[1]
      return may !== undefined && importsOf(source).some((target) => !may.test(target))
    },
  },
  {
    rule: 'a server feature reaches another only through its queries, services and formulas',
    breaks: (source) =>
      source.path.startsWith('server/features/') &&
      !isTest(source.path) &&
      importsOf(source).some(
        (target) =>
          target.startsWith('server/features/') &&
          feature(target) !== feature(source.path) &&
          /\.(routes|jobs|data|test)\.ts$/.test(target),
      ),
  },
  {
    rule: 'a web feature knows no other web feature',
    breaks: (source) =>
      source.path.startsWith('web/features/') &&
      importsOf(source).some((target) => target.startsWith('web/features/') && feature(target) !== feature(source.path)),
  },
  {
    rule: 'the SQL of a feature stands in its queries',
    breaks: ({ path, text }) =>
      /^server\/features\/.*(?<!\.queries)\.ts$/.test(path) &&
      !isTest(path) &&
      /\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|\bsql(<[^`]*?>)?`|['"`]\s*(select [\s\S]*? from |alter table |create table )/i.test(
        code(text),
      ),
  },
  {
    rule: 'queries read and write rows, services decide, refuse and log',
    breaks: ({ path, text }) => path.endsWith('.queries.ts') && /\b(AppError|recordAudit)\b|\bmay\(/.test(code(text)),
  },
  {
    rule: 'a presenter shapes what the service fetched',
    breaks: ({ path, text }) =>
      path.endsWith('.present.ts') &&
      (/\bdb\b/i.test(code(text)) ||
        [...code(text).matchAll(/import\s+\{([^}]*)\}\s+from\s+'[^']*\.(?:queries|service)\.ts'/g)].some(([, names = '']) =>
          names.split(',').some((name) => name.trim() !== '' && !name.trim().startsWith('type ')),
        )),
  },
  {
    rule: 'routes answer in the shapes of their own feature',
    breaks: (source) =>
      /^server\/features\/.*\.routes\.ts$/.test(source.path) &&
      importsOf(source).some((target) => target.endsWith('.present.ts') && feature(target) !== feature(source.path)),
  },
  {
    rule: 'a job runs by the clock: what is asked for stands in a service',
    breaks: (source) =>
      source.path.startsWith('server/features/') && !isTest(source.path) && importsOf(source).some((target) => target.endsWith('.jobs.ts')),
  },
  {
    rule: 'a feature stands in a room',
    breaks: ({ path }) =>
      /^(server|web)\/features\//.test(path) && !/^\w+\/features\/(people|offers|traffic|money|leads|network)\/[a-z-]+\//.test(path),
  },
  {
    rule: 'a file is named after what it holds',
    breaks: ({ path }) => /(^|\/)(index|utils?|helpers?|types|common|misc)(\.tsx?$|\/)/.test(path),
  },
  {
    rule: 'endpoints are made by implement(), which checks access',
    breaks: ({ path, text }) =>
      /^server\/(features|statistics)\//.test(path) &&
      !isTest(path) &&
      /\b(server|app|fastify)\.(get|post|put|delete|patch|route|all)\(/.test(text),
  },
  {
    rule: 'the environment is read in one place',
    breaks: ({ path, text }) =>
      path.startsWith('server/') &&
      !isTest(path) &&
      !/^server\/(processes\/|main\.ts$|platform\/(config|log)\.ts$|platform\/pg\/embedded\.ts$)/.test(path) &&
      /process\.env\b/.test(text),
  },
  {
    rule: 'rights are asked of can(), never of a role',
    breaks: ({ path, text }) =>
      /^(server|web)\/features\//.test(path) && !isTest(path) && /\b(actor|me|user|session)\??\.role [!=]== '/.test(text),
  },
  {
    // whoever takes a page of a feature bounds it: router, palette and badges
    rule: 'code fetched when it is needed is bound by the chunk time-out',
    breaks: ({ path, text }) =>
      /^web\/.*(?<!pages|guest)\.tsx?$/.test(path) &&
      !isTest(path) &&
      /\bimport\(/.test(code(text)) &&
      !code(text).includes('withinChunkTimeout('),
  },
  {
    // the kit's one can be scrolled by the keyboard
    rule: 'a table too wide for its place scrolls in <TableScroll>',
    breaks: ({ path, text }) => path.endsWith('.tsx') && path !== 'web/kit/table/table-scroll.tsx' && /ScrollContainer/.test(code(text)),
  },
  {
    // a form's file may hold the two screens it is drawn on: <feature>-form.tsx exports XCreate and XEdit
    rule: 'one exported component per file',
    breaks: ({ path, text }) => {
      const components = [...text.matchAll(/^export (?:default )?function ([A-Z]\w*)/gm)].map(([, name = '']) => name)
      const others = path.endsWith('-form.tsx') ? components.filter((name) => !/(Create|Edit|Form)$/.test(name)) : components
      return path.endsWith('.tsx') && !isTest(path) && others.length > 1
    },
  },
]
