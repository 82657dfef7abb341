import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What is declared at the top of the files of `server/`: each function's text, and what the names in it lead to. */
export type CallGraph = {
  /** Whether what an endpoint's handler calls, however far down, has a text in it. */
  reaches(endpoint: { api: string; name: string }, text: RegExp): boolean
}

const ROOT = join(import.meta.dirname, '../..')

type Source = { declared: Map<string, string>; imported: Map<string, string>; text: string }

/** Reads the sources as they are formatted: a declaration begins at the first column and ends before the next one. */
export function readCallGraph(): CallGraph {
  const sources = new Map<string, Source>()
  for (const file of globSync('server/**/*.ts', { cwd: ROOT })) if (!/\.(test|torture)\.ts$/.test(file)) sources.set(file, readSource(file))
  const routes = [...sources.values()].filter(({ text }) => text.includes('implement(app,'))
  return {
    reaches({ api, name }, text) {
      const found = routes.flatMap((source) => {
        const handler = handlerOf(source.text, api, name)
        return handler === undefined ? [] : [{ source, handler }]
      })
      if (found.length === 0) throw new Error(`no handler of ${api}.${name} was found`)
      return found.some(({ source, handler }) => leadsTo(handler, source, text, new Set()))
    },
  }

  function leadsTo(code: string, source: Source, text: RegExp, seen: Set<string>): boolean {
    if (text.test(code)) return true
    for (const [word] of code.matchAll(/[A-Za-z_]\w*/g)) {
      const from = source.imported.get(word)
      const next = from === undefined ? source : sources.get(from)
      const body = next?.declared.get(word)
      if (next === undefined || body === undefined || seen.has(body)) continue
      seen.add(body)
      if (leadsTo(body, next, text, seen)) return true
    }
    return false
  }
}

function readSource(file: string): Source {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const imported = new Map<string, string>()
  for (const [, names = '', from = ''] of text.matchAll(/^import (?!type)\{([^}]+)\} from '([^']+)'/gm)) {
    const path = from.startsWith('#server/') ? from.slice(1) : from.startsWith('.') ? join(dirname(file), from) : undefined
    if (path !== undefined) for (const name of names.split(',')) imported.set(name.trim(), path)
  }
  const declared = new Map<string, string>()
  for (const piece of text.split(/^(?=(?:export )?(?:async )?(?:function\*?|const) )/m)) {
    const name = /^(?:export )?(?:async )?(?:function\*?|const) (\w+)/.exec(piece)?.[1]
    if (name !== undefined) declared.set(name, piece)
  }
  return { declared, imported, text }
}

/** The code of one handler: from its name to the next one at the same depth. */
function handlerOf(text: string, api: string, name: string): string | undefined {
  if (!new RegExp(`\\b${api}\\b`).test(text)) return undefined
  for (const part of text.split('implement(app,').slice(1)) {
    const named = /^\s*(\w+Api)\b/.exec(part)?.[1] // a part of a group goes by another name
    if (named !== undefined && named !== api) continue
    const lines = part.split('\n')
    const first = lines.findIndex((line) => new RegExp(`^    ${name}[:(,]|^    (async )?${name}\\(`).test(line))
    if (first === -1) continue
    const length = lines.slice(first + 1).findIndex((line) => /^ {0,4}\S/.test(line) && !/^ {4}[})\]]/.test(line))
    return lines.slice(first, length === -1 ? undefined : first + 1 + length).join('\n')
  }
  return undefined
}
