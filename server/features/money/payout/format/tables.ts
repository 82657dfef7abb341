import Papa from 'papaparse'
import { csvForPeople } from '#server/platform/csv.ts'
import type { PayoutFormat } from '#contract/money/payout.ts'
import type { PaymentKind } from '#contract/money/payment.ts'
import { refusedBySepa, sepaFile } from './sepa.ts'
import type { FileHead, Order } from './order.ts'

type Format = {
  /** Which kinds of systems it pays; null = all. */
  kinds: readonly PaymentKind[] | null
  ending: 'xml' | 'csv'
  /** So many payments it takes. */
  most: number
  write(head: FileHead, orders: readonly Order[]): string
  /** What of a payment it cannot say; '' = nothing. */
  refuses?(order: Pick<Order, 'fields' | 'amount'>): string
  /** The own table, which people open: what begins like a formula is marked there, and nowhere else. */
  forPeople?: true
}

const WISE_HEADER = 'name,recipientEmail,paymentReference,receiverType,amountCurrency,amount,sourceCurrency,targetCurrency,IBAN'.split(',')
/** What CoinsPaid calls USDT on each network; to be checked against its own sample. */
const COINSPAID: Readonly<Partial<Record<PaymentKind, string>>> = { usdt_trc20: 'USDTT', usdt_erc20: 'USDTE' }

const rows = (lines: readonly (readonly string[])[], delimiter = ',') =>
  `${Papa.unparse(lines as string[][], { delimiter, newline: '\r\n' })}\r\n`
const note = ({ reference, invoices }: Order) => `${reference} ${invoices.join(' ')}`.slice(0, 140)
const field = ({ fields }: Pick<Order, 'fields'>, name: string) => fields[name] ?? ''

/** How each format is written (money.md 7). Vendors' files are never changed to please a spreadsheet: what one could take for a formula is refused. */
export const FORMATS: Readonly<Record<PayoutFormat, Format>> = {
  sepa: { kinds: ['sepa'], ending: 'xml', most: 1000, write: sepaFile, refuses: refusedBySepa },
  paypal: {
    kinds: ['paypal'],
    ending: 'csv',
    most: 5000,
    write: (head, orders) =>
      rows(
        orders.map((one) => [
          field(one, 'email'),
          one.amount.replace('.', head.decimalSign),
          head.currency,
          one.reference,
          note(one),
          'PAYPAL',
        ]),
      ),
  },
  wise: {
    kinds: ['wise', 'sepa'],
    ending: 'csv',
    most: 1000,
    write: (head, orders) =>
      rows([
        WISE_HEADER,
        ...orders.map((one) => [
          field(one, 'holder') || one.affiliate,
          field(one, 'email'),
          one.reference,
          one.isCompany ? 'INSTITUTION' : 'PERSON',
          'target',
          one.amount,
          head.currency,
          head.currency,
          field(one, 'iban'),
        ]),
      ]),
  },
  capitalist: {
    kinds: ['capitalist'],
    ending: 'csv',
    most: 5000,
    write: (head, orders) =>
      rows(
        orders.map((one) => ['CAPITALIST', field(one, 'account'), one.amount, head.currency, one.reference, note(one)]),
        ';',
      ),
  },
  usdt: {
    kinds: ['usdt_trc20', 'usdt_erc20'],
    ending: 'csv',
    most: 5000,
    write: (_head, orders) =>
      rows([['address', 'amount', 'reference'], ...orders.map((one) => [field(one, 'address'), one.amount, one.reference])]),
  },
  coinspaid: {
    kinds: ['usdt_trc20', 'usdt_erc20'],
    ending: 'csv',
    most: 500,
    write: (_head, orders) =>
      rows([
        ['Address', 'Tag', 'Currency', 'Amount', 'Note'],
        ...orders.map((one) => [field(one, 'address'), '', COINSPAID[one.kind] ?? 'USDT', one.amount, one.reference]),
      ]),
  },
  own: {
    kinds: null,
    ending: 'csv',
    most: 5000,
    forPeople: true,
    write: (head, orders) => {
      const lines = orders.map((one) => [
        one.reference,
        one.affiliate,
        one.invoices.join(' '),
        one.system,
        Object.entries(one.fields)
          .map(([name, value]) => `${name}: ${value}`)
          .join('; '),
        one.amount,
        head.currency,
        one.dueDay ?? '',
      ])
      const fields = ['reference', 'affiliate', 'invoices', 'system', 'fields', 'amount', 'currency', 'due_day']
      return csvForPeople(fields, lines, head.delimiter)
    },
  },
}

/** What of a payment a format cannot say, in words; '' where it can. */
export function refusedBy(format: PayoutFormat, order: Pick<Order, 'fields' | 'amount' | 'affiliate'>): string {
  const its = FORMATS[format]
  if (its.forPeople) return ''
  const texts = [...Object.values(order.fields), ...(format === 'wise' ? [order.affiliate] : [])]
  if (format !== 'sepa' && texts.some((text) => /^[=+\-@\t\r]/.test(text))) return 'a field begins like a formula'
  return its.refuses?.(order) ?? ''
}
