import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const here = createRequire(import.meta.url)
const FOLDER = join(dirname(here.resolve('dejavu-fonts-ttf/package.json')), 'ttf')

/** Where the files of the font are: one with €, $, ₴, zł and Cyrillic. */
export const DEJAVU = { normal: join(FOLDER, 'DejaVuSans.ttf'), bold: join(FOLDER, 'DejaVuSans-Bold.ttf') }

type Fontkit = { create(bytes: Uint8Array, ...more: unknown[]): object }

/**
 * Each document would understand the tables of its fonts anew, which is more than half of what drawing it costs. Tables that were read
 * are never changed, so all documents share them; glyphs know for which letter they were asked, so each document has its own. pdfmake
 * has no word for that: what reads fonts for it is told before pdfmake is loaded, and whoever imports this does so first.
 */
function shareTables(): void {
  const drawer = createRequire(createRequire(here.resolve('pdfmake')).resolve('pdfkit'))
  const fontkit = drawer('fontkit') as Fontkit // its own exports
  const shared = Object.values(DEJAVU).map((file) => {
    const bytes = readFileSync(file)
    return { bytes, font: fontkit.create(bytes) }
  })
  const create: Fontkit['create'] = (bytes, ...more) => {
    const known = shared.find((one) => one.bytes.equals(bytes))
    return known === undefined ? fontkit.create(bytes, ...more) : Object.create(known.font, { _glyphs: { value: {} } })
  }
  const loaded = drawer.cache[drawer.resolve('fontkit')]
  if (loaded !== undefined) loaded.exports = Object.create(fontkit, { create: { value: create } })
}
shareTables()
