import type { Content, TableCell } from 'pdfmake'
import type { Party, Printed } from '#server/rules/printed.ts'
import { printedAmount, printedDay, printedText } from './print-text.ts'
import { drawSheet, GREY, letterhead, RULED } from './sheet.ts'

type Signatory = { post: string; name: string }
type Signed = { place: string; supplier: Signatory; customer: Signatory }

const TITLE = 'Акт наданих послуг'

/**
 * Draws the act of services that both sides sign (law 996-XIV, art. 9): name, day and place, both parties and whoever signs for them with
 * posts, what was done, of what amount, and room for the signatures. It is a Ukrainian document whatever others are written in.
 */
export function drawAct(printed: Printed, signed: Signed): Promise<Uint8Array> {
  const { number, look, made, day } = printed
  const below = [`№ ${number ?? ''}`, [signed.place, printedDay(day, 'uk')].filter(Boolean).join(', ')]
  return drawSheet({ language: 'uk', title: TITLE, foot: number ?? '', look, made }, [
    letterhead({ look, language: 'uk' }, TITLE, below),
    opening(printed, signed),
    services(printed),
    closing(printed),
    signatures(printed, signed),
  ])
}

function opening({ supplier, customer, period }: Printed, signed: Signed): Content {
  const side = (party: Party, { post, name }: Signatory, called: string) =>
    `${printedText(party.name)}${name === '' ? '' : `, від імені якого діє ${printedText([post, name].filter(Boolean).join(' '))}`} (далі – ${called})`
  const when =
    period === null
      ? ''
      : ` ${period.from === null ? `до ${printedDay(period.to, 'uk')}` : `за період ${printedDay(period.from, 'uk')} – ${printedDay(period.to, 'uk')}`}`
  return {
    margin: [0, 0, 0, 14],
    text: `${side(supplier, signed.supplier, 'Виконавець')} та ${side(customer, signed.customer, 'Замовник')} склали цей акт про те, що Виконавець надав, а Замовник прийняв такі послуги${when}:`,
  }
}

function services({ groups, currency }: Printed): Content {
  const right = (text: string): TableCell => ({ text, alignment: 'right', noWrap: true })
  const top = (text: string, more: object = {}): TableCell => ({ text, color: GREY, fontSize: 7, ...more })
  return {
    layout: RULED,
    table: {
      headerRows: 1,
      dontBreakRows: true,
      widths: ['auto', '*', 'auto', 'auto', 'auto', 'auto'],
      body: [
        [
          top('№'),
          top('Послуга'),
          top('Одиниця'),
          top('Кількість', { alignment: 'right' }),
          top('Ціна', { alignment: 'right' }),
          top(`Сума, ${currency.code}`, { alignment: 'right' }),
        ],
        ...groups.map(({ description, quantity, price, amount }, at) => [
          { text: String(at + 1) },
          { text: printedText(description) },
          { text: 'послуга' },
          right(quantity === null ? '1' : new Intl.NumberFormat('uk').format(quantity)),
          right(price === null ? '' : printedAmount(price, { ...currency, sign: '', asPrice: true }, 'uk')),
          right(printedAmount(amount, { ...currency, sign: '' }, 'uk')),
        ]),
      ],
    },
  }
}

function closing({ net, vat, total, currency }: Printed): Content {
  const money = (amount: string) => printedAmount(amount, currency, 'uk')
  const rows: [string, string][] =
    vat === null
      ? [['Разом, без ПДВ', money(net)]]
      : [
          ['Разом без ПДВ', money(net)],
          [`ПДВ ${String(Number(vat.rate)).replace('.', ',')} %`, money(vat.amount)],
        ]
  return {
    margin: [0, 12, 0, 18],
    stack: [
      {
        alignment: 'right',
        stack: rows.map(([name, amount]) => ({ text: `${name}: ${amount}` })),
      },
      { text: `Загальна вартість послуг: ${money(total)}`, bold: true, alignment: 'right', margin: [0, 2, 0, 10] },
      { text: 'Послуги надано повністю й у строк. Сторони не мають претензій одна до одної щодо їхнього обсягу, якості та вартості.' },
    ],
  }
}

/** Row by row, so that the lines stand beside each other however much is said of a party. */
function signatures({ supplier, customer }: Printed, signed: Signed): Content {
  const row = (left: Content[], right: Content[]): Content => ({
    columnGap: 24,
    columns: [
      { width: '50%', stack: left },
      { width: '50%', stack: right },
    ],
  })
  const who = (called: string, party: Party): Content[] => [
    { text: called, color: GREY, fontSize: 7 },
    { text: printedText(party.name), bold: true },
    ...party.address.map((text) => ({ text: printedText(text) })),
    ...(party.registration === '' ? [] : [{ text: printedText(`Код: ${party.registration}`) }]),
    ...(party.vatId === '' ? [] : [{ text: printedText(`Податковий номер ПДВ: ${party.vatId}`) }]),
  ]
  const post = ({ post: text }: Signatory): Content[] => [
    { text: printedText(text) || 'Посада: _________________________', margin: [0, 14, 0, 0] },
  ]
  const line = ({ name }: Signatory): Content[] => [
    { canvas: [{ type: 'line', x1: 0, y1: 0, x2: 200, y2: 0, lineWidth: 0.6, lineColor: GREY }], margin: [0, 30, 0, 2] },
    { text: printedText(name) || '(прізвище, ім’я)', fontSize: 7.5 },
    { text: 'підпис', color: GREY, fontSize: 7 },
  ]
  return {
    unbreakable: true,
    stack: [
      row(who('Від Виконавця', supplier), who('Від Замовника', customer)),
      row(post(signed.supplier), post(signed.customer)),
      row(line(signed.supplier), line(signed.customer)),
    ],
  }
}
