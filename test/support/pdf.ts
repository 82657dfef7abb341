import { getDocument, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** So far apart, in points, words stand in cells of their own, and on lines of their own. */
const CELL = 6
const LINE = 1.5

/** The text of a PDF, page by page, read by another program than the one that wrote it: runs of spaces are one. */
export async function textOfPdf(bytes: Uint8Array): Promise<string[]> {
  return eachPage(bytes, async (page) => {
    const { items } = await page.getTextContent()
    return items
      .map((item) => ('str' in item ? item.str : ''))
      .join(' ')
      .replace(/\s+/g, ' ')
  })
}

/** Its lines from top to bottom, and of each its cells from left to right: a label and its amount are two cells of a line. */
export async function linesOfPdf(bytes: Uint8Array): Promise<string[][]> {
  return (await eachPage(bytes, linesOf)).flat()
}

async function linesOf(page: PDFPageProxy): Promise<string[][]> {
  const words = (await page.getTextContent()).items.flatMap((item) => {
    if (!('str' in item) || item.str.trim() === '') return []
    const [x = 0, y = 0] = (item.transform as number[]).slice(4)
    return [{ text: item.str, x, y, end: x + item.width }]
  })
  const lines: (typeof words)[] = []
  for (const word of words.toSorted((one, other) => other.y - one.y)) {
    const last = lines.at(-1)
    if (last !== undefined && last[0]!.y - word.y < LINE) last.push(word)
    else lines.push([word])
  }
  return lines.map((line) => {
    const cells: { text: string; end: number }[] = []
    for (const { text, x, end } of line.toSorted((one, other) => one.x - other.x)) {
      const last = cells.at(-1)
      if (last === undefined || x - last.end > CELL) cells.push({ text, end })
      else Object.assign(last, { text: `${last.text}${x - last.end > 1 ? ' ' : ''}${text}`, end })
    }
    return cells.map(({ text }) => text.replace(/\s+/g, ' ').trim())
  })
}

async function eachPage<Read>(bytes: Uint8Array, read: (page: PDFPageProxy) => Promise<Read>): Promise<Read[]> {
  const loading = getDocument({ data: bytes.slice(), useSystemFonts: false, verbosity: 0 })
  const document = await loading.promise
  const pages: Read[] = []
  for (let number = 1; number <= document.numPages; number++) pages.push(await read(await document.getPage(number)))
  await loading.destroy()
  return pages
}
