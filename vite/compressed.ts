import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

/** What the dashboard asks for once it runs, so that the page does not name it. */
const CHARTS = /^assets\/chart-canvas-/

/**
 * Writes every text beside itself as .br and .gz, once and at the build, so that nothing is compressed while somebody waits.
 * What the page names (vite/early-files.ts adds the first screens) and the charts are worth the slowest compression; for all
 * else it would keep a start waiting for ten seconds more.
 */
export function compressed(): Plugin {
  const brotli = promisify(brotliCompress)
  const gzipped = promisify(gzip)
  return {
    name: 'compressed',
    apply: 'build',
    // from the folder: Vite still changes the code after the last generateBundle of a plugin
    async writeBundle({ dir = '' }, bundle) {
      const page = await readFile(join(dir, 'index.html'), 'utf8')
      await Promise.all(
        Object.keys(bundle).map(async (name) => {
          if (!/\.(js|css|svg|html)$/.test(name)) return
          const text = await readFile(join(dir, name))
          if (text.length < 1024) return
          const params = {
            [constants.BROTLI_PARAM_QUALITY]: page.includes(name) || CHARTS.test(name) ? 11 : 9,
            [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
          }
          const [br, gz] = await Promise.all([brotli(text, { params }), gzipped(text, { level: 9 })])
          await Promise.all([writeFile(join(dir, `${name}.br`), br), writeFile(join(dir, `${name}.gz`), gz)])
        }),
      )
    },
  }
}
