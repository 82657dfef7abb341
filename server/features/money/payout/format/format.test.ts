import fc from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, test } from 'vitest'
import { isReference, referenceOf, referencesIn } from '../reference.ts'
import { latin } from './latin.ts'
import type { FileHead, Order } from './order.ts'
import { readResult } from './read-result.ts'
import { FORMATS, refusedBy } from './tables.ts'

const HEAD: FileHead = {
  id: '0123456789abcdef0123456789abcdef',
  at: new Date('2026-11-21T10:00:00Z'),
  executionDay: '2026-11-23',
  currency: 'EUR',
  delimiter: ';',
  decimalSign: '.',
  payer: { name: 'Żółw & Sons', iban: 'IE29AIBK93115212345678', bic: '' },
}
const order = (more: Partial<Order> = {}): Order => ({
  reference: referenceOf(1, 7),
  affiliateId: 3,
  affiliate: 'Iryna',
  invoices: ['SB-3-2026-1', 'SB-3-2026-2'],
  kind: 'sepa',
  system: 'Bank transfer (SEPA)',
  fields: { holder: 'Ірина Їжакевич', iban: 'DE89370400440532013000', town: 'Київ' },
  amount: '1234.50',
  country: 'UA',
  isCompany: false,
  dueDay: '2026-11-20',
  ...more,
})

describe('a reference', () => {
  test('is found wrong with one other character, or with two that changed places', () => {
    const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9999 }),
        fc.integer({ min: 1, max: 2_000_000_000 }),
        fc.nat(),
        fc.nat(),
        (source, payout, place, other) => {
          const text = referenceOf(source, payout)
          expect(text).toMatch(/^[A-Z0-9]{8,20}$/)
          expect(isReference(text)).toBe(true)
          const at = place % text.length
          const letter = letters[other % 36] ?? '0'
          const wrong = text.slice(0, at) + letter + text.slice(at + 1)
          expect(isReference(wrong)).toBe(wrong === text)
          const next = text.slice(0, at) + (text[at + 1] ?? '') + (text[at] ?? '') + text.slice(at + 2)
          if (at + 1 < text.length) expect(isReference(next)).toBe(next === text)
        },
      ),
    )
    expect(referencesIn(`Payment ${referenceOf(1, 7)} / SB-3`)).toEqual([referenceOf(1, 7)])
  })
})

describe('letters of SEPA', () => {
  test.each([
    ['Ірина Їжакевич-Згурська', 'Iryna Yizhakevych-Zghurska'],
    ['Знам’янка Юрій', 'Znamianka Yurii'],
    ['Żółw Müller Straße', 'Zolw Muller Strasse'],
    ['/A//B&C @ 100%/', 'A/B+C 100'],
    ['漢字', ''],
  ])('%s is written %s', (text, told) => {
    expect(latin(text, 70)).toBe(told)
  })

  test('are all that is left of anything, without a stroke at an end or two in a row', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (text) => {
        expect(latin(text, 35)).toMatch(/^(?!\/)(?!.*\/\/)[a-zA-Z0-9/\-?:().,'+ ]{0,35}(?<!\/)$/)
      }),
    )
  })
})

