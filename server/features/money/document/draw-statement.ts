import type { Content, TableCell } from 'pdfmake'
import type { DocumentLanguage } from '#contract/money/document.ts'
import { dayIn } from '#server/rules/zone-day.ts'
import { printedAmount, printedDay, printedText } from './print-text.ts'
import type { Look } from '#server/rules/printed.ts'
import { drawSheet, GREY, letterhead, RULED } from './sheet.ts'
import { accountName, eventName, statementWord } from './statement-words.ts'
import { said } from './words.ts'

/** All that a statement says; amounts are decimal texts. */
export type PrintedStatement = {
  language: DocumentLanguage
  look: Look
  affiliate: string
  /** YYYY-MM. */
  month: string
  zone: string
  accounts: readonly {
    currency: string
    account: string
    opening: string
    events: readonly { event: string; entries: number; amount: string }[]
    closing: string
  }[]
  invoices: readonly { number: string; day: string; currency: string; total: string; due_day: string | null }[]
  payments: readonly { day: string; currency: string; amount: string; invoice: string | null; external_id: string }[]
  chain: { seq: number; hash: string } | null
  /** Of the JSON it is drawn from, and of the month before. */
  sha256: string
  previous: string | null
  /** Decimals of each currency; amounts that have more are printed with all of theirs. */
  decimals: ReadonlyMap<string, number>
  made: Date
}

/** Draws a month of an affiliate's money as PDF. */
export function drawStatement(printed: PrintedStatement): Promise<Uint8Array> {
  const { language, look, month, made, affiliate } = printed
  const say = (word: Parameters<typeof statementWord>[0]) => statementWord(word, language)
  const title = say('title')
  return drawSheet({ language, title, foot: `${affiliate} · ${month}`, look, made }, [
    letterhead(printed, title, [monthName(month, language)]),
    facts(printed, say),
    printed.accounts.length === 0 ? { text: say('nothing'), margin: [0, 0, 0, 14] } : balances(printed, say),
    ...(printed.invoices.length === 0 ? [] : [invoices(printed, say)]),
    ...(printed.payments.length === 0 ? [] : [payments(printed, say)]),
    proofs(printed, say),
  ])
}

type Say = (word: Parameters<typeof statementWord>[0]) => string
type Drawn = PrintedStatement

function facts({ affiliate, month, zone, made, language }: Drawn, say: Say): Content {
  const one = (name: string, text: string, width: number | '*'): Content => ({
    width,
    stack: [
      { text: name, color: GREY, fontSize: 7 },
      { text: printedText(text), bold: true },
    ],
  })
  return {
    columnGap: 12,
    margin: [0, 0, 0, 18],
    columns: [
      one(say('affiliate'), affiliate, '*'),
      one(say('month'), monthName(month, language), 130),
      one(say('zone'), zone.replaceAll('_', ' '), 110),
      one(say('made'), printedDay(dayIn(made.getTime(), zone), language), 80),
    ],
  }
}

function balances({ accounts, decimals, language }: Drawn, say: Say): Content {
  const rows = accounts.flatMap(({ currency, account, opening, events, closing }): TableCell[][] => {
    const amount = (text: string, more: object = {}): TableCell => right(sum(text, currency, decimals, language), more)
    return [
      [{ text: `${accountName(account, language)}, ${currency}`, bold: true }, right(''), right('')],
      [soft(say('opening')), right(''), amount(opening)],
      ...events.map((one): TableCell[] => [
        { text: eventName(one.event, language) },
        right(new Intl.NumberFormat(language === 'uk' ? 'uk' : 'en').format(one.entries)),
        amount(one.amount),
      ]),
      [soft(say('closing')), right(''), amount(closing, { bold: true })],
    ]
  })
  return section(
    say('balances'),
    [[top(''), top(say('entries'), { alignment: 'right' }), top(say('amount'), { alignment: 'right' })], ...rows],
    ['*', 'auto', 'auto'],
  )
}

function invoices({ invoices: list, decimals, language }: Drawn, say: Say): Content {
  return section(
    say('invoices'),
    [
      [top(say('number')), top(say('day')), top(say('due')), top(say('total'), { alignment: 'right' })],
      ...list.map((one) => [
        { text: printedText(one.number) },
        { text: printedDay(one.day, language), noWrap: true },
        { text: one.due_day === null ? '' : printedDay(one.due_day, language), noWrap: true },
        right(`${sum(one.total, one.currency, decimals, language)} ${one.currency}`),
      ]),
    ],
    ['*', 'auto', 'auto', 'auto'],
  )
}

function payments({ payments: list, decimals, language }: Drawn, say: Say): Content {
  return section(
    say('payments'),
    [
      [top(say('day')), top(said('invoice', language)), top(say('external_id')), top(say('amount'), { alignment: 'right' })],
      ...list.map((one) => [
        { text: printedDay(one.day, language), noWrap: true },
        { text: printedText(one.invoice ?? '') },
        { text: printedText(one.external_id) },
        right(`${sum(one.amount, one.currency, decimals, language)} ${one.currency}`),
      ]),
    ],
    ['auto', '*', '*', 'auto'],
  )
}

function proofs({ chain, sha256, previous, language }: Drawn, say: Say): Content {
  const small = (name: string, text: string): Content => ({
    text: [{ text: `${name}: `, color: GREY }, printedText(text)],
    fontSize: 6.5,
    margin: [0, 0, 0, 4],
  })
  return {
    unbreakable: true,
    stack: [
      small(say('hash'), sha256),
      ...(previous === null ? [] : [small(say('previous'), previous)]),
      ...(chain === null ? [] : [small(said('chain', language), `${chain.seq} · ${chain.hash}`)]),
    ],
  }
}

function section(title: string, body: TableCell[][], widths: ('*' | 'auto')[]): Content {
  return {
    margin: [0, 0, 0, 18],
    stack: [
      { text: title, bold: true, fontSize: 10, margin: [0, 0, 0, 4] },
      { layout: RULED, table: { headerRows: 1, dontBreakRows: true, widths, body } },
    ],
  }
}

const top = (text: string, more: object = {}): TableCell => ({ text, color: GREY, fontSize: 7, ...more })
const soft = (text: string): TableCell => ({ text, color: GREY })
const right = (text: string, more: object = {}): TableCell => ({ text, alignment: 'right', noWrap: true, ...more })

/** What accrues may have more decimals than its currency: it is printed to the last one. */
function sum(amount: string, currency: string, decimals: ReadonlyMap<string, number>, language: DocumentLanguage): string {
  return printedAmount(amount, { decimals: decimals.get(currency) ?? 2, sign: '', asPrice: true }, language)
}

/** A month in words. */
function monthName(month: string, language: DocumentLanguage): string {
  const at = new Date(`${month}-01T00:00:00Z`)
  const named = (locale: string) => new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(at)
  return language === 'both' ? `${named('en')} / ${named('uk')}` : named(language)
}
