import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const api = `http://127.0.0.1:${process.env['PORT'] ?? 3000}`

/** Tables and their filters: what lists need and the dashboard does not. */
const LISTS = /\/web\/kit\/(list|table|view)\/|node_modules\/@tanstack\/(react-)?(table|virtual|store)/
/** Fields beyond plain text, and what saves them. */
const FORMS =
  /\/web\/kit\/(form|fields)\/|node_modules\/(@mantine\/(dates|form)|dayjs)\/|@mantine\/core\/.*\/(\w*Select|TagsInput|Color\w+|NumberInput|Checkbox|Radio|Switch|Combobox|Pill\w*|Textarea|Tabs)\/(?!CheckIcon|RadioIcon)/
/** What stands around every screen. */
const PANEL =
  /\/web\/(kit\/(page|feedback|show|chart)|shell)\/|\/web\/(kit\/)?[a-z-]+\.ts$|node_modules\/(@mantine\/(core|hooks|modals)|@floating-ui|@tabler|react-remove-scroll)/

/** Builds the web app to `dist/web`, which the api process serves; `npm run dev` serves it from the sources. */
export default defineConfig({
  plugins: [react(), usedMantineStyles(), compressed()],
  publicDir: 'web/public',
  server: { host: '127.0.0.1', proxy: { '/api': api } },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2023',
    // the CSP allows fonts from the own origin only, not from data addresses
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // the icon package names 6,000 files in one; only those in use are read
      experimental: { lazyBarrel: true },
      output: {
        codeSplitting: {
          // What every page needs is fetched at once in two files; the rest in one file for each purpose.
          includeDependenciesRecursively: false,
          groups: [
            { name: 'react', tags: ['$initial'], test: /node_modules\/(react|react-dom|scheduler|react-router)\//, priority: 2 },
            // main.tsx waits for chunks that import this one, so it stays outside
            { name: 'start', tags: ['$initial'], test: /^(?!.*(\/web\/main\.tsx|index\.html))/, priority: 1 },
            { name: 'list', test: LISTS, minShareCount: 2 },
            { name: 'form', test: FORMS, minShareCount: 2 },
            { name: 'panel', test: PANEL, minShareCount: 2 },
            { name: (id) => /\/contract\/(\w+)\//.exec(id)?.[1] ?? null, minShareCount: 2 },
          ],
        },
      },
    },
  },
})

/**
 * Builds only the styles of those Mantine components that are used, each into the file of its component. All of them stand
 * in the layer `mantine`, so that the own styles win in whatever order the files come.
 */
function usedMantineStyles(): Plugin {
  const all = '@mantine/core/styles.layer.css'
  const base = ['baseline', 'default-css-variables', 'global'].map((name) => `@import '@mantine/core/styles/${name}.layer.css';`).join('\n')
  return {
    name: 'used-mantine-styles',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id) => (id === all ? join(import.meta.dirname, 'web/mantine-base.css') : undefined),
    load: (id) => (id.endsWith('web/mantine-base.css') ? base : undefined),
    transform(code, id) {
      const name = /@mantine\/core\/esm\/components\/.*\/(\w+)\.module\.mjs$/.exec(id)?.[1]
      if (name === undefined) return
      const style = join(import.meta.dirname, `node_modules/@mantine/core/styles/${name}.layer.css`)
      if (!existsSync(style)) this.error(`Mantine has no style sheet for ${name}`)
      return { code: `import '@mantine/core/styles/${name}.layer.css'\n${code}`, map: null, moduleSideEffects: true }
    },
  }
}

/** Writes every text beside itself as .br and .gz, once and as small as can be, so that nothing is compressed while somebody waits. */
function compressed(): Plugin {
  const brotli = promisify(brotliCompress)
  const gzipped = promisify(gzip)
  return {
    name: 'compressed',
    apply: 'build',
    // from the folder: Vite still changes the code after the last generateBundle of a plugin
    async writeBundle({ dir = '' }, bundle) {
      await Promise.all(
        Object.keys(bundle).map(async (name) => {
          if (!/\.(js|css|svg|html)$/.test(name)) return
          const text = await readFile(join(dir, name))
          if (text.length < 1024) return
          const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: text.length }
          const [br, gz] = await Promise.all([brotli(text, { params }), gzipped(text, { level: 9 })])
          await Promise.all([writeFile(join(dir, `${name}.br`), br), writeFile(join(dir, `${name}.gz`), gz)])
        }),
      )
    },
  }
}
