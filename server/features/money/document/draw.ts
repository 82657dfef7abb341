import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import pdfmake, { type Content, type CustomTableLayout, type TableCell } from 'pdfmake'
import { printedAmount, printedDay, printedText } from './print-text.ts'
import type { Party, Printed } from './printed.ts'
import { pageOf, said, type Word } from './words.ts'

const FONTS = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf')
const GREY = '#667085'
const LINE = '#d0d5dd'
/** A4 within margins of 48 points. */
const WIDTH = 499

pdfmake.setFonts({
  DejaVu: { normal: join(FONTS, 'DejaVuSans.ttf'), bold: join(FONTS, 'DejaVuSans-Bold.ttf') },
})
// what is drawn comes from people: no address and no other file is ever opened for it
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy((path) => path.startsWith(FONTS))

/** Draws a document as PDF: A4, in a font with €, $, ₴, zł and Cyrillic. */
export async function drawDocument(printed: Printed): Promise<Uint8Array> {
  const say = (word: Word) => said(word, printed.language)
  const { made, look } = printed
  const title = say(printed.title)
  const document = pdfmake.createPdf({
    pageSize: 'A4',
    pageMargins: [48, 48, 48, 60],
    defaultStyle: { font: 'DejaVu', fontSize: 8.5, lineHeight: 1.25 },
    info: { title: [title, printed.number].filter(Boolean).join(' '), author: look.name, creationDate: made, modDate: made },
    content: [
      head(printed, title),
      facts(printed, say),
      parties(printed, say),
      table(printed, say),
      sums(printed, say),
      ends(printed, say),
    ],
    footer: (page, pages) => ({
      margin: [48, 20, 48, 0],
      columns: [
        { text: printedText([look.name, printed.number].filter(Boolean).join(' · ')), color: GREY, fontSize: 7 },
        { text: pageOf(page, pages, printed.language), alignment: 'right', color: GREY, fontSize: 7 },
      ],
    }),
  })
  return new Uint8Array(await document.getBuffer())
}

type Say = (word: Word) => string