describe('each format', () => {
  test('SEPA is pain.001.001.09 in the order of its schema', () => {
    const xml = FORMATS.sepa.write(HEAD, [
      order(),
      order({
        reference: referenceOf(1, 8),
        amount: '0.5',
        fields: { holder: 'Ann', iban: 'DE89370400440532013000', bic: 'COBADEFF' },
        country: null,
      }),
    ])
    expect(xml).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn><GrpHdr><MsgId>0123456789abcdef0123456789abcdef</MsgId><CreDtTm>2026-11-21T10:00:00</CreDtTm><NbOfTxs>2</NbOfTxs><CtrlSum>1235.00</CtrlSum><InitgPty><Nm>Zolw + Sons</Nm></InitgPty></GrpHdr><PmtInf><PmtInfId>0123456789abcdef0123456789abcdef-1</PmtInfId><PmtMtd>TRF</PmtMtd><BtchBookg>true</BtchBookg><NbOfTxs>2</NbOfTxs><CtrlSum>1235.00</CtrlSum><PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf><ReqdExctnDt><Dt>2026-11-23</Dt></ReqdExctnDt><Dbtr><Nm>Zolw + Sons</Nm></Dbtr><DbtrAcct><Id><IBAN>IE29AIBK93115212345678</IBAN></Id></DbtrAcct><DbtrAgt><FinInstnId><Othr><Id>NOTPROVIDED</Id></Othr></FinInstnId></DbtrAgt><ChrgBr>SLEV</ChrgBr>` +
        `<CdtTrfTxInf><PmtId><EndToEndId>${referenceOf(1, 7)}</EndToEndId></PmtId><Amt><InstdAmt Ccy="EUR">1234.50</InstdAmt></Amt><Cdtr><Nm>Iryna Yizhakevych</Nm><PstlAdr><TwnNm>Kyiv</TwnNm><Ctry>UA</Ctry></PstlAdr></Cdtr><CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></CdtrAcct><RmtInf><Ustrd>${referenceOf(1, 7)} SB-3-2026-1, SB-3-2026-2</Ustrd></RmtInf></CdtTrfTxInf>` +
        `<CdtTrfTxInf><PmtId><EndToEndId>${referenceOf(1, 8)}</EndToEndId></PmtId><Amt><InstdAmt Ccy="EUR">0.50</InstdAmt></Amt><CdtrAgt><FinInstnId><BICFI>COBADEFF</BICFI></FinInstnId></CdtrAgt><Cdtr><Nm>Ann</Nm></Cdtr><CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></CdtrAcct><RmtInf><Ustrd>${referenceOf(1, 8)} SB-3-2026-1, SB-3-2026-2</Ustrd></RmtInf></CdtTrfTxInf></PmtInf></CstmrCdtTrfInitn></Document>
`,
    )
  })

  const ref = referenceOf(1, 7)
  const usdt = { kind: 'usdt_trc20' as const, fields: { address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' } }
  test.each([
    ['paypal', { fields: { email: 'a@b.example' } }, `a@b.example,1234.50,EUR,${ref},${ref} SB-3-2026-1 SB-3-2026-2,PAYPAL\r\n`],
    ['capitalist', { fields: { account: 'U0100651' } }, `CAPITALIST;U0100651;1234.50;EUR;${ref};${ref} SB-3-2026-1 SB-3-2026-2\r\n`],
    ['usdt', usdt, `address,amount,reference\r\nTJRabPrwbZy45sbavfcjinPJC18kjpRTv8,1234.50,${ref}\r\n`],
    ['coinspaid', usdt, `Address,Tag,Currency,Amount,Note\r\nTJRabPrwbZy45sbavfcjinPJC18kjpRTv8,,USDTT,1234.50,${ref}\r\n`],
    [
      'wise',
      { fields: { holder: 'Ann, B', email: 'a@b.example' } },
      `name,recipientEmail,paymentReference,receiverType,amountCurrency,amount,sourceCurrency,targetCurrency,IBAN\r\n"Ann, B",a@b.example,${ref},PERSON,target,1234.50,EUR,EUR,\r\n`,
    ],
  ] as const)('%s', (format, more, text) => {
    expect(FORMATS[format].write(HEAD, [order(more)])).toBe(text)
  })

  test('PayPal reads amounts by the region of its account, and Wise asks whether it pays a company', () => {
    const commas = FORMATS.paypal.write({ ...HEAD, decimalSign: ',' }, [order({ fields: { email: 'a@b.example' } })])
    expect(commas).toContain('a@b.example,"1234,50",EUR,')
    expect(FORMATS.wise.write({ ...HEAD, decimalSign: ',' }, [order({ isCompany: true })])).toContain(',INSTITUTION,target,1234.50,')
  })

  test('a vendor’s file is never changed to please a spreadsheet, but refused; ours is marked', () => {
    const hostile = order({ affiliate: '=HYPERLINK("x")', fields: { email: '+1@b.example' } })
    expect(refusedBy('paypal', hostile)).not.toBe('')
    expect(refusedBy('own', hostile)).toBe('')
    const { data } = Papa.parse<Record<string, string>>(FORMATS.own.write(HEAD, [hostile]).slice(1), { header: true })
    expect(data[0]).toMatchObject({
      reference: ref,
      affiliate: `'=HYPERLINK("x")`,
      amount: '1234.50',
      currency: 'EUR',
      due_day: '2026-11-20',
    })
    expect(refusedBy('sepa', order({ fields: { holder: '漢字' } }))).not.toBe('')
    expect(refusedBy('sepa', order({ amount: '1000000000.00' }))).not.toBe('')
  })
})

