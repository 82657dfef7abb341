import type { ConversionStatus } from '#contract/traffic/conversion.ts'
import { guessStatus } from './dialect/guess.ts'

/** What a column of a file may be, whichever kind of file it is. */
export type ColumnField =
  | 'click_id'
  | 'sub_id'
  | 'transaction_id'
  | 'conversion_id'
  | 'time'
  | 'status'
  | 'goal'
  | 'offer'
  | 'amount'
  | 'currency'
  | 'reason'

/*
 * Names of columns in German, Spanish, Portuguese, French, Polish, Italian, Russian, Ukrainian and Turkish, letters and digits
 * alone, without their accents. A name means one thing in all of them or does not stand here; they fill a form, and book nothing.
 */
const NAMES: Readonly<Record<ColumnField, string>> = {
  click_id:
    'Klick, Klick-ID, Klicknummer, ID clic, ID del clic, ID de clic, clic, ID do clique, ID clique, clique, clic ID, identifiant de clic, identifiant du clic, ID kliknięcia, ID klikniecia, klikniecie, ID click, ID del click, ID клика, клик, кликид, id клік, ID кліку, ID кліка, клік, tıklama, tıklama ID, tıklama kimliği, tıklama no',
  sub_id: 'Unter-ID, Sub-ID Partner, sub ID del afiliado, sub ID do afiliado, sous-ID, саб ID, субайди, субід, alt kimlik',
  transaction_id:
    'Bestellnummer, Bestell-Nr, Bestell-ID, Bestellung, Auftragsnummer, Auftrags-Nr, Transaktion, Transaktions-ID, Transaktionsnummer, Vorgangsnummer, pedido, n.º de pedido, número de pedido, ID de pedido, ID del pedido, ID pedido, transacción, ID de transacción, ID de la transacción, número do pedido, ID do pedido, transação, ID da transação, commande, n° de commande, numéro de commande, ID de commande, ID commande, ID de transaction, ID transaction, zamówienie, numer zamówienia, nr zamówienia, ID zamówienia, transakcja, ID transakcji, nr transakcji, ordine, numero ordine, n. ordine, ID ordine, transazione, ID transazione, заказ, номер заказа, № заказа, ID заказа, транзакция, ID транзакции, номер транзакции, замовлення, номер замовлення, № замовлення, ID замовлення, транзакція, ID транзакції, номер транзакції, sipariş, sipariş no, sipariş numarası, sipariş ID, işlem no, işlem numarası, işlem ID, işlem kimliği',
  conversion_id:
    'Conversion-Nr, Konversion, Konversions-ID, ID de conversión, ID da conversão, ID de la conversion, ID konwersji, ID conversione, конверсия, ID конверсии, конверсія, ID конверсії, dönüşüm ID, dönüşüm kimliği',
  time: 'Datum, Zeit, Zeitpunkt, Uhrzeit, Zeitstempel, Datum und Uhrzeit, Bestelldatum, Datum der Conversion, fecha, fecha y hora, hora, fecha de conversión, fecha del pedido, data e hora, data da conversão, data do pedido, date et heure, date de conversion, date de commande, heure, czas, data i godzina, data konwersji, data zamówienia, data e ora, data conversione, data ordine, ora, дата, время, дата и время, дата конверсии, дата заказа, час, дата і час, дата та час, дата конверсії, дата замовлення, tarih, tarih saat, tarih ve saat, zaman, sipariş tarihi, dönüşüm tarihi',
  status:
    'Zustand, Bearbeitungsstatus, Lead-Status, Bestellstatus, estado, estado del pedido, estado de la conversión, estado do pedido, situação, statut, état, statut de la commande, stan, stan zamówienia, status zamówienia, stato, stato ordine, stato conversione, статус, статус заказа, статус лида, состояние, статус замовлення, статус ліда, стан, durum, durumu, sipariş durumu',
  goal: 'Ziel, Ereignis, Aktion, objetivo, evento, acción, meta, ação, objectif, événement, cel, zdarzenie, akcja, obiettivo, azione, цель, событие, действие, ціль, подія, дія, hedef, etkinlik, olay',
  offer:
    'Angebot, Kampagne, Programm, oferta, campaña, programa, campanha, offre, campagne, programme, kampania, programu, offerta, campagna, programma, оффер, офер, кампания, программа, кампанія, програма, teklif, kampanya',
  amount:
    'Betrag, Summe, Preis, Umsatz, Bestellwert, Warenwert, Nettobetrag, Bruttobetrag, Provision, Vergütung, Auszahlung, importe, monto, cantidad, precio, total del pedido, ventas, valor de venta, comisión, ganancia, pago, valor, valor do pedido, valor da venda, preço, montante, comissão, pagamento, montant, somme, prix, montant de la commande, montant de la vente, rémunération, paiement, kwota, suma, wartość, wartość zamówienia, cena, prowizja, wypłata, importo, prezzo, valore, valore ordine, provvigione, commissione, compenso, сумма, сумма заказа, стоимость, цена, оплата, выплата, вознаграждение, комиссия, доход, заработок, сума, сума замовлення, вартість, ціна, виплата, винагорода, комісія, дохід, заробіток, tutar, miktar, fiyat, sipariş tutarı, satış tutarı, komisyon, ödeme, kazanç',
  currency:
    'Währung, Waehrung, Währungscode, moneda, divisa, moeda, devise, monnaie, waluta, valuta, код валюты, валюта, код валюти, para birimi, döviz',
  reason:
    'Grund, Begründung, Ablehnungsgrund, Bemerkung, Kommentar, motivo, motivo de rechazo, comentario, razón, motivo da recusa, comentário, observação, raison, motif, motif du refus, commentaire, remarque, powód, powód odrzucenia, komentarz, uwagi, motivo del rifiuto, commento, note interne, причина, причина отказа, причина отклонения, комментарий, примечание, причина відмови, причина відхилення, коментар, примітка, neden, ret nedeni, yorum, açıklama',
}
/** Dates in Portuguese, Italian and Polish, and anything in English. */
const DATES_OR_NOT = new Set(['data'])
/** What an amount brought somebody, and what was sold, in these languages. */
const EARNED =
  /provision|vergutung|auszahlung|comision|ganancia|comissao|pagamento|^pago|commission|remuneration|paiement|prowizj|wyplat|provvigion|compenso|komisyon|odeme|kazanc|заработ|заробіт/
