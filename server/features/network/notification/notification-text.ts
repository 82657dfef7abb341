import { productOfCap, type Notification, type NotificationKind, type OwnLetter } from '#contract/network/notification.ts'
import { tame } from '#server/features/network/mail/letter.service.ts'

type Side = 'staff' | 'affiliate'
type Words = { en: string; uk: string }
type MailedKind = Exclude<NotificationKind, OwnLetter>

/** What a notification says in a mail, on one line; names are what people typed, and carry no addresses into it. */
export function wordsOf(one: Omit<Notification, 'read' | 'at' | 'kind'> & { kind: MailedKind }, side: Side, language: 'en' | 'uk'): string {
  const { affiliate, offer, landing, ticket, news } = one
  const named: Record<string, string> = {
    affiliate: affiliate === null ? '' : affiliate.name === '' ? `#${affiliate.id}` : tame(affiliate.name),
    offer: tame(offer?.name ?? ''),
    landing: tame(landing?.name ?? ''),
    ticket: ticket === null ? '' : `#${ticket.id}: ${tame(ticket.name)}`,
    news: tame(news?.name ?? ''),
    reason: one.reason === '' ? '' : ` (${tame(one.reason)})`,
    status: STATUSES[one.status]?.[language] ?? tame(one.status),
    count: String(one.count),
  }
  const product = productOfCap(one)
  if (product !== null) named['product'] = tame(product.title)
  const of = product === null ? side : product.whole ? 'of a whole product' : 'of a product'
  const words = TEXTS[`${one.kind} ${one.status}`] ?? TEXTS[`${one.kind} ${of}`] ?? TEXTS[one.kind]
  return words[language].replace(/\{(\w+)\}/g, (_whole, name: string) => named[name] ?? '')
}

const STATUSES: Readonly<Record<string, Words>> = {
  unverified: { en: 'unverified', uk: 'непідтверджений' },
  moderation: { en: 'in moderation', uk: 'на модерації' },
  active: { en: 'active', uk: 'активний' },
  inactive: { en: 'inactive', uk: 'неактивний' },
  banned: { en: 'banned', uk: 'заблокований' },
  rejected: { en: 'rejected', uk: 'відхилений' },
  // periods of limits
  hour: { en: 'hour', uk: 'година' },
  day: { en: 'day', uk: 'день' },
  week: { en: 'week', uk: 'тиждень' },
  month: { en: 'month', uk: 'місяць' },
  total: { en: 'in total', uk: 'загалом' },
}

