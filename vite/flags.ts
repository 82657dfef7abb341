import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const PACKAGE = join(import.meta.dirname, '../node_modules/country-flag-icons')

/** Puts every flag at an address that follows from its country: a table of 259 hashed addresses would weigh 8 KB. Screens read it from `virtual:flags`. */
export function flags(): Plugin {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string } // npm's own file
  let folder = '/node_modules/country-flag-icons/3x2/'
  return {
    name: 'flags',
    configResolved({ command }) {
      // whatever lies in assets is kept for ever, so another version has another address
      if (command === 'build') folder = `/assets/flags-${version}/`
    },
    resolveId: { filter: { id: /^virtual:flags$/ }, handler: () => '\0virtual:flags' },
    load: {
      filter: { id: /^\0virtual:flags$/ },
      handler() {
        const files = readdirSync(join(PACKAGE, '3x2')).filter((file) => file.endsWith('.svg'))
        if (folder.startsWith('/assets/'))
          for (const file of files)
            this.emitFile({ type: 'asset', fileName: `${folder.slice(1)}${file}`, source: readFileSync(join(PACKAGE, '3x2', file)) })
        const codes = files.map((file) => file.slice(0, -'.svg'.length)).join(' ')
        return `export const folder = ${JSON.stringify(folder)}\nexport const codes = ${JSON.stringify(codes)}`
      },
    },
  }
}