const SOLD =
  /umsatz|bestell|warenwert|auftrag|venta|pedido|vente|commande|vendita|venda|ordine|sprzedaz|zamowieni|satis|siparis|продаж|заказ|замовлен/

const BY_NAME = new Map(
  (Object.entries(NAMES) as [ColumnField, string][]) // its own keys
    .flatMap(([field, names]) => names.split(',').map((name) => [plainColumn(name), field] as const)),
)

/** What a column is by its name in one of these languages; `valuesOf` tells dates from other data. */
export function columnInWords(name: string, valuesOf: () => readonly string[] = () => []): ColumnField | undefined {
  const plain = plainColumn(name.replace(/[([][^)\]]*[)\]]\s*$/, ''))
  if (DATES_OR_NOT.has(plain)) return valuesOf().some(isDate) ? 'time' : undefined
  return BY_NAME.get(plain)
}

/** Whether an amount may be what a sale brought and not the sale, by the name of its column in these languages. */
export function isEarnedInWords(name: string): boolean {
  return EARNED.test(plainColumn(name))
}

/** Whether a column of amounts is called after what was sold. */
export function isSoldInWords(name: string): boolean {
  const plain = plainColumn(name)
  return SOLD.test(plain) && !EARNED.test(plain)
}

/** Words of statuses in files that no postback has; the others are known by their stems. */
const STATUSES: Readonly<Record<ConversionStatus, string>> = {
  approved:
    'bezahlt, ausgezahlt, gebucht, freigegeben, payé, payée, validée, validato, confermata, confermato, pagato, pagata, opłacona, opłacone, ödendi, сплачено, сплачений, оплачено, зараховано, зачтено, зачислено',
  pending:
    'offen, in Prüfung, zu prüfen, à valider, à vérifier, w trakcie, do weryfikacji, da verificare, da confermare, em análise, en revisión, inceleniyor, işlemde, в обробці, на перевірці, на проверке, новый, новий',
  hold: 'холд, zurückgestellt, wstrzymana, wstrzymane, sospeso, in sospeso, retenido, retido',
  declined:
    'nicht bestätigt, nicht genehmigt, no confirmado, non confermato, non confermata, non validé, não confirmado, niezatwierdzona, niepotwierdzone, onaylanmadı, не підтверджено, непідтверджено, не подтверждено, не подтвержден, возврат, повернення, Retoure, retourniert, remboursé, rimborsato, reembolsado, zwrot, iade, iade edildi',
  trash: 'треш, трэш, спам, сміття, мусор, дубль, Dublette, doppelt, doublon, duplicado, duplikat, zduplikowana, doppione, mükerrer',
}
const BY_STATUS = new Map(
  (Object.entries(STATUSES) as [ConversionStatus, string][]) // its own keys
    .flatMap(([status, words]) => words.split(',').map((word) => [plainColumn(word), status] as const)),
)

/** What a word of a status in a file probably means, for somebody to confirm; null = nobody can say. */
export function guessFileStatus(word: string): ConversionStatus | null {
  return BY_STATUS.get(plainColumn(word)) ?? guessStatus(word, 'status')
}

/** Letters and digits alone, without what stands above or below them. */
function plainColumn(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll('ı', 'i')
    .normalize('NFD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

function isDate(value: string): boolean {
  return /^\d{4}-\d\d?-\d\d?|^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}/.test(value.trim())
}
