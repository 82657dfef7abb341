import { expect, test } from 'vitest'
import { guessColumns as guessReport, isOfSales } from './guess-columns.ts'
import { guessColumns as guessImport } from '#server/features/traffic/conversion-import/guess-columns.ts'
import { columnInWords, guessFileStatus, isEarnedInWords } from '#server/rules/conversion/column-words.ts'

/* First rows of files as advertisers of these languages send them, with a line each and what its status means. */
const FILES: [language: string, columns: string, line: string, status: string][] = [
  [
    'German',
    'Datum;Klick-ID;Bestellnummer;Status;Betrag;Währung;Ziel;Ablehnungsgrund',
    '21.11.2026;K;B-1;storniert;12,50;EUR;sale;x',
    'declined',
  ],
  [
    'German, capitals',
    'BESTELLDATUM;KLICKNUMMER;BESTELL-NR.;BEARBEITUNGSSTATUS;BESTELLWERT (EUR);WAEHRUNG;EREIGNIS;GRUND',
    '21.11.2026;K;1;Bestätigt;5;EUR;a;x',
    'approved',
  ],
  [
    'Spanish',
    'Fecha y hora;ID de clic;N.º de pedido;Estado;Importe;Moneda;Objetivo;Motivo',
    '21/11/2026 10:00;K;1;Rechazado;9,90;EUR;a;x',
    'declined',
  ],
  [
    'Portuguese',
    'Data da conversão;ID do clique;Número do pedido;Situação;Valor;Moeda;Ação;Observação',
    '21/11/2026;K;1;Aprovado;9,90;BRL;a;x',
    'approved',
  ],
  [
    'French',
    'Date de commande;ID de clic;N° de commande;Statut;Montant;Devise;Objectif;Motif du refus',
    '21/11/2026;K;1;En attente;9,90;EUR;a;x',
    'pending',
  ],
  [
    'Polish',
    'Data zamówienia;ID kliknięcia;Nr zamówienia;Status zamówienia;Kwota;Waluta;Cel;Powód odrzucenia',
    '21.11.2026;K;1;odrzucona;9,90;PLN;a;x',
    'declined',
  ],
  [
    'Italian',
    'Data e ora;ID click;Numero ordine;Stato;Importo;Valuta;Obiettivo;Motivo del rifiuto',
    '21/11/2026;K;1;Confermato;9,90;EUR;a;x',
    'approved',
  ],
  [
    'Russian',
    'Дата и время;ID клика;Номер заказа;Статус;Сумма;Валюта;Цель;Причина отказа',
    '21.11.2026;K;1;Отклонён;9,90;USD;a;x',
    'declined',
  ],
  [
    'Ukrainian',
    'Дата та час;ID кліку;Номер замовлення;Статус;Сума;Валюта;Ціль;Причина відмови',
    '21.11.2026;K;1;в обробці;9,90;UAH;a;x',
    'pending',
  ],
  ['Turkish', 'Tarih;Tıklama ID;İşlem No;Durum;Tutar;Para Birimi;Hedef;Ret nedeni', '21.11.2026;K;1;Reddedildi;9,90;TRY;a;x', 'declined'],
]

test.each(FILES)('columns of a file in %s are told, and what its status probably means', (_language, header, row, status) => {
  const [columns, cells] = [header.split(';'), row.split(';')]
  expect(guessReport(columns, {}, (place) => [cells[place] ?? ''])).toEqual({
    time: 0,
    click_id: 1,
    transaction_id: 2,
    status: 3,
    amount: 4,
    currency: 5,
    goal: 6,
    reason: 7,
  })
  expect(guessImport(columns, [{ cells }])).toEqual({
    date: 0,
    click_id: 1,
    txn_id: 2,
    status: 3,
    amount: 4,
    currency: 5,
    goal: 6,
    reason: 7,
  })
  expect(guessFileStatus(cells[3] ?? '')).toBe(status)
})

test('what is unsure is left to be asked', () => {
  // a date in three languages, and anything in English
  expect(columnInWords('Data', () => ['21/11/2026'])).toBe('time')
  expect(columnInWords('Data', () => ['{"a":1}', 'x'])).toBeUndefined()
  for (const name of ['Name', 'Kunde', 'Cliente', 'Телефон', 'Ort', '', '№']) expect(columnInWords(name), name).toBeUndefined()
  for (const word of ['geprüft', 'abc', '7', 'Retoure?'.slice(0, 0)]) expect(guessFileStatus(word), word).toBeNull()
})

test('a no is never taken for a yes', () => {
  for (const word of [
    'unbestätigt',
    'nicht genehmigt',
    'no confirmado',
    'non confermato',
    'niezatwierdzona',
    'не підтверджено',
    'не подтверждён',
    'onaylanmadı',
  ])
    expect(guessFileStatus(word), word).toBe('declined')
})

test('what a sale brought is told from the sale', () => {
  for (const name of [
    'Provision',
    'Vergütung',
    'Comisión',
    'Comissão',
    'Rémunération',
    'Prowizja',
    'Provvigione',
    'Вознаграждение',
    'Винагорода',
    'Komisyon',
  ])
    expect([columnInWords(name), isOfSales(name)], name).toEqual(['amount', false])
  for (const name of ['Provision', 'Comisión', 'Prowizja', 'Komisyon']) expect(isEarnedInWords(name), name).toBe(true)
  for (const name of ['Bestellwert', 'Valor de venta', 'Montant de la commande', 'Wartość zamówienia', 'Сумма заказа', 'Sipariş tutarı'])
    expect([columnInWords(name), isOfSales(name)], name).toEqual(['amount', true])
})
