import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { minify, type Plugin } from 'vite'

/** Makes `web/public/start.js` small, which is copied as it is: it stands before everything, at sign-in too. */
export function smallStart(): Plugin {
  return {
    name: 'small-start',
    apply: 'build',
    // public files are in the folder by then
    async writeBundle({ dir = '' }) {
      const file = join(dir, 'start.js')
      const { code, errors } = await minify(file, await readFile(file, 'utf8'))
      if (errors.length > 0) throw new Error(`start.js cannot be made small: ${errors[0]?.message}`)
      await writeFile(file, code)
    },
  }
}
