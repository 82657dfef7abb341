import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'

const ROOT = join(import.meta.dirname, '..')
const INTER = join(ROOT, 'node_modules/@fontsource-variable/inter')
const CACHE = join(ROOT, 'node_modules/.cache/ohma')

type Face = { name: string; from: string; letters: string }

/** The letters a page fetches together, the most usual last: the browser takes the last face that has a letter. */
const FACES: readonly Face[] = [
  { name: 'central-european', from: 'latin-ext', letters: 'U+0100-017F, U+0218-021B, U+20A0-20C0' },
  { name: 'hryvnia', from: 'cyrillic-ext', letters: 'U+20B4' },
  {
    name: 'cyrillic',
    from: 'cyrillic',
    letters: 'U+0401, U+0404, U+0406-0407, U+0410-044F, U+0451, U+0454, U+0456-0457, U+0490-0491, U+2116',
  },
  { name: 'western-european', from: 'latin', letters: 'U+00A0-00FF, U+0131, U+0152-0153' },
  {
    name: 'latin',
    from: 'latin',
    letters:
      'U+0020-007E, U+00A0, U+00A3, U+00A7, U+00A9, U+00AB, U+00AE, U+00B0-00B1, U+00B7, U+00BB, U+00D7, U+00F7, U+2010-2015, U+2018-201E, U+2022, U+2026, U+202F, U+2039-203A, U+20AC, U+2122, U+2191, U+2193, U+2212',
  },
]

/** What the type uses beyond plain letters: theme.css, the look of letters beside each other, and languages. */
const FEATURES = ['tnum', 'cv05', 'cv11', 'ss03', 'kern', 'ccmp', 'locl', 'mark', 'mkmk']
/** The boldest and the lightest the screens use. */
const WEIGHTS = { wght: { min: 400, max: 700 } }

/** Puts small files with the letters and weights that screens use before the whole ones of Inter, which remain for all other letters. */
export function usedLetters(): Plugin {
  return {
    name: 'used-letters',
    apply: 'build',
    enforce: 'pre',
    resolveId: { filter: { id: /^@fontsource-variable\/inter\/wght\.css$/ }, handler: madeFaces },
  }
}

/** The style sheet of the faces, made once for each choice of letters. */
async function madeFaces(): Promise<string> {
  const whole = (await readFile(join(INTER, 'wght.css'), 'utf8')).replaceAll('./files/', `${INTER}/files/`)
  const key = createHash('sha256')
    .update(JSON.stringify([whole, FACES, FEATURES, WEIGHTS]))
    .digest('hex')
    .slice(0, 12)
  const folder = join(CACHE, `inter-${key}`)
  const sheet = join(folder, 'wght.css')
  if (existsSync(sheet)) return sheet
  await mkdir(CACHE, { recursive: true })
  const half = await mkdtemp(join(CACHE, 'inter-part-'))
  const faces: string[] = []
  // one after the other: each needs 100 MB
  for (const face of FACES) faces.push(await writeFace(half, face))
  await writeFile(join(half, 'wght.css'), [whole, ...faces].join('\n'))
  try {
    await rename(half, folder)
  } catch (error) {
    await rm(half, { recursive: true, force: true })
    if (!existsSync(sheet)) throw error // otherwise another build was faster
  }
  return sheet
}

async function writeFace(folder: string, { name, from, letters }: Face): Promise<string> {
  const font = await readFile(join(INTER, `files/inter-${from}-wght-normal.woff2`))
  const options = { targetFormat: 'woff2' as const, variationAxes: WEIGHTS, keepFeatures: FEATURES, noHinting: true }
  const file = `inter-${name}.woff2`
  await writeFile(join(folder, file), await subsetFont(font, lettersOf(letters), options))
  return `@font-face { font-family: 'Inter Variable'; font-style: normal; font-display: swap; font-weight: 100 900; src: url(./${file}) format('woff2-variations'); unicode-range: ${letters}; }`
}

function lettersOf(ranges: string): string {
  return ranges
    .split(', ')
    .map((range) => {
      const [first = 0, last = first] = range
        .slice(2)
        .split('-')
        .map((hex) => Number.parseInt(hex, 16))
      return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)).join('')
    })
    .join('')
}
