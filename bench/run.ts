import { readdirSync } from 'node:fs'

// `npm run bench -- <name> [arguments]` runs `bench/<name>.ts`, which exports `run(arguments)`.
const [name, ...args] = process.argv.slice(2)
const benches: string[] = []
for (const file of readdirSync(import.meta.dirname)) {
  if (!file.endsWith('.ts') || file === 'run.ts') continue
  const module: { run?: (args: string[]) => Promise<void> } = await import(`./${file}`)
  if (module.run === undefined) continue
  benches.push(file.slice(0, -'.ts'.length))
  if (name === benches.at(-1)) {
    await module.run(args)
    process.exit(0)
  }
}
console.log(`npm run bench -- <name>\n  ${benches.join('\n  ')}`)
process.exit(name === undefined ? 0 : 1)
