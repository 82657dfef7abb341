import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const ROOT = join(import.meta.dirname, '..')
const ALL = /^@mantine\/core\/styles\.layer\.css$/

/**
 * Builds only the styles of those Mantine components that are used, each into the file of its component. All of them stand
 * in the layer `mantine`, so that the own styles win in whatever order the files come.
 */
export function usedMantineStyles(): Plugin {
  const base = ['baseline', 'global'].map((name) => `@import '@mantine/core/styles/${name}.layer.css';`).join('\n')
  return {
    name: 'used-mantine-styles',
    apply: 'build',
    enforce: 'pre',
    resolveId: { filter: { id: ALL }, handler: () => join(ROOT, 'web/mantine-base.css') },
    load: { filter: { id: /web\/mantine-base\.css$/ }, handler: () => base },
    transform: {
      // the layout of switches, radios and checkboxes stands outside of the components
      filter: { id: /@mantine\/core\/esm\/.*\.module\.mjs$/ },
      handler(code, id) {
        const name = /(\w+)\.module\.mjs$/.exec(id)?.[1]
        if (!existsSync(join(ROOT, `node_modules/@mantine/core/styles/${name}.layer.css`)))
          this.error(`Mantine has no style sheet for ${id}`)
        return { code: `import '@mantine/core/styles/${name}.layer.css'\n${code}`, map: null, moduleSideEffects: true }
      },
    },
  }
}
