import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// `npm run bench -- <name> [arguments]` runs `bench/<name>.ts`, which exports `run(arguments)`; nothing else is loaded.
const [name, ...args] = process.argv.slice(2)
const benches = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && /^export async function run\(/m.test(readFileSync(join(import.meta.dirname, file), 'utf8')))
  .map((file) => file.slice(0, -'.ts'.length))
if (name === undefined || !benches.includes(name)) {
  console.log(`npm run bench -- <name>\n  ${benches.join('\n  ')}`)
  process.exit(name === undefined ? 0 : 1)
}
const bench: { run(args: string[]): Promise<void> } = await import(`./${name}.ts`)
await bench.run(args)
process.exit(0)
