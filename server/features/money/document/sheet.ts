import type { Content, CustomTableLayout } from 'pdfmake'
import type { DocumentLanguage } from '#contract/money/document.ts'
import { printedText } from './print-text.ts'
import type { Look } from '#server/rules/printed.ts'
import { pageOf } from './words.ts'

export const GREY = '#667085'
const LINE = '#d0d5dd'
/** A4 within margins of 48 points. */
const WIDTH = 499

let drawer: ReturnType<typeof openDrawer> | undefined

/** What draws is loaded for the first document: each process that starts would spend a sixth of a second and 40 MB on it. */
async function openDrawer() {
  // first: see there
  const { DEJAVU } = await import('./fonts.ts')
  const { default: pdfmake } = await import('pdfmake')
  pdfmake.setFonts({ DejaVu: DEJAVU })
  // what is drawn comes from people: no address and no other file is ever opened for it
  pdfmake.setUrlAccessPolicy(() => false)
  pdfmake.setLocalAccessPolicy((path) => Object.values(DEJAVU).includes(path))
  return pdfmake
}

type Sheet = {
  language: DocumentLanguage
  title: string
  /** What stands at the foot of each page beside the network's name; '' = nothing. */
  foot: string
  look: Look
  made: Date
}

/** Draws what a document says as PDF: A4, in a font with €, $, ₴, zł and Cyrillic, each page counted. */
export async function drawSheet({ language, title, foot, look, made }: Sheet, content: Content[]): Promise<Uint8Array> {
  drawer ??= openDrawer()
  const document = (await drawer).createPdf({
    pageSize: 'A4',
    pageMargins: [48, 48, 48, 60],
    defaultStyle: { font: 'DejaVu', fontSize: 8.5, lineHeight: 1.25 },
    info: { title: [title, foot].filter(Boolean).join(' '), author: look.name, creationDate: made, modDate: made },
    content,
    footer: (page, pages) => ({
      margin: [48, 20, 48, 0],
      columns: [
        { text: printedText([look.name, foot].filter(Boolean).join(' · ')), color: GREY, fontSize: 7 },
        { text: pageOf(page, pages, language), alignment: 'right', color: GREY, fontSize: 7 },
      ],
    }),
  })
  return new Uint8Array(await document.getBuffer())
}

/** The head of a document: the network's mark, the title, and what stands below it. */
export function letterhead({ look, language }: Pick<Sheet, 'look' | 'language'>, title: string, below: readonly string[]): Content {
  const mark =
    look.logo === null
      ? { text: printedText(look.name), bold: true, fontSize: 13 }
      : { image: look.logo, fit: [150, 44] as [number, number] }
  return [
    {
      columns: [
        { width: '40%', stack: [mark] },
        {
          width: '60%',
          stack: [
            { text: title, bold: true, fontSize: language === 'both' ? 13 : 16, alignment: 'right' as const, lineHeight: 1.1 },
            ...below.map((text) => ({ text: printedText(text), alignment: 'right' as const, color: GREY })),
          ],
        },
      ],
    },
    { canvas: [{ type: 'line', x1: 0, y1: 0, x2: WIDTH, y2: 0, lineWidth: 2, lineColor: look.colour }], margin: [0, 12, 0, 14] },
  ]
}

/** A table with a rule below its head and thin ones between its rows. */
export const RULED: CustomTableLayout = {
  hLineWidth: (row, node) => (row === 1 || row === node.table.body.length ? 0.8 : row === 0 ? 0 : 0.4),
  vLineWidth: () => 0,
  hLineColor: (row) => (row === 1 ? GREY : LINE),
  paddingLeft: (column) => (column === 0 ? 0 : 6),
  paddingRight: (column, node) => (column === (node.table.widths?.length ?? 0) - 1 ? 0 : 6),
  paddingTop: () => 4,
  paddingBottom: () => 4,
}
