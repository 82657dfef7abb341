import { expect, test } from 'vitest'
import { understand } from './postback-meaning.ts'
import { pairsOfJson, readParameters } from './postback-reading.ts'

/*
 * What a call without a status holds besides, where no status = approved: written by hand from what people and programs
 * send, so that the words of the code are not their own proof. A line is `name: value | value`.
 */
const NO_MONEY = `
x: no sale | No Lead | not a lead | no conversion | no order | not a sale | without payment | no payout | never paid | not been paid | was not approved
x: not yet approved | has not converted | isn't valid | wasn't accepted | won't pay | can't be verified | cannot be confirmed | did not qualify | doesn't count
x: disapprove | disapproved | disapproval | trashed | invalidated | invalidation | deleted | removed | nullified | rescinded | disqualification | disallowed
x: rejecting | rejection | auto-rejected | REJECTED_BY_ADVERTISER | LeadRejected | lead_declined | leadrejected | declining | denies | deny | refuse | refusing | refusals
x: revocation | revoke | rescind | voided | reversing | reversal of sale | refunding | partially refunded | charged back | charge-back | chargeback received
x: unaccepted | unvalidated | uncredited | uncounted | unbillable | unbilled | unconverted | non-billable | nonqualified | not billable | non converting | unauthorized
x: double lead | lead double | duplicate order | dup lead | dupe | lead deleted | order removed | lead is fake | spam lead | test failed | lead lost | dead lead | bad lead
x: order returned | returned by customer | order:returned | lead=deleted | state:rejected | order: cancelled | sale;void | lead/trash | payment - failed | order.returned
x: scrub | scrubbed | shaved | bounced payment | payment bounced | wrong number | wrong phone | not interested | no answer | unreachable | out of stock | underage
x: abgelehnt | Abgelehnt durch Händler | Ablehnung | storniert | Bestellung storniert | Stornierung | ungültig | nicht bestätigt | zurückgewiesen | nicht bezahlt | rückerstattet
x: widerrufen | abgebrochen | gelöscht | unbezahlt | fehlgeschlagen | keine Zahlung | gesperrt
x: rechazado | rechazada | Pedido rechazado | rechazo | denegado | anulado | anulada | cancelada | pedido cancelado | reembolsado | devuelto | inválido | no válido | no pagado | no aprobado | duplicado | fallido
x: cancelado | recusado | rejeitado | reprovado | estornado | estorno | reembolso | não aprovado | nao pago | inválida | negado | devolvido | excluído
x: refusé | refusée | commande refusée | rejeté | annulé | annulée | remboursé | non validé | invalide | échoué | doublon | impayé | pas payé | supprimé
x: rifiutato | rifiutata | ordine annullato | annullato | respinto | rimborsato | stornato | non valido | non approvato | non pagato | fallito | scartato
x: odrzucony | odrzucona | odrzucono | zamówienie anulowane | anulowano | anulowany | zwrócony | zwrot | nieopłacone | nieważny | niezatwierdzony | nie potwierdzono | odmowa | usunięty
x: reddedildi | reddedilmiş | iptal edildi | iptal | iade edildi | geçersiz | onaylanmadı | başarısız | ödenmedi | silindi | mükerrer
x: отклонено | отклонён | заявка отклонена | отказ клиента | отменён | заказ отменен | аннулировано | возврат | не оплачен | неоплачено | не подтверждено | невалид | недействительный | дубль | удалён | брак | треш | спам
x: відхилена | заявку відхилено | скасована | замовлення скасовано | анульовано | повернено | не оплачено | неоплачений | не підтверджено | недійсний | дубль заявки | видалено | шахрайство | відмова клієнта | спам
paid_out: 0 | false | no
x: отклонённой | отклонённых | отклонили | отменённого | отказы | возвраты | возвратов | аннулировали | відхилили | відхиленого | скасували | скасованого | анульовані | відмови
x: abgelehnten | abgelehntes | stornierter Auftrag | stornierte | Stornierungen | refusés | refusées | annulations | remboursements | reembolsos | devoluciones | estornos | cancelaciones
x: rimborsi | rifiuti | odrzucenie | odrzucili | anulowanych | zwrotu | zwroty | iptaller | iptali
counted: 0 | no | false
errors: 1 | 3
error: 1 | timeout | E1042
comment: declined | lead was rejected by the shop | дубль | refund | abgelehnt | not interested, cancelled | Duplicate of order 5512
reason: duplicate | fraud | low quality, rejected | wrong number | отказ | rechazado
rejection_reason: low quality | geo
decline_reason: too young | 4
declineReason: age
rejectreason: quality
denial_reason: quality
failure_reason: timeout
failReason: card
error_message: card expired
error_code: 14
invalid_reason: phone
void_reason: x7
not_paid: 1 | true
no_sale: 1
not_valid: yes
nonbillable: 1
unqualified: true
is_deleted: 1 | true
deleted: true
removed: 1
trashed: yes
disapproved: 1
is_double: 1
isDup: true
lead_rejected: yes
was_refunded: 1
rejects: 2
duplicates: 1
error_count: 4
credited: 0
payable: 0
is_billable: false
is_counted: 0
leadValid: false
lead_is_valid: 0
conversion_counted: no
commissionable: 0
validated: false
is_converted: 0
payout_approved: 0
storniert: 1
abgelehnt: true
rechazado: 1
cancelado: si | 1
odrzucony: 1
отменен: 1
отклонено: да
оплачено: 0
pagado: 0
bezahlt: nein
result: declined by bank | lead not accepted | nicht akzeptiert | error
message: your lead has been removed | unfortunately your lead did not pass validation | Le lead a été refusé | lead zostal odrzucony | заявка не прошла проверку
note: order was cancelled | rejected lead
info: lead is a duplicate | not qualified
x: awaiting approval | in moderation | на модерации | в обработке | in Bearbeitung | pendiente | en attente | oczekuje | beklemede | under review
x: the lead was rejected because the phone number given is wrong | sorry, your conversion has been declined by our partner
held: lead has been cancelled by operator | client refused delivery | customer did not pay | Not confirmed by phone | order void | Declined - insufficient funds | rejected: geo | status rejected | chargebacked | reason: duplicate
held: Kunde hat storniert | Bestellung abgelehnt wegen Betrug | Zahlung fehlgeschlagen | nicht akzeptiert | Auftrag ungültig | Pago rechazado | venta anulada | solicitud denegada | no confirmado | Pagamento não confirmado
held: venda cancelada | pedido devolvido | commande annulée | paiement refusé | demande rejetée | vente non confirmée | pagamento rifiutato | richiesta respinta | ordine cancellato | wniosek odrzucony | płatność odrzucona | zamówienie zwrócone
held: sipariş iptal edildi | ödeme reddedildi | başvuru onaylanmadı | заказ отменён клиентом | лид отклонен | оплата не прошла | не засчитано | лід відхилено | оплату скасовано | клієнт відмовився | не зараховано | неоплата
held: Lead not qualified | unpaid invoice | void transaction | payment reversed | expired lead | order expired | blocked by antifraud | failed validation | validation failed | could not verify | not eligible for payout | REJ | DUP | cancelled_by_user | order-status-cancelled | refund issued | order was returned to sender
lead_cancelled: 1
refunded_amount: 5
reversal_amount: 3
has_error: 1
was_declined: 1
valid_lead: false
approved_lead: 0
is_accepted: 0
isQualified: no
payment_success: 0
payment_received: 0
is_payable: false
is_duplicate_lead: 1
cancellation: 1
is_fake: 1
lead_fraud: 1
error_text: no card
decline_message: call later
errorDescription: timed out
rejection_comment: geo
deletedAt: 2026-11-01
trash: 1
stornierung: ja
annule: 1
odrzucone: tak
скасовано: 1
схвалено: 0
x: not a valid lead | lead did not convert | conversion was scrubbed | commission reversed | order cancelled by merchant | sale cancelled | purchase refunded in full | player banned | bonus abuse, declined | self referral rejected | KYC failed | kyc_rejected | wrong geo | invalid geo | bot traffic rejected | unapproved traffic | not attributed | unattributed | duplicate IP | duplicate email | already registered | existing customer | test lead | fake data | blacklisted
x: chargeback_pending | refund_requested | disputed | payment declined by bank | card declined | void | voided by admin | Cancelada por el cliente | Rechazado por duplicado | lead duplicado | Pedido devuelto | no cualificado | Recusado pelo banco | Pagamento recusado | pedido estornado | Commande remboursée | Lead refusé | lead invalide | doublon | Lead rifiutato | ordine rimborsato | lead duplicato | Odrzucony lead | Zwrot towaru | anulowane przez klienta
x: Reddedilen başvuru | iptal | Отклонён: дубль | лид невалидный | Клиент отказался | недозвон | отказ | Скасовано клієнтом | Невалідний лід | Дубль | Не додзвонились
result: callback later | voicemail | suspicious | maybe | unmatched | withdrawn | timeout | filtered | busy | low quality | maybe valid | 7
outcome: callback later | voicemail
lead_result: withdrawn
verdict: suspicious
decision: filtered
disposition: Voicemail
accept: no | 0 | later
accepted: no
validate: 0 | false
qualify: 0
matched: 0 | no
sold: 0 | no
lead_matched: 0
x: zamítnuto | objednávka zrušena | stornováno | neschváleno | vráceno | neplatná | nezaplaceno | není schváleno | neni potvrzeno
x: afgewezen | bestelling geannuleerd | geweigerd | afgekeurd | ongeldig | terugbetaald | niet goedgekeurd | geen betaling | mislukt
x: respins | comandă anulată | refuzat | neconfirmat | neaprobat | neplătit | nu este aprobat | eșuat | plata a fost rambursată
x: elutasítva | elutasított | rendelés törölve | visszavonva | érvénytelen | sikertelen | visszatérítve | nem jóváhagyott | nem fizetett
x: ditolak | pesanan dibatalkan | gagal | tidak disetujui | belum dibayar | pembayaran gagal | dikembalikan | tidak valid | penolakan
not_approved: 1
is_invalid: 1
isFraud: true
lead_ok: 0
is_success: no
paid_lead: 0
order_refunded: true
returned: 1
rejected_lead: 1
was_paid: false
conversion_valid: 0
cancel_flag: 1
err_code: 7
errmsg: declined
reject_msg: geo
`