describe('a result', () => {
  const pain = (inner: string, group = '') =>
    `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt><GrpHdr><MsgId>x</MsgId></GrpHdr><OrgnlGrpInfAndSts><OrgnlMsgId>${HEAD.id}</OrgnlMsgId>${group}</OrgnlGrpInfAndSts><OrgnlPmtInfAndSts>${inner}</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`
  const tx = (status: string, more = '') =>
    `<TxInfAndSts><OrgnlEndToEndId>${referenceOf(1, 7)}</OrgnlEndToEndId><TxSts>${status}</TxSts>${more}</TxInfAndSts>`

  test('of a bank is read payment by payment, or of the whole file', () => {
    const rejected = readResult(
      pain(tx('RJCT', '<StsRsnInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>Closed &amp; gone</AddtlInf></StsRsnInf>') + tx('ACSC') + tx('ACSP')),
    )
    expect(rejected?.rows.map(({ status, reason }) => [status, reason])).toEqual([
      ['failed', 'AC04 Closed & gone'],
      ['settled', ''],
      ['pending', ''],
    ])
    expect(readResult(pain('', '<GrpSts>RJCT</GrpSts>'))?.wholes).toMatchObject([{ fileId: HEAD.id, status: 'failed' }])
    expect(readResult(pain('', '<GrpSts>ACCP</GrpSts>'))?.wholes).toEqual([])
  })

  test('of PayPal, of a wallet, and our own are tables with a reference and a status', () => {
    const read = (text: string) =>
      readResult(text)?.rows.map(({ reference, status, amount, fee, externalId }) => [reference, status, amount, fee, externalId])
    const ref = referenceOf(1, 7)
    expect(
      read(`Reference ID,Transaction Status,Transaction ID,Amount,Fee\n${ref},SUCCESS,9AB,-12.50,0.25\n${ref},UNCLAIMED,,,\n`),
    ).toEqual([
      [ref, 'settled', '12.50', '0.25', '9AB'],
      [ref, 'pending', null, null, ''],
    ])
    expect(read(`\ufeffreference;status;amount;id;reason\r\n${ref};returned;1,5;X;Closed\r\n${ref};odd;;;`)).toEqual([
      [ref, 'returned', '1.5', null, 'X'],
      [ref, 'unknown', null, null, ''],
    ])
  })

  test('of PayPal, Wise, Capitalist or a wallet has our reference in whatever column, and its amounts as each of them writes', () => {
    const ref = referenceOf(1, 7)
    const read = (text: string) =>
      readResult(text)?.rows.map((row) => [
        row.reference,
        row.status,
        row.amount,
        row.currency,
        row.fee && `${row.fee} ${row.feeCurrency}`,
        row.account,
        row.externalId,
      ])
    const paypal = '"Transaction ID","Status","Gross","Fee","Currency","To Email Address","Subject","Note"'
    expect(read(`${paypal}\n"9AB","Completed","-1,234.50","-0.25","EUR","a@b.example","Payout","${ref} SB-3-2026-1"`)).toEqual([
      [ref, 'settled', '1234.50', 'EUR', '0.25 EUR', 'a@b.example', '9AB'],
    ])
    // money that came back is none that arrived
    const activity = '"Type","Status","Currency","Gross","Fee","Transaction ID","Custom Number"'
    const said = (rows: string) => readResult(`${activity}\n${rows}`)?.rows.map(({ status, said }) => [status, said])
    expect(said(`"Mass Pay Reversal","Completed","USD","88.15","1.76","T1","${ref}"`)).toEqual([
      ['unknown', 'Completed: Mass Pay Reversal'],
    ])
    expect(
      said(
        `"Mass Payment","Completed","USD","-88.15","-1.76","T1","${ref}"\n"Mass Payment","Completed","USD","88.15","1.76","T2","${ref}"`,
      ),
    ).toEqual([
      ['settled', 'Completed'],
      ['unknown', 'Completed: Mass Payment'],
    ])
    expect(said(`"Mass Pay Reversal","Refunded","USD","88.15","","T1","${ref}"`)).toEqual([['returned', 'Refunded']])
    const fees = (titles: string, cells: string) =>
      readResult(`Reference,Status,Amount,Currency,${titles}\n${ref},completed,10,USD,${cells}`)?.rows.map(
        ({ fee, feeWrong }) => fee ?? feeWrong,
      )
    expect(fees('Transaction Fee', '0.25')).toEqual(['0.25'])
    expect(fees('Fee,Exchange fee', '0.25,0')).toEqual(['0.25'])
    expect(fees('Fee,Exchange fee', '0.25,0.1')).toEqual(['Exchange fee: 0.1'])
    expect(fees('Handling fee', '0.25')).toEqual(['Handling fee: 0.25'])
    const wise =
      'ID,Status,Direction,Source fee amount,Source fee currency,Source amount (after fees),Source currency,Target name,Target amount (after fees),Target currency,Reference'
    expect(
      read(
        `${wise}\nTRANSFER-1,COMPLETED,OUT,0.5,USD,1300,USD,Ann,1234.5,EUR,${ref}\nTRANSFER-2,REFUNDED,OUT,1,EUR,5,EUR,Ann,5,EUR,${ref}`,
      ),
    ).toEqual([
      [ref, 'settled', '1234.5', 'EUR', '0.5 USD', '', 'TRANSFER-1'],
      [ref, 'returned', '5.0', 'EUR', '1.0 EUR', '', 'TRANSFER-2'],
    ])
    expect(read(`account;amount;currency;internalNumber;state\nU0100651;1.234,50;EUR;${ref};executed\nU0100652;1;EUR;x;inprocess`)).toEqual(
      [
        [ref, 'settled', '1234.50', 'EUR', null, 'U0100651', ''],
        ['x', 'pending', '1.0', 'EUR', null, 'U0100652', ''],
      ],
    )
    expect(read(`Foreign ID,Status,Amount,Currency,Address,Tx hash\n${ref},confirmed,12.35,USDTT,TJRab,0xab`)).toEqual([
      [ref, 'settled', '12.35', 'USDTT', null, 'TJRab', '0xab'],
    ])
  })

  test.each([
    ['nothing of it', 'hello'],
    ['other XML', '<html></html>'],
    ['broken XML', '<Document><CstmrPmtStsRpt>'],
    ['XML with entities of its own', `<!DOCTYPE a [<!ENTITY b "c">]>${'<Document/>'}`],
    ['XML that is deeper than any answer', '<a>'.repeat(5000)],
  ])('that is %s is none', (_, text) => {
    expect(readResult(text)).toBeNull()
  })

  test('never breaks the reader, whatever it holds', () => {
    fc.assert(fc.property(fc.string({ maxLength: 300 }), (text) => void readResult(`reference,status\n${text}`)))
    fc.assert(fc.property(fc.string({ maxLength: 300 }), (text) => void readResult(pain(text))))
  })
})

