import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

/** What the first screens load is worth the slowest compression; for all else it would keep a start waiting for seconds. */
const FIRST =
  /^assets\/(react|start|panel|panel-frame|en|uk|en-start|uk-start|shell|chart|dashboard|staff-dashboard|affiliate-dashboard|trend-card|report)-/

/** Writes every text beside itself as .br and .gz, once and at the build, so that nothing is compressed while somebody waits. */
export function compressed(): Plugin {
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
          const params = { [constants.BROTLI_PARAM_QUALITY]: FIRST.test(name) ? 11 : 9, [constants.BROTLI_PARAM_SIZE_HINT]: text.length }
          const [br, gz] = await Promise.all([brotli(text, { params }), gzipped(text, { level: 9 })])
          await Promise.all([writeFile(join(dir, `${name}.br`), br), writeFile(join(dir, `${name}.gz`), gz)])
        }),
      )
    },
  }
}
