import { LEAD_LIST_FIELDS, type LeadListField, type LeadListMapping } from '#contract/leads/lead-list-mapping.ts'

/** Which column is what, by its name: our own names, those of CRMs and forms, in English and Ukrainian. Each field and each column once; the earlier word of a list wins. */
export function guessFields(columns: readonly string[]): LeadListMapping {
  const names = columns.map(plain)
  const found: LeadListMapping = {}
  for (const field of LEAD_LIST_FIELDS) {
    const taken = Object.values(found)
    const place = [field, ...WORDS[field]]
      .map((word) => names.findIndex((name, index) => name === plain(word) && !taken.includes(index)))
      .find((index) => index >= 0)
    if (place !== undefined) found[field] = place
  }
  // one name in two columns is first and last
  if (found.first_name !== undefined && found.last_name !== undefined) delete found.full_name
  return found
}

/** Letters and digits alone, whatever stands between them. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

const WORDS: Readonly<Record<LeadListField, readonly string[]>> = {
  first_name: ['firstname', 'fname', 'given name', 'forename', 'імʼя', 'ім’я', 'ім\'я', 'імя'],
  last_name: ['lastname', 'lname', 'surname', 'family name', 'second name', 'прізвище'],
  full_name: ['full name', 'name', 'customer name', 'client name', 'lead name', 'піб', 'повне ім’я'],
  email: ['e-mail', 'mail', 'email address', 'e-mail address', 'пошта', 'електронна пошта', 'емейл', 'ел. пошта'],
  phone: ['phone number', 'telephone', 'mobile', 'mobile phone', 'cell', 'cell phone', 'tel', 'msisdn', 'contact number', 'телефон', 'номер телефону', 'мобільний', 'номер'],
  country: ['country code', 'country iso', 'iso', 'geo', 'country name', 'країна', 'гео'],
  language: ['lang', 'locale', 'мова'],
  gender: ['sex', 'стать'],
  birth_date: ['birthdate', 'birthday', 'date of birth', 'dob', 'born', 'дата народження'],
  city: ['town', 'місто'],
  zip: ['zip code', 'zipcode', 'postal code', 'postcode', 'post code', 'індекс', 'поштовий індекс'],
  address: ['street', 'address 1', 'street address', 'адреса', 'вулиця'],
  ip: ['ip address', 'user ip', 'client ip', 'ip адреса'],
  user_agent: ['useragent', 'ua', 'browser agent'],
  registered_at: ['registered', 'registration date', 'registration', 'reg date', 'signup date', 'sign up date', 'created', 'created at', 'date created', 'lead date', 'date', 'дата реєстрації', 'створено', 'дата'],
  consent_at: ['consent date', 'consent time', 'opt in date', 'optin date', 'opt in at', 'consented at', 'дата згоди'],
  consent_recipients: ['recipients', 'consent to', 'partners', 'named partners', 'одержувачі', 'партнери'],
  consent_text: ['consent', 'consent wording', 'opt in text', 'текст згоди', 'згода'],
} // prettier-ignore