/** Every kind that is mailed has words here; where it matters, others by what became of it or whom it is told to. */
type Texts = Record<MailedKind, Words> & Partial<Record<`${MailedKind} ${string}`, Words>>
const TEXTS: Readonly<Texts> = {
  access_requested: { en: '{affiliate} asks for access to {offer}', uk: '{affiliate} просить доступ до «{offer}»' },
  'access_decided approved': { en: 'You have access to {offer}', uk: 'Вам відкрито доступ до «{offer}»' },
  access_decided: { en: 'Your request for {offer} was rejected{reason}', uk: 'Ваш запит на «{offer}» відхилено{reason}' },
  affiliate_registered: { en: '{affiliate} is a new affiliate', uk: 'Новий партнер: {affiliate}' },
  affiliate_status: { en: '{affiliate}: status changed to {status}', uk: '{affiliate}: новий статус – {status}' },
  'affiliate_status affiliate': { en: 'Your account: status changed to {status}', uk: 'Ваш обліковий запис: новий статус – {status}' },
  'landing_decided active': { en: 'Your landing {landing} was approved', uk: 'Ваш лендинг «{landing}» схвалено' },
  landing_decided: { en: 'Your landing {landing} was rejected{reason}', uk: 'Ваш лендинг «{landing}» відхилено{reason}' },
  conversions_declined: { en: 'Conversions declined: {count}', uk: 'Відхилено конверсій: {count}' },
  cap_nearly_full: { en: '{offer}: {count} % of the cap is filled', uk: '{offer}: ліміт заповнено на {count} %' },
  cap_full: { en: '{offer}: the cap is full', uk: '{offer}: ліміт вичерпано' },
  'cap_nearly_full of a product': {
    en: '{product} in {offer}: {count} % of its limit is filled ({status})',
    uk: '{product} в офері «{offer}»: ліміт заповнено на {count} % ({status})',
  },
  'cap_nearly_full of a whole product': {
    en: '{product}: {count} % of its limit over all offers is filled ({status})',
    uk: '{product}: ліміт на всі офери заповнено на {count} % ({status})',
  },
  'cap_full of a product': {
    en: '{product} in {offer}: its limit is full ({status})',
    uk: '{product} в офері «{offer}»: ліміт вичерпано ({status})',
  },
  'cap_full of a whole product': {
    en: '{product}: its limit over all offers is full ({status})',
    uk: '{product}: ліміт на всі офери вичерпано ({status})',
  },
  credit_near: { en: '{count} % of the credit of an advertiser is used{reason}', uk: 'Використано {count} % кредиту рекламодавця{reason}' },
  leads_silent: {
    en: 'A product tells nothing of its open leads{reason}',
    uk: 'Продукт нічого не каже про свої відкриті ліди{reason}',
  },
  product_refused: {
    en: 'A product takes no leads: its account was refused{reason}',
    uk: 'Продукт не приймає лідів: його обліковий запис відхилено{reason}',
  },
  product_failing: {
    en: 'A product rests after {count} errors in a row{reason}',
    uk: 'Продукт відпочиває: помилок поспіль – {count}{reason}',
  },
  cold_rule_failing: {
    en: 'A rule of the Cold API stands still after {count} failed runs{reason}',
    uk: 'Правило Cold API зупинено: невдалих запусків – {count}{reason}',
  },
  credit_blocked: {
    en: 'The credit of an advertiser is used up{reason}: its clicks go to trafficback, its products get no leads',
    uk: 'Кредит рекламодавця вичерпано{reason}: його кліки йдуть на трафікбек, його продукти не отримують лідів',
  },
  invoice_objection: { en: '{affiliate} objects to an invoice{reason}', uk: '{affiliate} заперечує проти рахунка{reason}' },
  'invoice_objection affiliate': {
    en: 'Your objection to an invoice was answered{reason}',
    uk: 'На ваше заперечення щодо рахунка відповіли{reason}',
  },
  own_invoice: { en: '{affiliate} uploaded its own invoice', uk: '{affiliate}: завантажено власний рахунок' },
  'own_invoice affiliate': { en: 'Your own invoice was refused{reason}', uk: 'Ваш власний рахунок не прийнято{reason}' },
  deliveries_given_up: { en: 'Postbacks that could not be delivered: {count}', uk: 'Недоставлених постбеків: {count}' },
  offer_paused: { en: '{offer} is paused', uk: '«{offer}» призупинено' },
  payout_changed: { en: 'The payout of {offer} changed', uk: 'Змінилася виплата за «{offer}»' },
  'payout_changed affiliate': { en: 'Your payout for {offer} changed{reason}', uk: 'Змінилася ваша виплата за «{offer}»{reason}' },
  invoice_moved: { en: 'An invoice of yours has changed{reason}', uk: 'Ваш рахунок змінився{reason}' },
  'invoice_moved waiting': { en: 'An invoice waits for your look{reason}', uk: 'Рахунок чекає, щоб ви його переглянули{reason}' },
  'invoice_moved approved': {
    en: 'Your invoice is approved and will be paid{reason}',
    uk: 'Ваш рахунок схвалено, його буде сплачено{reason}',
  },
  'invoice_moved paid': { en: 'Your invoice is paid{reason}', uk: 'Ваш рахунок сплачено{reason}' },
  'invoice_moved returned': { en: 'A payment to you came back{reason}', uk: 'Виплата вам повернулася{reason}' },
  'invoice_moved failed': { en: 'A payment to you did not arrive{reason}', uk: 'Виплата вам не дійшла{reason}' },
  'invoice_moved declined': {
    en: 'Your invoice was declined, its sum is available again{reason}',
    uk: 'Ваш рахунок відхилено, сума знову доступна{reason}',
  },
  'invoice_moved cancelled': {
    en: 'Your invoice was cancelled by a credit note, its sum is available again{reason}',
    uk: 'Ваш рахунок скасовано кредит-нотою, сума знову доступна{reason}',
  },
  request_decided: { en: 'Your payout request was declined{reason}', uk: 'Ваш запит на виплату відхилено{reason}' },
  'request_decided accepted': {
    en: 'Your payout request was accepted: an invoice is being made{reason}',
    uk: 'Ваш запит на виплату прийнято: готується рахунок{reason}',
  },
  'request_decided open': {
    en: 'Your payout request is open again: its invoice was not made{reason}',
    uk: 'Ваш запит на виплату знову відкритий: рахунок за ним не складено{reason}',
  },
  balance_changed: { en: 'Your balance was corrected{reason}', uk: 'Ваш баланс скориговано{reason}' },
  'balance_changed bonus': { en: 'You have a bonus{reason}', uk: 'Вам нараховано бонус{reason}' },
  'balance_changed opening': { en: 'Your balance of before was brought over{reason}', uk: 'Перенесено ваш попередній баланс{reason}' },
  'balance_changed given_up': { en: 'You need not pay back what you owed{reason}', uk: 'Вам списано борг{reason}' },
  'balance_changed forfeited': { en: 'Money of your balance was taken off{reason}', uk: 'Із вашого балансу списано кошти{reason}' },
  'balance_changed prepayment': { en: 'You were paid in advance{reason}', uk: 'Вам виплачено аванс{reason}' },
  'balance_changed void': { en: 'A bonus or correction was taken back{reason}', uk: 'Бонус або коригування скасовано{reason}' },
  ticket_message: { en: 'New messages in ticket {ticket}', uk: 'Нові повідомлення в тікеті {ticket}' },
  accounts_assigned: {
    en: 'Accounts that are yours to look after now: {count}',
    uk: 'Облікових записів, якими тепер опікуєтеся ви: {count}',
  },
  'accounts_assigned affiliate': {
    en: 'Affiliates that are yours to look after now: {count}',
    uk: 'Партнерів, якими тепер опікуєтеся ви: {count}',
  },
  'accounts_assigned advertiser': {
    en: 'Advertisers that are yours to look after now: {count}',
    uk: 'Рекламодавців, якими тепер опікуєтеся ви: {count}',
  },
  'accounts_assigned manager': { en: 'Managers who report to you now: {count}', uk: 'Менеджерів, які тепер звітують вам: {count}' },
  'domain_replaced ': { en: 'Your links no longer begin as before{reason}', uk: 'Ваші посилання більше не починаються, як раніше{reason}' },
  domain_replaced: {
    en: 'Your links begin with {status} now instead of the domain before{reason}',
    uk: 'Ваші посилання тепер починаються з {status} замість попереднього домену{reason}',
  },
  news: { en: 'News: {news}', uk: 'Новина: {news}' },
}
