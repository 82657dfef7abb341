import type { Content, CustomTableLayout, TableCell } from 'pdfmake'
import { printedAmount, printedDay, printedText } from './print-text.ts'
import type { Party, Printed } from '#server/rules/printed.ts'
import { drawSheet, GREY, letterhead, RULED } from './sheet.ts'
import { said, type Word } from './words.ts'

/** Draws a document as PDF. */
export function drawDocument(printed: Printed): Promise<Uint8Array> {
  const say = (word: Word) => said(word, printed.language)
  const { made, look, language, number } = printed
  const title = say(printed.title)
  return drawSheet({ language, title, foot: number ?? '', look, made }, [
    letterhead(printed, title, below(printed, say)),
    facts(printed, say),
    parties(printed, say),
    table(printed, say),
    sums(printed, say),
    ends(printed, say),
  ])
}

type Say = (word: Word) => string

function below({ title, marks, credits, official = '', language }: Printed, say: Say): string[] {
  return [
    ...marks.map(say),
    ...(official === '' ? [] : [printedText(`${say('official')}: ${official}`)]),
    ...(credits === null
      ? []
      : [
          `${say(title === 'correction_note' ? 'corrects' : 'credits')} ${credits.number} ${say('of_day')} ${printedDay(credits.day, language)}`,
        ]),
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
              : period.from === period.to
                ? printedDay(period.to, language)
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

function sums({ net, vat, national = null, total, offset, toPay, title, currency, language }: Printed, say: Say): Content {
  const money = (amount: string) => printedAmount(amount, currency, language)
  const rows: [string, string, boolean?][] = [
    [say('net'), money(net)],
    ...(vat === null ? [] : [[`${say('vat')} ${printedRate(vat.rate, language)} %`, money(vat.amount)] as [string, string]]),
    [say('total'), money(total), true],
    ...(Number(offset) === 0 ? [] : [[say('offset'), `−${money(offset)}`] as [string, string]]),
    [say(title === 'credit_note' ? 'to_credit' : 'to_pay'), money(toPay), true],
  ]
  const below: Content[] =
    national === null
      ? []
      : [
          {
            fontSize: 7.5,
            color: GREY,
            alignment: 'right',
            margin: [0, 6, 0, 0],
            text: `${say('vat_in')} ${national.currency.code}: ${printedAmount(national.amount, national.currency, language)}. ${say('rate_of')} ${printedDay(national.day, language)}: 1 ${currency.code} = ${printedAmount(national.rate, { decimals: 4, sign: '', asPrice: true }, language)} ${national.currency.code}`,
          },
        ]
  return {
    margin: [0, 14, 0, 18],
    unbreakable: true,
    columns: [
      { width: '*', text: '' },
      {
        width: 250,
        stack: [
          {
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
          ...below,
        ],
      },
    ],
  }
}

function ends({ texts, note, paidTo, payTo = '', chain }: Printed, say: Say): Content {
  const small = (name: string, text: string): Content => ({
    text: [{ text: `${name}: `, color: GREY }, printedText(text)],
    margin: [0, 0, 0, 4],
  })
  return [
    ...texts.map((text) => ({ text: printedText(text), margin: [0, 0, 0, 6] as [number, number, number, number] })),
    ...(note === '' ? [] : [small(say('note'), note)]),
    ...(paidTo === '' ? [] : [small(say('paid_to'), paidTo)]),
    ...(payTo === ''
      ? []
      : [
          {
            unbreakable: true,
            stack: [{ text: say('pay_to'), color: GREY, fontSize: 7 }, { text: printedText(payTo) }],
            margin: [0, 6, 0, 6] as [number, number, number, number],
          },
        ]),
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