/** What calls hold that says nothing of a status. */
const MONEY = `
result: success | 1 | yes | lead accepted | OK | done | одобрено | schváleno | goedgekeurd | aprobat | elfogadva | disetujui
outcome: approved | true
accept: 1 | yes
validate: true
matched: 1 | yes
sold: 1 | true | 2026-11-20
resolution: 1920x1080
screen_resolution: 1366x768
search_results: 12
quiz_result: Type B
x: schváleno | zaplaceno | goedgekeurd | betaald | bestelling bevestigd | aprobat | plătit | elfogadva | jóváhagyva | disetujui | pembayaran diterima | Nu Skin | Praha | Den Haag | Brașov | Székesfehérvár | Jakarta | Nemo | Niet bekend | Batalha
utm_campaign: cancel-anytime | no-deposit-bonus | black_friday_2026 | free_returns | refund-guarantee | lost_leads | double_dip | invalid_traffic_test | spring-sale
utm_content: returned_visitors | deleted scenes | fake-tan | dead cheap | error-free | removed
utm_term: stain remover | hair removal | spam filter | trash bags | divorce denial | how to cancel netflix | void linux
utm_source: facebook | google | rejected.example | newsletter
x: New York | Bad Homburg | Bad Ems | Stornoway | Dublin | Дублін | Дублин | Invercargill | Paris Les Invalides | Cancún | Denison | Denizli | Odessa | Kyiv | Reading | Deventer | Reims | Voiron | Trashigang | Annaba
x: Львів | Одеса | Москва | Краснодар | Вінниця | São Paulo | Łódź | Zwolle | Köln | İzmir | Müftüoğlu Sok
x: Fabian Cancellara | Declan Rice | Deny Cipriani | Don Lemon Not | Nicholas Noe | Denise Refusnik | Norman Lost | Anna Nowak | Bill Paid Jr | Sara Confirmo | Валентин Валидов | Олена Невалідова | Void Walker | Grace Fallon | Victor Valid | Max Power | Juan Nadal
product: Double Trouble | Trash Bags 50L | Fake Tan Lotion | Dead Sea Mud Mask | Error 404 T-Shirt | Deleted Scenes DVD | Void Walker Hoodie | Lost Season 2 | Hair Removal Cream | Stain Remover | Spam Musubi Press | Reverse Osmosis Filter | Return Address Stamp
x: Double Trouble | Trash Bags 50L | Fake Tan Lotion | Dead Sea Mud Mask | Error 404 T-Shirt | Deleted Scenes DVD | Hair Removal Cream | Stain Remover 500ml | Reverse Osmosis Filter | Return Address Stamp | Lost in Space | Double Espresso | Epic Fail Poster | Дублёнка женская | No 7 Serum | Noise Reduction | Nonstick Pan | Notebook Pro | Invisible Socks | Discounted | Disney Plus | Incoming | Indoor Plant | Denim Jacket | Rejuvenating Cream | Decline Bench Press 200 kg bar kit | Refill Pack
x: iPhone 15 | a1b2c3 | LEAD-10023 | REG1234 | SALE2026 | FAIL10 | ORD-5512 | order 5512 | lead 42 | #1001 | 2026-11-22T10:00:00Z | 10:30 | 192.0.2.7 | 5f1c-22-aa | en-GB | uk_UA | GBP | Visa | mastercard | 4242 | true | yes | no | none | n/a | web | mobile app | Android 14 | Mozilla/5.0 (Linux)
x: no errors | no fraud | not fraud | no refund | not a duplicate | non-refundable | no duplicates found | without errors | error-free | not cancelled | ohne Fehler | sin errores | без ошибок | без помилок
x: success | OK | valid | thank you | done | delivered | bestätigt bezahlt | aprobado | validé | confermato | zatwierdzony | onaylandı | оплачено | зараховано | прийнято в роботу 5512a | paid in full | lead is valid | conversion counted | payment received
x: free shipping | no deposit bonus | No Deposit Casino | no code | no name | no thanks | not set | (not set) | not provided | new customer | returning customer | first order gift | gift order | order confirmation page | lead magnet | lead gen form 3 | sales team | deposit match 100% | double opt-in | double opt in | lost password page | error page | review site | summer-sale-2026 | Return of the Jedi | payment plan | cash on delivery | 30 day returns | money back | fraud protection plan b
x: color:red | size: XL | sku:AB-1 | utm_source:google | a:b | plan=pro | device:mobile | key;value | 16:9 | variant/black | page.html
x: https://shop.example/refund | no-refund@shop.example | /checkout/returned | www.trash-metal.example
customer_name: Anna Return | Void Ltd
first_name: Deny | Storno | Trash
last_name: Refus | Lost | Rejecta | Нет
x: отказоустойчивый сервер | отменный чай | Refugio del Sol | Annual Report | Возвращение джедая | Cancer Council
city: Bad Ems | Invalid | Denia
company: Reject Records | Cancel Culture Ltd | Duplicate Solutions
email: no-reply@reject.example
sub1: rejected-list-7 | x | double | new | lost
sub2: pending_push | deleted
aff_sub: double | trash7
coupon: FAIL10 | NOREFUND | DOUBLE2
tags: returned, lost, new
title: Order of the Void
browser: Error Browser
comment: thank you | leave at the door | verified by phone, all fine | no errors | спасибо | call me after six | перевірено | lieferung bis Freitag | paid by card | order confirmed
reason: ok | none | purchase | approved | n/a
decline_reason: none | 0 | no
rejection_reason: 0 | none
error: 0 | false | none | no | ok
errors: 0 | none | []
error_code: 0
error_message: none | no error
paid_out: 1 | true
counted: 1 | yes
deleted: 0 | false
is_deleted: false
removed: 0
not_paid: 0
unqualified: false
duplicates: 0
rejects: 0
is_billable: 1
lead_is_valid: 1
оплачено: 1
buyer_accepts_marketing: false | true
accepts_marketing: false
verified_email: false | true
email_verified: 0
phone_valid: 0
terms_accepted: 0
taxes_included: false
tax_exempt: false
gift_card: false
requires_shipping: false
fulfillable_quantity: 0
total_discounts: 0.00
confirmed: true
source_name: web | pos
gateway: shopify_payments | bogus
processing_method: direct
created_via: checkout
prices_include_tax: false
needs_processing: false
is_editable: false
set_paid: true
customer_note: please call before delivery, do not ring the bell
customer_id: 0
payment_method: cod | bacs | stripe
payment_method_title: Cash on delivery | Direct bank transfer
landing_site: /products/no-sale?x=1
order_number: 1001
checkout_token: a8f0cancel
locale: en
lead_id: 77
attempts: 3
returns: 0
new_customer: 1
returning: 0
first_order: 1
is_sale: 0
subscribed: 0
opted_in: 0
consent: false
adult: 0
score: 0
fraud_score: 3
risk_level: low
hour: 0
quantity: 0
position: 0
is_mobile: 0
bot: 0
held: Air Max 90 | Valid Skincare | Approved Aviator Jacket | Confirmed Flights | Payless Shoes | Nein Danke Shirt | No Fear | No Doubt | Non Stop | Sin City | Sans Serif | Sem Título | Nessun Dorma | Без названия | Не указано | Нет данных | Nie podano | ohne Angabe | keine Angabe | sin especificar | Not Applicable | not available | no preference | no referrer | none of the above
held: Cancer Research | Annulus Ring | Lego Duplo Train | Storage Box | Storm Jacket | IPTV Premium | Redding | Reddit | Negativland | Scarface | Respin Game | Falafel | Failsworth | Fraunhofer | Scrub Daddy | Sugar Scrub | Double Bay | Lost Hills | Dead Horse Point | Deadwood | Deadpool 3 | The Trashmen | Returnal | Bad Bunny | Bad Boys 2 | Spamalot | Blocked Drain Service | Removed Wall Bracket | Error Jewelry | Expired Passport Renewal
held: gold | silver tier | plan-b | 3 months | week 48 | Q4 | UAH | 12.50 | en | desktop | Chrome 131 | Telegram | viber | push | popunder | banner_300x250 | lp2 | prelander-7 | A/B test b | control group | variant: b | size: 42 | Size 42, black | pick up at store | express delivery | nova poshta 12 | Відділення №5 | вул. Хрещатик 1 | доставка кур'єром | передзвоніть після 18 | Позвоните завтра | gracias | merci beaucoup | danke schön | obrigado | grazie mille | dziękuję | teşekkürler | Juan Pérez | Ольга Коваль | José Negrão | Anula Perera | Rejane Alves | Deklan Void
order_note: gift wrap please
device_id: 00000000-0000-0000-0000-000000000000
is_first: 0
is_new: 0
has_discount: 0
free: 1
discount: 0
recurring: 0
auto_renew: false
trial: 0
step: 0
tracking_number: 0
ssl: 0
debug: 0
email_opt_in: no
gdpr: 0
newsletter: no
x: valid lead | approved lead | lead ok | sale approved | Nova | Nike Air | Refundacja Sp. z o.o. | Lidl | Lead Singer T-shirt | Bad Gastein | Baden-Baden | Denver | Verifone | Valide Martin | Pago Pago | Paid Search | Paid Social | cpc | retargeting | remarketing | double room | Double bed 160x200 | twin | single | returning visitor
x: lost and found | lead generation | lead form | new arrivals | New Balance 574 | newsletter 7 | Novosibirsk | Nettuno | Nonantola | Sinaloa | Sansa Stark | Bezos | Безенчук | Немиров | Небраска | Нетішин | Несквик | Нечай Ольга | Nieporęt | Niederkassel | Nichtraucher Schutz | Keinemusik | Passau | Jamaica | Cantona
x: Donton | Wontons | Nota | Notting Hill | Null Island | Trieste | Fallon | Erreur 404 | Faust | Frauke | Annulight | Strasbourg | Spamhaus | Declan | Negroni | Revolve | Reversible Jacket | Reverse Cap | Invalidenstraße 5 | Deleted City | Removalists Sydney | Trash Polka | Double A | Fake Fur Coat | Lost Mary Vape
x: Dead Kennedys | Error Records | Void Scans | Expiry 2027 | Returns policy | No returns | Free cancellation | free cancellation until 18:00 | refundable rate | non refundable rate | no cancellation fee | Cancellation insurance | Anti-fraud bundle | Spam-free inbox
sub3: cancelled_users_reactivation
payment_type: prepaid | postpaid
paid_media: 0
return_url: https://a.example/cancel
cancel_url: https://a.example/cancel
error_url: https://a.example/error
reason_code: 0
valid_until: 0
is_returning: 1
error_rate: 0
double_optin: 1
count: 0
pay_type: 0
complete_registration: 1
deleted_items: 0
`