function head({ look, marks, credits, language }: Printed, title: string): Content {
  const say = (word: Word) => said(word, language)
  const mark =
    look.logo === null
      ? { text: printedText(look.name), bold: true, fontSize: 13 }
      : { image: look.logo, fit: [150, 44] as [number, number] }
  const below = [
    ...marks.map(say),
    ...(credits === null ? [] : [`${say('credits')} ${credits.number} ${say('of_day')} ${printedDay(credits.day, language)}`]),
  ]
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

function facts({ number, day, period, due, language }: Printed, say: Say): Content {
  const shown: [string, string][] = [
    ...(number === null ? [] : [[say('number'), number] as [string, string]]),
    [say('day'), printedDay(day, language)],
    ...(period === null
      ? []
      : [
          [
            say('period'),
            period.from === null
              ? `${say('until')} ${printedDay(period.to, language)}`
              : `${printedDay(period.from, language)} – ${printedDay(period.to, language)}`,
          ] as [string, string],
        ]),
    ...(due === null ? [] : [[say('due'), printedDay(due, language)] as [string, string]]),
  ]
  return {
    columns: shown.map(([name, text]) => ({
      width: name === say('period') ? 160 : '*',
      stack: [
        { text: name, color: GREY, fontSize: 7 },
        { text: printedText(text), bold: true },
      ],
    })),
    columnGap: 12,
    margin: [0, 0, 0, 18],
  }
}

function parties({ supplier, customer, language }: Printed, say: Say): Content {
  const one = (name: string, party: Party): Content => ({
    width: '50%',
    stack: [
      { text: name, color: GREY, fontSize: 7 },
      { text: printedText(party.name), bold: true, fontSize: 10 },
      ...[...party.address, countryName(party.country, language)].filter(Boolean).map((text) => ({ text: printedText(text) })),
      ...(party.vatId === '' ? [] : [{ text: printedText(`${say('vat_id')}: ${party.vatId}`) }]),
      ...(party.registration === '' ? [] : [{ text: printedText(`${say('registration')}: ${party.registration}`) }]),
    ],
  })
  return { columns: [one(say('supplier'), supplier), one(say('customer'), customer)], columnGap: 24, margin: [0, 0, 0, 22] }
}

const RULED: CustomTableLayout = {
  hLineWidth: (row, node) => (row === 1 || row === node.table.body.length ? 0.8 : row === 0 ? 0 : 0.4),
  vLineWidth: () => 0,
  hLineColor: (row) => (row === 1 ? GREY : LINE),
  paddingLeft: (column) => (column === 0 ? 0 : 6),
  paddingRight: (column, node) => (column === (node.table.widths?.length ?? 0) - 1 ? 0 : 6),
  paddingTop: () => 4,
  paddingBottom: () => 4,
}

function table({ groups, currency, language }: Printed, say: Say): Content {
  const right = (text: string): TableCell => ({ text, alignment: 'right', noWrap: true })
  const top = (word: Word, more: object = {}): TableCell => ({ text: say(word), color: GREY, fontSize: 7, ...more })
  const number = new Intl.NumberFormat(language === 'uk' ? 'uk' : 'en')
  return {
    layout: RULED,
    table: {
      headerRows: 1,
      dontBreakRows: true,
      widths: ['*', 'auto', 'auto', 'auto'],
      body: [
        [
          top('description'),
          top('quantity', { alignment: 'right' }),
          top('price', { alignment: 'right' }),
          { text: `${say('amount')}, ${currency.code}`, color: GREY, fontSize: 7, alignment: 'right' },
        ],
        ...groups.map(({ description, quantity, price, amount }) => [
          { text: printedText(description) },
          right(quantity === null ? '' : number.format(quantity)),
          right(price === null ? '' : printedAmount(price, { ...currency, sign: '', asPrice: true }, language)),
          right(printedAmount(amount, { ...currency, sign: '' }, language)),
        ]),
      ],
    },
  }
}

function sums({ net, vat, total, offset, toPay, title, currency, language }: Printed, say: Say): Content {
  const money = (amount: string) => printedAmount(amount, currency, language)
  const rows: [string, string, boolean?][] = [
    [say('net'), money(net)],
    ...(vat === null ? [] : [[`${say('vat')} ${printedRate(vat.rate, language)} %`, money(vat.amount)] as [string, string]]),
    [say('total'), money(total), true],
    ...(Number(offset) === 0 ? [] : [[say('offset'), `−${money(offset)}`] as [string, string]]),
    [say(title === 'credit_note' ? 'to_credit' : 'to_pay'), money(toPay), true],
  ]
  return {
    margin: [0, 14, 0, 18],
    unbreakable: true,
    columns: [
      { width: '*', text: '' },
      {
        width: 250,
        layout: {
          ...RULED,
          hLineWidth: (row, node) => (row === node.table.body.length - 1 ? 0.8 : 0),
          paddingTop: () => 2,
          paddingBottom: () => 2,
        } satisfies CustomTableLayout,
        table: {
          widths: ['*', 'auto'],
          body: rows.map(([name, amount, bold = false]) => [
            { text: name, bold },
            { text: amount, bold, alignment: 'right', noWrap: true },
          ]),
        },
      },
    ],
  }
}

function ends({ texts, note, paidTo, chain }: Printed, say: Say): Content {
  const small = (name: string, text: string): Content => ({
    text: [{ text: `${name}: `, color: GREY }, printedText(text)],
    margin: [0, 0, 0, 4],
  })
  return [
    ...texts.map((text) => ({ text: printedText(text), margin: [0, 0, 0, 6] as [number, number, number, number] })),
    ...(note === '' ? [] : [small(say('note'), note)]),
    ...(paidTo === '' ? [] : [small(say('paid_to'), paidTo)]),
    ...(chain === '' ? [] : [{ ...(small(say('chain'), chain) as object), fontSize: 6.5 } as Content]), // a text block is an object
  ]
}

function printedRate(rate: string, language: Printed['language']): string {
  const short = rate.includes('.') ? rate.replace(/\.?0+$/, '') : rate
  return language === 'uk' ? short.replace('.', ',') : short
}

function countryName(code: string, language: Printed['language']): string {
  if (code === '') return ''
  const names = (locale: string) => new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' }).of(code) ?? code
  if (language === 'both') return `${names('en')} / ${names('uk')}`
  return names(language)
}
