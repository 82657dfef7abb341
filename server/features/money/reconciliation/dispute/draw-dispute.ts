import type { Content, TableCell } from 'pdfmake'
import type { DocumentLanguage } from '#contract/money/document.ts'
import { fromUnits, toUnits } from '#contract/money/amount.ts'
import type { ReconciliationCause } from '#contract/money/reconciliation-cause.ts'
import { printedAmount, printedDay, printedText } from '#server/features/money/document/print-text.ts'
import type { Look } from '#server/rules/printed.ts'
import { drawSheet, GREY, letterhead, RULED } from '#server/features/money/document/sheet.ts'
import { causeText, disputeWord } from './dispute-words.ts'

/** All that the summary of a dispute says. */
export type PrintedDispute = {
  language: DocumentLanguage
  look: Look
  advertiser: string
  period: { from: string; to: string }
  report: string
  /** Minutes ahead of UTC; null = not known. */
  clock: number | null
  day: string
  agreeing: number
  /** Whether only some causes were asked for. */
  narrowed: boolean
  sums: readonly { cause: ReconciliationCause; currency: string | null; rows: number; theirs: string; ours: string }[]
  files: readonly { name: string; sha256: string }[]
  decimals: ReadonlyMap<string, number>
  made: Date
}

/** Draws the summary of a dispute as PDF. */
export function drawDispute(printed: PrintedDispute): Promise<Uint8Array> {
  const { language, look, made, advertiser, period } = printed
  const say = (word: Parameters<typeof disputeWord>[0]) => disputeWord(word, language)
  const title = say('title')
  const days = `${printedDay(period.from, language)} – ${printedDay(period.to, language)}`
  return drawSheet({ language, title, foot: `${advertiser} · ${period.from} – ${period.to}`, look, made }, [
    letterhead(printed, title, [advertiser, days]),
    facts(printed, say),
    sums(printed, say),
    meanings(printed, say),
    files(printed, say),
  ])
}

type Say = (word: Parameters<typeof disputeWord>[0]) => string

function facts({ report, clock, day, agreeing, narrowed, language }: PrintedDispute, say: Say): Content {
  const one = (name: string, text: string, width: number | '*'): Content => ({
    width,
    stack: [
      { text: name, color: GREY, fontSize: 7 },
      { text: printedText(text), bold: true },
    ],
  })
  const ahead =
    clock === null
      ? '–'
      : `UTC${clock < 0 ? '−' : '+'}${[Math.floor(Math.abs(clock) / 60), Math.abs(clock) % 60].map((part) => String(part).padStart(2, '0')).join(':')}`
  return [
    {
      columnGap: 12,
      margin: [0, 0, 0, 12],
      columns: [one(say('report'), report, '*'), one(say('clock'), ahead, 110), one(say('made'), printedDay(day, language), 90)],
    },
    {
      text: `${say('agreeing')}: ${new Intl.NumberFormat(language === 'uk' ? 'uk' : 'en').format(agreeing)}.`,
      margin: [0, 0, 0, narrowed ? 2 : 12],
    },
    ...(narrowed ? [{ text: `${say('only')}.`, margin: [0, 0, 0, 12] as [number, number, number, number] }] : []),
  ]
}

function sums({ sums: list, decimals, language }: PrintedDispute, say: Say): Content {
  const amount = (text: string, currency: string | null, more: object): TableCell =>
    right(
      currency === null
        ? ''
        : `${printedAmount(text, { decimals: decimals.get(currency) ?? 2, sign: '', asPrice: true }, language)} ${currency}`,
      more,
    )
  const count = (rows: number, more: object) => right(new Intl.NumberFormat(language === 'uk' ? 'uk' : 'en').format(rows), more)
  const difference = (one: { theirs: string; ours: string }) => fromUnits(toUnits(one.theirs) - toUnits(one.ours))
  const totals = [...Map.groupBy(list, ({ currency }) => currency)].flatMap(([currency, its]) => {
    // lines that say no amount have no sum
    if (currency === null) return []
    const sum = (side: 'theirs' | 'ours') => fromUnits(its.reduce((whole, one) => whole + toUnits(one[side]), 0n))
    return { currency, rows: its.reduce((whole, one) => whole + one.rows, 0), theirs: sum('theirs'), ours: sum('ours') }
  })
  const line = (name: string, one: Omit<(typeof list)[number], 'cause'>, more: object = {}): TableCell[] => [
    { text: name, ...more },
    count(one.rows, more),
    amount(one.theirs, one.currency, more),
    amount(one.ours, one.currency, more),
    amount(difference(one), one.currency, more),
  ]
  const top = (text: string, more: object = {}): TableCell => ({ text, color: GREY, fontSize: 7, ...more })
  const body: TableCell[][] = [
    [top(say('cause')), ...(['rows', 'theirs', 'ours', 'difference'] as const).map((word) => top(say(word), { alignment: 'right' }))],
    ...list.map((one) => line(causeText(one.cause, 'name', language), one)),
    ...totals.map((one) => line(say('total'), one, { bold: true })),
  ]
  return [
    { layout: RULED, table: { headerRows: 1, dontBreakRows: true, widths: ['*', 'auto', 'auto', 'auto', 'auto'], body } },
    { text: say('amounts'), color: GREY, fontSize: 7, margin: [0, 4, 0, 16] },
  ]
}

function meanings({ sums: list, language }: PrintedDispute, say: Say): Content {
  const causes = [...new Set(list.map(({ cause }) => cause))]
  return {
    margin: [0, 0, 0, 16],
    stack: [
      { text: say('means'), bold: true, fontSize: 10, margin: [0, 0, 0, 4] },
      ...causes.map((cause) => ({
        text: [{ text: `${causeText(cause, 'name', language)}: `, bold: true }, causeText(cause, 'means', language)],
        margin: [0, 0, 0, 2] as [number, number, number, number],
      })),
    ],
  }
}

function files({ files: list }: PrintedDispute, say: Say): Content {
  return {
    unbreakable: true,
    stack: [
      { text: say('files'), bold: true, fontSize: 10, margin: [0, 0, 0, 4] },
      ...list.map(({ name, sha256 }) => ({
        text: [
          { text: `${name}  `, bold: true },
          { text: printedText(sha256), color: GREY },
        ],
        fontSize: 7,
      })),
    ],
  }
}

const right = (text: string, more: object): TableCell => ({ text, alignment: 'right', noWrap: true, ...more })