const GOALS = [
  { code: 'sale', type: 'CPA', is_default: true, retired: false },
  { code: 'ftd', type: 'CPA', is_default: false, retired: false },
]

/** The lines of a table as name and value. */
function pairsIn(table: string): { name: string; value: string }[] {
  return table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [, name = '', values = ''] = /^([^:]+): (.*)$/.exec(line) ?? []
      return values.split(' | ').map((value) => ({ name, value }))
    })
}

/** Whether a call that names no status is booked as approved in spite of one parameter more. */
function isBooked(pairs: readonly { name: string; value: string }[]): boolean {
  const { said, problem } = readParameters([{ name: 'click_id', value: 'c' }, ...pairs])
  if (problem !== null) return false
  const meant = understand(said, { goals: GOALS, words: [], statuses: {}, unnamedStatus: 'approved', currency: 'USD' })
  return !('refusal' in meant)
}

const said = ({ name, value }: { name: string; value: string }) => `${name}=${value}`

test('what says that there is no money is never booked as approved', () => {
  const lines = pairsIn(NO_MONEY)
  expect(lines.length).toBeGreaterThan(300)
  expect(lines.filter((one) => isBooked([one])).map(said)).toEqual([])
})

test('what says nothing of a status refuses no money', () => {
  const lines = pairsIn(MONEY)
  expect(lines.length).toBeGreaterThan(300)
  expect(lines.filter((one) => !isBooked([one])).map(said)).toEqual([])
})

