import type { ReportField, ReportMapping } from '#contract/money/report-reading.ts'
import { columnInWords, isSoldInWords } from '#server/rules/conversion/column-words.ts'
import { isEarned, kindOf } from '#server/rules/conversion/postback-names.ts'
import { areYesOrNo } from '#server/rules/conversion/status-words.ts'

/** Names of columns of reports that postbacks do not have, letters and digits alone. */
const WORDS: Readonly<Partial<Record<ReportField, string>>> = {
  time:
    'time date datetime timestamp createdat created conversiondate conversiontime conversiondatetime conversionat convertedat dateofconversion orderdate eventtime eventdate postbacktime received receivedat ' +
    'transactiondate transactiontime actiondate actiontime leaddate saledate registrationdate час дата датачас створено датаконверсії',
  transaction_id:
    'transactionid txnid orderid ordernumber order leadid actionid saleid conversionid id uid транзакція замовлення номерзамовлення',
  click_id: 'clickid click cid affsub subid networkclickid partnerclickid ourclickid s2sclickid клік idкліка',
  sub_id: 'affclickid affiliateclickid externalclickid externalid subid1 sub1 affsub2 trackerclickid',
  offer: 'offer offerid offername offertitle campaign campaignid campaignname program product офер кампанія програма',
  goal: 'goal goalname event eventname action conversiontype type ціль подія',
  status: 'status state leadstatus orderstatus conversionstatus approvalstatus result статус',
  amount:
    'amount payout revenue sum commission price cost reward payment earnings total sale saleamount ordervalue сума виплата дохід винагорода',
  currency: 'currency ccy curr валюта',
  reason: 'reason comment rejectreason declinereason rejectionreason statusreason note причина коментар',
}

const OF_KIND: Readonly<Record<string, ReportField>> = {
  click_id: 'click_id',
  txn_id: 'transaction_id',
  'txn_id?': 'transaction_id',
  status: 'status',
  'status?': 'status',
  goal: 'goal',
  'event?': 'goal',
  amount: 'amount',
  'amount?': 'amount',
  currency: 'currency',
  reason: 'reason',
  rejection: 'reason',
}

/**
 * Which column is what, by its name: as it was named last time, else the words of other networks, else the names of parameters of
 * postbacks. Each column and each field once; the earlier word of a list wins. A column called like an event that holds yes
 * or no names no goal.
 */
export function guessColumns(
  columns: readonly string[],
  remembered: Partial<Record<ReportField, string>> = {},
  valuesOf: (place: number) => readonly string[] = () => [],
): ReportMapping {
  const found: ReportMapping = {}
  const names = columns.map((column) => plain(column))
  const take = (field: ReportField, place: number) => {
    if (place >= 0 && found[field] === undefined && !Object.values(found).includes(place)) found[field] = place
  }
  for (const [field, name] of fieldsOf(remembered)) take(field, names.indexOf(plain(name)))
  for (const [field, words] of fieldsOf(WORDS)) for (const word of words.split(' ')) take(field, names.indexOf(word))
  for (const [place, column] of columns.entries()) {
    const field = columnInWords(column, () => valuesOf(place))
    if (field !== undefined && field !== 'conversion_id') take(field, place)
    // where nothing is surer
    else if (field === 'conversion_id') take('transaction_id', place)
  }
  for (const [place, column] of columns.entries()) {
    const name = column
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_')
    const kind = kindOf(name) ?? ''
    const field = kind === 'event?' && areYesOrNo(valuesOf(place)) ? undefined : OF_KIND[kind]
    if (field !== undefined) take(field, place)
  }
  return found
}

/** Whether a column of amounts is called after what was sold, so that ours to compare it with is the sale. */
export function isOfSales(column: string): boolean {
  return !isEarned(column) && (/sale|order|basket|cart|purchase/.test(plain(column)) || isSoldInWords(column))
}

function fieldsOf(record: Readonly<Partial<Record<ReportField, string>>>): [ReportField, string][] {
  return Object.entries(record) as [ReportField, string][] // its own keys
}

/** Letters and digits alone, whatever stands between them. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}
