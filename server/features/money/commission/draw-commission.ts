import type { Content as Block, TableCell } from 'pdfmake'
import type { DocumentLanguage } from '#contract/money/document.ts'
import { printedAmount, printedDay, printedMonth, printedText } from '#server/features/money/document/print-text.ts'
import type { Look } from '#server/rules/printed.ts'
import { drawSheet, GREY, letterhead, RULED } from '#server/features/money/document/sheet.ts'
import { dayIn } from '#server/rules/zone-day.ts'
import { commissionWord } from './commission-words.ts'
import type { Content } from './month.service.ts'

type Drawn = {
  content: Content
  language: DocumentLanguage
  look: Look
  decimals: ReadonlyMap<string, number>
  sha256: string
  made: Date
}
type Say = (word: Parameters<typeof commissionWord>[0]) => string

/** Draws a month of a manager as PDF: what each account came to, by currency, and the share of it. */
export function drawCommission(drawn: Drawn): Promise<Uint8Array> {
  const { content, language, look, made, sha256 } = drawn
  const say: Say = (word) => commissionWord(word, language)
  return drawSheet({ language, title: say('title'), foot: `${content.manager.name} · ${content.month}`, look, made }, [
    letterhead({ look, language }, say('title'), [printedMonth(content.month, language)]),
    facts(drawn, say),
    ...content.sums.map((sum) => currencyOf(drawn, sum, say)),
    ...(content.changes.length === 0 ? [] : [changes(drawn, say)]),
    { text: [{ text: `${say('hash')}: `, color: GREY }, sha256], fontSize: 6.5 },
  ])
}

function facts({ content, language, made }: Drawn, say: Say): Block {
  const { manager, time_zone, basis, percent } = content
  const one = (name: string, text: string, width: number | '*'): Block => ({
    width,
    stack: [
      { text: name, color: GREY, fontSize: 7 },
      { text: printedText(text), bold: true },
    ],
  })
  const rate = language === 'uk' ? String(Number(percent)).replace('.', ',') : String(Number(percent))
  return {
    columnGap: 12,
    margin: [0, 0, 0, 18],
    columns: [
      one(say('manager'), manager.name, '*'),
      one(say('terms'), `${rate} % ${say(basis === 'profit' ? 'of_profit' : 'of_payout')}`, 130),
      one(say('zone'), time_zone.replaceAll('_', ' '), 100),
      one(say('made'), printedDay(dayIn(made.getTime(), time_zone), language), 80),
    ],
  }
}

function currencyOf(drawn: Drawn, sum: Content['sums'][number], say: Say): Block {
  const { content, language, decimals } = drawn
  const { currency } = sum
  const amount = (text: string, more: object = {}): TableCell => ({
    text: printedAmount(text, { decimals: decimals.get(currency) ?? 2, sign: '', asPrice: true }, language),
    alignment: 'right',
    noWrap: true,
    ...more,
  })
  const top = (text: string, more: object = {}): TableCell => ({ text, color: GREY, fontSize: 7, ...more })
  const right = { alignment: 'right' }
  const lines = content.lines.filter((one) => one.currency === currency)
  const label = (text: string, bold = false): TableCell[] => [{ text, bold }, { text: '' }, { text: '' }, { text: '' }]
  return {
    margin: [0, 0, 0, 18],
    stack: [
      { text: currency, bold: true, fontSize: 10, margin: [0, 0, 0, 4] },
      {
        layout: RULED,
        table: {
          headerRows: 1,
          dontBreakRows: true,
          widths: ['*', 'auto', 'auto', 'auto', 'auto'],
          body: [
            [top(say('account')), top(say('revenue'), right), top(say('payout'), right), top(say('costs'), right), top(say('base'), right)],
            ...lines.map((one) => [
              { text: printedText(`${say(one.kind)} #${one.account.id} ${one.account.name}`) },
              amount(one.revenue),
              amount(one.payout),
              amount(one.costs),
              amount(one.base),
            ]),
            [...label(say('total')), amount(sum.base)],
            [...label(say('commission'), true), amount(sum.amount, { bold: true })],
          ],
        },
      },
      ...(sum.base.startsWith('-')
        ? [{ text: say('below_zero'), color: GREY, margin: [0, 4, 0, 0] as [number, number, number, number] }]
        : []),
    ],
  }
}

function changes({ content, language }: Drawn, say: Say): Block {
  return {
    margin: [0, 0, 0, 18],
    stack: [
      { text: say('changes'), bold: true, fontSize: 10, margin: [0, 0, 0, 4] },
      ...content.changes.map(({ at, kind, account, from, to }) => ({
        text: printedText(
          `${printedDay(dayIn(Date.parse(at), content.time_zone), language)} · ${say(kind)} #${account.id} ${account.name}: ${from || say('nobody')} → ${to || say('nobody')}`,
        ),
      })),
    ],
  }
}