describe('a statement of a bank', () => {
  const ref = (payout: number) => referenceOf(1, payout)
  const camt = (entries: string, [message, part] = ['BkToCstmrStmt', 'Stmt']) =>
    readResult(
      `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><${message}><GrpHdr/><${part}><Id>1</Id>${entries}</${part}></${message}></Document>`,
    )
  const entry = (amount: string, inner: string, { side = 'DBIT', status = '<Cd>BOOK</Cd>', more = '' } = {}) =>
    `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd>${more}<Sts>${status}</Sts><AcctSvcrRef>N1</AcctSvcrRef><NtryDtls>${inner}</NtryDtls></Ntry>`
  const payment = (id: string, more = '') => `<TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs>${more}</TxDtls>`
  const told = (entries: string) =>
    camt(entries)?.rows.map(({ reference, status, amount, currency }) => [reference, status, amount, currency])

  test.each([
    ['BkToCstmrStmt', 'Stmt'],
    ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
    ['BkToCstmrAcctRpt', 'Rpt'],
  ])('(%s) says what left with our reference, of old versions and new', (...kind) => {
    const read = camt(
      entry('10.50', payment(ref(1)), { status: 'BOOK' }) +
        entry('5', payment(ref(2)), { status: '<Cd>PDNG</Cd>' }) +
        entry(
          '30',
          payment(ref(3), '<Amt Ccy="EUR">12</Amt>') +
            payment('NOTPROVIDED', `<Amt Ccy="EUR">18</Amt><RmtInf><Ustrd>${ref(4)} SB-3</Ustrd></RmtInf>`),
        ),
      kind,
    )
    expect(read).toMatchObject({ format: 'camt', isStatement: true, wholes: [] })
    expect(
      read?.rows.map(({ reference, status, amount, currency, externalId }) => [reference, status, amount, currency, externalId]),
    ).toEqual([
      [ref(1), 'settled', '10.50', 'EUR', ''],
      [ref(2), 'pending', '5', 'EUR', ''],
      [ref(3), 'settled', '12', 'EUR', ''],
      [ref(4), 'settled', '18', 'EUR', ''],
    ])
  })

  test('says what came back and why, once where it left in the same statement', () => {
    const back = payment(ref(1), '<RtrInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>Account closed</AddtlInf></RtrInf>')
    expect(camt(entry('10', back, { side: 'CRDT' }))?.rows).toMatchObject([
      { reference: ref(1), status: 'returned', reason: 'AC04 Account closed', externalId: 'N1' },
    ])
    expect(told(entry('10', payment(ref(1))) + entry('10', back, { side: 'CRDT' }))).toEqual([[ref(1), 'returned', '10', 'EUR']])
    // one that left twice and came back once has arrived, and was paid twice
    expect(told(entry('10', payment(ref(1))) + entry('10', payment(ref(1))) + entry('10', back, { side: 'CRDT' }))).toHaveLength(2)
    expect(told(entry('10', payment(ref(1)), { more: '<RvslInd>true</RvslInd>' }))).toEqual([])
    expect(told(entry('10', payment(ref(1)), { side: 'CRDT', more: '<RvslInd>true</RvslInd>' }))).toEqual([
      [ref(1), 'returned', '10', 'EUR'],
    ])
  })

  test('says one thing of a whole file, where the bank books it as one', () => {
    const batch = `<Btch><PmtInfId>${HEAD.id}-1</PmtInfId><NbOfTxs>2</NbOfTxs></Btch>`
    expect(camt(entry('30', batch))).toMatchObject({
      rows: [],
      wholes: [{ fileId: HEAD.id, status: 'settled', amount: '30', currency: 'EUR' }],
    })
    // with its payments it says each of them
    expect(camt(entry('30', batch + payment(ref(1)) + payment(ref(2))))).toMatchObject({
      wholes: [],
      rows: [{ amount: null }, { amount: null }],
    })
  })

  test('tells what was ordered, its charges and where it went', () => {
    const details = `<AmtDtls><InstdAmt><Amt Ccy="USD">11</Amt></InstdAmt></AmtDtls><Chrgs><Rcrd><Amt Ccy="EUR">0.20</Amt><CdtDbtInd>DBIT</CdtDbtInd></Rcrd><Rcrd><Amt Ccy="EUR">0.05</Amt></Rcrd></Chrgs><RltdPties><CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></CdtrAcct></RltdPties>`
    expect(camt(entry('10.25', payment('NOTPROVIDED', details)))?.rows).toMatchObject([
      {
        reference: '',
        amount: '11',
        currency: 'USD',
        fee: '0.2500',
        feeCurrency: 'EUR',
        account: 'DE89370400440532013000',
        externalId: 'N1',
      },
    ])
    const charges = (...amounts: [string, string][]) =>
      `<Chrgs>${amounts.map(([amount, currency]) => `<Rcrd><Amt Ccy="${currency}">${amount}</Amt></Rcrd>`).join('')}</Chrgs>`
    const feesOf = (entries: string) =>
      camt(entries)?.rows.map(({ status, fee, feeCurrency, feeWrong }) => [status, fee, feeCurrency, feeWrong])
    // two currencies are no one amount
    expect(feesOf(entry('10', payment(ref(1), charges(['1', 'EUR'], ['2', 'USD']))))).toEqual([['settled', null, '', '1 EUR + 2 USD']])
    // what was taken for an entry of several payments is taken once
    const both = entry('10', payment(ref(1)) + payment(ref(2)), { more: charges(['0.7', 'EUR']) })
    expect(feesOf(both)).toEqual([
      ['settled', '0.7', 'EUR', undefined],
      ['settled', null, '', undefined],
    ])
    // and what left and came back cost something both ways
    const turned =
      entry('10', payment(ref(1), charges(['1', 'EUR']))) + entry('10', payment(ref(1), charges(['3', 'EUR'])), { side: 'CRDT' })
    expect(feesOf(turned)).toEqual([['returned', '4.0000', 'EUR', undefined]])
  })

  test('never breaks the reader, whatever it holds', () => {
    fc.assert(fc.property(fc.string({ maxLength: 300 }), (text) => void camt(entry(text, payment(text, `<Amt>${text}</Amt>`)))))
    expect(camt('<Ntry/><Ntry><NtryDtls/></Ntry>')?.rows).toHaveLength(2)
  })
})
