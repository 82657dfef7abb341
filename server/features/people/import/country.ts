import { choicesOf } from '#server/features/network/constant/constant.service.ts'

const COUNTRY_CODES = Object.keys(choicesOf('geos'))

const NAMES = new Map(
  ['en', 'uk'].flatMap((language) => {
    const names = new Intl.DisplayNames(language, { type: 'region' })
    return COUNTRY_CODES.map((code) => [plain(names.of(code) ?? code), code] as const)
  }),
)

/** What people also write for some countries. */
const ALSO: Readonly<Record<string, string>> = {
  uk: 'GB',
  england: 'GB',
  greatbritain: 'GB',
  usa: 'US',
  unitedstatesofamerica: 'US',
  america: 'US',
  uae: 'AE',
  russia: 'RU',
  southkorea: 'KR',
  korea: 'KR',
  czechrepublic: 'CZ',
  holland: 'NL',
  turkey: 'TR',
  moldova: 'MD',
  vietnam: 'VN',
  сша: 'US',
  англія: 'GB',
  чехія: 'CZ',
}

/** The code of a country by its code or its name in English or Ukrainian; null where none is called so. */
export function countryOf(text: string): string | null {
  const code = text.trim().toUpperCase()
  if (COUNTRY_CODES.includes(code)) return code
  return NAMES.get(plain(text)) ?? ALSO[plain(text)] ?? null
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}]/gu, '')
}
