import { AFFILIATES } from '../people.ts'

/** What companies of a country are called, where they sit, and how their VAT numbers look; '' = they have none. */
const COUNTRIES: Readonly<Record<string, readonly [form: string, street: string, town: string, vat: string]>> = {
  UA: ['ТОВ', 'вул. Зразкова', 'Київ', ''],
  DE: ['GmbH', 'Musterstraße', 'Berlin', 'DE'],
  GB: ['Ltd', 'Sample Road', 'London', ''],
  PL: ['sp. z o.o.', 'ul. Wzorcowa', 'Kraków', 'PL'],
  PT: ['Lda', 'Rua do Exemplo', 'Lisboa', 'PT'],
  IN: ['Pvt Ltd', 'Sample Marg', 'Pune', ''],
  TR: ['A.Ş.', 'Örnek Caddesi', 'İstanbul', ''],
  ES: ['S.L.', 'Calle del Ejemplo', 'Madrid', 'ES'],
  CA: ['Inc.', 'Sample Street', 'Montréal', ''],
  BR: ['Ltda', 'Rua Exemplo', 'Rio de Janeiro', ''],
  CZ: ['s.r.o.', 'Vzorová', 'Praha', 'CZ'],
  FI: ['', 'Mallikatu', 'Turku', 'FI'],
  AU: ['Pty Ltd', 'Sample Parade', 'Gold Coast', ''],
  FR: ['SAS', 'rue de l’Exemple', 'Lyon', 'FR'],
  LT: ['MB', 'Pavyzdžio g.', 'Kaunas', ''],
  IT: ['S.r.l.', 'via Esempio', 'Roma', 'IT'],
  KZ: ['LLP', 'Sample Avenue', 'Almaty', ''],
  NL: ['B.V.', 'Voorbeeldstraat', 'Rotterdam', 'NL'],
  PH: ['Inc.', 'Sample Street', 'Manila', ''],
}

/** Who the affiliate at a place of the demo's list is on paper. The companies are made up. */
export function partyOf(place: number) {
  const { name = '', country } = AFFILIATES[place] ?? {}
  const [form, street, town, vat] = COUNTRIES[country ?? ''] ?? ['', 'Sample Street', '', '']
  const number = String(123_450_000 + place * 9_176_113).slice(0, 9)
  return {
    name: form === 'ТОВ' ? `ТОВ «${name}»` : `${name} ${form}`.trim(),
    address: `${street} ${7 + place * 3}`,
    postcode: String(10_000 + place * 1_117),
    town,
    country: country ?? null,
    vat_id: vat === '' ? '' : `${vat}${number}`,
    registration: '',
  }
}