const SHOPIFY = {
  id: 8209829119461,
  admin_graphql_api_id: 'gid://shopify/Order/8209',
  app_id: null,
  browser_ip: '1.2.3.4',
  buyer_accepts_marketing: true,
  cancel_reason: null,
  cancelled_at: null,
  cart_token: 'x7',
  checkout_id: 901,
  client_details: { accept_language: 'en', browser_height: null, user_agent: 'Mozilla/5.0' },
  closed_at: null,
  confirmation_number: 'ABC123',
  confirmed: true,
  contact_email: 'jon@example.com',
  created_at: '2021-12-31T19:00:00-05:00',
  customer_locale: 'en',
  device_id: null,
  discount_codes: [{ code: 'FREESHIP', type: 'shipping' }],
  duty_included: false,
  email: 'jon@example.com',
  estimated_taxes: false,
  fulfillment_status: 'pending',
  landing_site: null,
  landing_site_ref: null,
  location_id: null,
  merchant_of_record_app_id: null,
  name: '#9999',
  note: 'do not ring the bell',
  note_attributes: [{ name: 'gift', value: 'no' }],
  number: 234,
  order_number: 1234,
  order_status_url: 'https://x.myshopify.com/690933842/orders/123/authenticate?key=a',
  payment_gateway_names: ['visa', 'bogus'],
  phone: null,
  po_number: null,
  presentment_currency: 'USD',
  processed_at: '2021-12-31T19:00:00-05:00',
  reference: null,
  referring_site: null,
  source_identifier: null,
  source_name: 'web',
  tags: 'tag1, returning',
  tax_exempt: false,
  taxes_included: false,
  test: false,
  total_weight: 0,
  updated_at: '2021-12-31T19:00:00-05:00',
  user_id: null,
  billing_address: {
    first_name: 'Steve',
    address1: '123 Shipping Street',
    city: 'Shippington',
    zip: '40003',
    province: 'Kentucky',
    country: 'United States',
    last_name: 'Shipper',
    company: 'Shipping Company',
    latitude: null,
    name: 'Steve Shipper',
    country_code: 'US',
    province_code: 'KY',
  },
  customer: {
    id: 1153106273147,
    email: 'john@example.com',
    created_at: null,
    first_name: 'John',
    last_name: 'Smith',
    verified_email: true,
    multipass_identifier: null,
    tax_exempt: false,
    email_marketing_consent: { opt_in_level: null, consent_updated_at: null },
    tags: '',
  },
  line_items: [
    {
      id: 866,
      gift_card: false,
      grams: 567,
      name: 'IPod Nano - 8GB',
      product_exists: true,
      requires_shipping: true,
      sku: 'IPOD2008PINK',
      taxable: true,
      title: 'IPod Nano - 8GB',
      variant_title: null,
      vendor: null,
    },
  ],
}
const WOOCOMMERCE = {
  id: 727,
  parent_id: 0,
  number: '727',
  order_key: 'wc_order_58d2d042d1d',
  created_via: 'rest-api',
  version: '3.0.0',
  date_created: '2017-03-22T16:28:02',
  discount_tax: '0.00',
  prices_include_tax: false,
  customer_id: 0,
  customer_ip_address: '',
  customer_note: 'please no calls',
  billing: { first_name: 'John', company: '', city: 'San Francisco', postcode: '94103', country: 'US', phone: '(555) 555-5555' },
  payment_method: 'bacs',
  payment_method_title: 'Direct Bank Transfer',
  transaction_id: '',
  date_paid: '2017-03-22T16:28:08',
  date_completed: null,
  cart_hash: '',
  needs_payment: false,
  needs_processing: true,
  is_editable: false,
  meta_data: [
    { id: 13106, key: '_download_permissions_granted', value: 'yes' },
    { id: 13109, key: '_order_stock_reduced', value: 'no' },
  ],
  line_items: [{ id: 315, name: 'Woo Single #1', product_id: 93, variation_id: 0, quantity: 2, tax_class: '', sku: 'Bar3' }],
  shipping_lines: [{ method_title: 'Flat Rate', method_id: 'flat_rate' }],
}

test('what shops send of an order is refused for lists of names and values alone', () => {
  const refused = (order: object) =>
    pairsOfJson(order)
      .filter((one) => !isBooked([one]))
      .map(({ name }) => name)
  expect(refused(SHOPIFY)).toEqual(['discount_codes.0.type', 'note_attributes.0.value'])
  expect(refused(WOOCOMMERCE)).toEqual(['meta_data.0.value', 'meta_data.1.value'])
})
