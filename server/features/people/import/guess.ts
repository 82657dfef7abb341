import { IMPORT_FIELDS, type ImportedKind, type ImportField, type Mapping } from '#contract/people/import.ts'

/**
 * Which column is what, by its name: the words of our own exports, of those of Affise, Everflow, TUNE, CAKE and Scaleo, and what people call
 * columns in English and Ukrainian. Each field and each column once; the earlier word of a list wins.
 */
export function guessMapping(kind: ImportedKind, columns: readonly string[]): Mapping {
  const names = columns.map(plain)
  const found: Mapping = {}
  const taken = new Set<number>()
  for (const field of IMPORT_FIELDS[kind]) {
    const place = WORDS[field]
      .map((word) => names.findIndex((name, index) => name === plain(word) && !taken.has(index)))
      .find((index) => index >= 0)
    if (place === undefined) continue
    found[field] = place
    taken.add(place)
  }
  // a network that knows only companies calls each by its company
  const company = kind === 'affiliate' ? 'company' : 'company.name'
  if (found.name === undefined && found[company] !== undefined) {
    found.name = found[company]
    delete found[company]
  }
  return found
}

/** Letters and digits alone, whatever stands between them. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

const WORDS: Readonly<Record<ImportField, readonly string[]>> = {
  name: [
    'name',
    'full name',
    'affiliate name',
    'partner name',
    'advertiser name',
    'affiliate',
    'partner',
    'advertiser',
    'publisher',
    'login',
    'title',
    'network affiliate name',
    'network advertiser name',
    'contact name',
    'імʼя',
    'імя',
    'ім’я',
    'піб',
    'назва',
    'партнер',
    'рекламодавець',
    'логін',
  ],
  email: [
    'email',
    'e-mail',
    'e-mail address',
    'mail',
    'contact email',
    'user email',
    'affiliate email',
    'partner email',
    'publisher email',
    'advertiser email',
    'affiliate user email',
    'advertiser user email',
    'primary contact email',
    'contact e-mail',
    'account email',
    'login email',
    'пошта',
    'електронна пошта',
    'е-пошта',
    'емейл',
    'ел. пошта',
  ],
  external_id: [
    'external id',
    'old id',
    'pid',
    'affiliate id',
    'partner id',
    'publisher id',
    'network affiliate id',
    'advertiser id',
    'network advertiser id',
    'id',
    'зовнішній id',
    'старий id',
  ],
  status: [
    'status',
    'account status',
    'state',
    'affiliate status',
    'partner status',
    'publisher status',
    'advertiser status',
    'статус',
    'стан',
  ],
  manager: [
    'manager',
    'account manager',
    'affiliate manager',
    'advertiser manager',
    'sales manager',
    'partner manager',
    'publisher manager',
    'account executive',
    'assigned manager',
    'manager name',
    'affiliate manager name',
    'partner manager name',
    'network employee',
    'affiliate account manager',
    'advertiser account manager',
    'manager email',
    'account manager name',
    'менеджер',
  ],
  company: [
    'company',
    'company name',
    'affiliate company',
    'partner company',
    'organization',
    'organisation',
    'компанія',
    'фірма',
    'назва компанії',
  ],
  website: ['website', 'affiliate website', 'website url', 'web site', 'site', 'url', 'web', 'site url', 'сайт', 'вебсайт', 'веб-сайт'],
  country: ['country', 'affiliate country', 'partner country', 'country code', 'country name', 'geo', 'країна', 'країна партнера'],
  phone: [
    'phone',
    'affiliate phone',
    'contact phone',
    'work phone',
    'telephone',
    'phone number',
    'mobile',
    'cell phone',
    'tel',
    'телефон',
    'номер телефону',
    'мобільний',
  ],
  'contacts.skype': ['skype', 'contacts.skype', 'скайп'],
  'contacts.telegram': ['telegram', 'tg', 'contacts.telegram', 'messenger', 'im', 'телеграм', 'телеграм-акаунт'],
  'contacts.linkedin': ['linkedin', 'contacts.linkedin', 'лінкедін'],
  currency: ['currency', 'default currency', 'currency id', 'billing currency', 'валюта'],
  time_zone: ['time zone', 'timezone', 'timezone id', 'часовий пояс', 'час. пояс'],
  tags: ['tags', 'labels', 'tag', 'label', 'мітки', 'теги'],
  traffic_sources: ['traffic sources', 'traffic source', 'traffic', 'traffic types', 'sources', 'джерела трафіку', 'трафік'],
  verticals: ['verticals', 'vertical', 'categories', 'вертикалі', 'вертикаль'],
  geos: ['geos', 'countries', 'target countries', 'країни', 'гео'],
  notes: ['notes', 'note', 'internal notes', 'comment', 'comments', 'description', 'нотатки', 'примітки', 'коментар'],
  'company.name': ['company name', 'company', 'legal name', 'legal entity', 'organization', 'юридична назва', 'компанія', 'назва компанії'],
  'company.vat_id': [
    'vat',
    'vat id',
    'vat number',
    'vat code',
    'tax id',
    'tin',
    'ssn tax id',
    'пдв',
    'іпн',
    'номер платника пдв',
    'податковий номер',
  ],
  'company.registration_number': [
    'registration number',
    'company number',
    'reg number',
    'company id',
    'registration no',
    'єдрпоу',
    'реєстраційний номер',
  ],
  'company.address': ['address', 'address 1', 'address1', 'street', 'billing address', 'адреса', 'вулиця'],
  'company.city': ['city', 'town', 'місто'],
  'company.postal_code': ['postal code', 'zip', 'zipcode', 'zip code', 'postcode', 'zip postal code', 'індекс', 'поштовий індекс'],
  'company.country': ['country', 'country code', 'country name', 'країна'],
}
