import { addAmounts } from '#contract/money/amount.ts'
import { latin } from './latin.ts'
import type { FileHead, Order } from './order.ts'

const XMLNS = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09'

/** A SEPA credit transfer, ISO 20022 pain.001.001.09, in the order of its schema; addresses only as town and country. */
export function sepaFile(head: FileHead, orders: readonly Order[]): string {
  const count = String(orders.length)
  const sum = shortAmount(addAmounts(...orders.map(({ amount }) => amount)))
  const payer = latin(head.payer.name, 70)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('Document', [
    element('CstmrCdtTrfInitn', [
      element('GrpHdr', [
        element('MsgId', head.id),
        element('CreDtTm', head.at.toISOString().slice(0, 19)),
        element('NbOfTxs', count),
        element('CtrlSum', sum),
        element('InitgPty', [element('Nm', payer)]),
      ]),
      element('PmtInf', [
        element('PmtInfId', `${head.id.slice(0, 33)}-1`),
        element('PmtMtd', 'TRF'),
        element('BtchBookg', 'true'),
        element('NbOfTxs', count),
        element('CtrlSum', sum),
        element('PmtTpInf', [element('SvcLvl', [element('Cd', 'SEPA')])]),
        element('ReqdExctnDt', [element('Dt', head.executionDay)]),
        element('Dbtr', [element('Nm', payer)]),
        element('DbtrAcct', [element('Id', [element('IBAN', head.payer.iban)])]),
        element('DbtrAgt', [
          element(
            'FinInstnId',
            head.payer.bic === '' ? [element('Othr', [element('Id', 'NOTPROVIDED')])] : [element('BICFI', head.payer.bic)],
          ),
        ]),
        element('ChrgBr', 'SLEV'),
        ...orders.map((order) => transfer(order, head.currency)),
      ]),
    ]),
  ]).replace('<Document>', `<Document xmlns="${XMLNS}">`)}\n`
}

/** What of a payment a transfer of SEPA cannot say. */
export function refusedBySepa({ fields, amount }: Pick<Order, 'fields' | 'amount'>): string {
  if (latin(fields['holder'] ?? '', 70) === '') return 'the name has no letters a bank can read'
  if (amount.replace('.', '').replace(/^0+/, '').length > 11) return 'more than 999,999,999.99'
  return ''
}

/** The name as it will stand in the file. */
export function nameInSepa(name: string): string {
  return latin(name, 70)
}

function transfer({ reference, amount, fields, country, invoices }: Order, currency: string): string {
  const town = latin(fields['town'] ?? '', 35)
  const purpose = latin(`${reference} ${invoices.join(', ')}`, 140)
  const where = country === null || town === '' ? [] : [element('PstlAdr', [element('TwnNm', town), element('Ctry', country)])]
  return element('CdtTrfTxInf', [
    element('PmtId', [element('EndToEndId', reference)]),
    element('Amt', [`<InstdAmt Ccy="${currency}">${shortAmount(amount)}</InstdAmt>`]),
    ...(fields['bic'] ? [element('CdtrAgt', [element('FinInstnId', [element('BICFI', fields['bic'])])])] : []),
    element('Cdtr', [element('Nm', latin(fields['holder'] ?? '', 70)), ...where]),
    element('CdtrAcct', [element('Id', [element('IBAN', fields['iban'] ?? '')])]),
    element('RmtInf', [element('Ustrd', purpose)]),
  ])
}

function shortAmount(amount: string): string {
  const [whole = '0', fraction = ''] = amount.split('.')
  return `${whole}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`
}

function element(name: string, content: string | readonly string[]): string {
  const inner = typeof content === 'string' ? escaped(content) : content.join('')
  return `<${name}>${inner}</${name}>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
