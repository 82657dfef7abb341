import type { Plugin, Rolldown } from 'vite'

/** Lets no file of the build wait for one that waits for it: what one takes from the other would not be there yet when it runs. */
export function noCircles(): Plugin {
  return {
    name: 'no-circles',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file): file is Rolldown.OutputChunk => file.type === 'chunk')
      const circle = circleOf(new Map(chunks.map(({ fileName, imports }) => [fileName, imports])))
      if (circle !== null)
        this.error(`files that wait for each other: ${circle.join(' → ')}; a group of vite.config.ts needs what both share`)
    },
  }
}

/** A way along imports that ends where it began, or null. */
function circleOf(imports: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>()
  const way: string[] = []
  const walk = (file: string): string[] | null => {
    const at = way.indexOf(file)
    if (at >= 0) return [...way.slice(at), file]
    if (done.has(file)) return null
    way.push(file)
    for (const next of imports.get(file) ?? []) {
      const circle = walk(next)
      if (circle !== null) return circle
    }
    way.pop()
    done.add(file)
    return null
  }
  for (const file of imports.keys()) {
    const circle = walk(file)
    if (circle !== null) return circle
  }
  return null
}
