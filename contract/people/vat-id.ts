/**
 * How VAT ids look by country of ISO 3166, without spaces, dots and dashes; the country's own letters in front may be left out.
 * Those of the European Union are of the VIES FAQ, table of formats; countries that are not named write what they like.
 */
const FORMATS: Readonly<Record<string, { letters: string; rest: RegExp; like: string }>> = {
  AT: { letters: 'AT', rest: /^U\d{8}$/, like: 'ATU12345678' },
  BE: { letters: 'BE', rest: /^[01]\d{9}$/, like: 'BE0123456789' },
  BG: { letters: 'BG', rest: /^\d{9,10}$/, like: 'BG123456789' },
  CH: { letters: 'CHE', rest: /^\d{9}(MWST|TVA|IVA)?$/, like: 'CHE-123.456.789 MWST' },
  CY: { letters: 'CY', rest: /^\d{8}[A-Z]$/, like: 'CY12345678L' },
  CZ: { letters: 'CZ', rest: /^\d{8,10}$/, like: 'CZ12345678' },
  DE: { letters: 'DE', rest: /^\d{9}$/, like: 'DE123456789' },
  DK: { letters: 'DK', rest: /^\d{8}$/, like: 'DK12345678' },
  EE: { letters: 'EE', rest: /^\d{9}$/, like: 'EE123456789' },
  ES: { letters: 'ES', rest: /^([A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])$/, like: 'ESX1234567X' },
  FI: { letters: 'FI', rest: /^\d{8}$/, like: 'FI12345678' },
  FR: { letters: 'FR', rest: /^[A-HJ-NP-Z0-9]{2}\d{9}$/, like: 'FRXX123456789' },
  GB: { letters: 'GB', rest: /^(\d{9}|\d{12}|GD[0-4]\d{2}|HA[5-9]\d{2})$/, like: 'GB123456789' },
  GR: { letters: 'EL', rest: /^\d{9}$/, like: 'EL123456789' },
  HR: { letters: 'HR', rest: /^\d{11}$/, like: 'HR12345678901' },
  HU: { letters: 'HU', rest: /^\d{8}$/, like: 'HU12345678' },
  IE: { letters: 'IE', rest: /^(\d{7}[A-W][A-I]?|\d[A-Z+*]\d{5}[A-W])$/, like: 'IE1234567WA' },
  IT: { letters: 'IT', rest: /^\d{11}$/, like: 'IT12345678901' },
  LT: { letters: 'LT', rest: /^(\d{9}|\d{12})$/, like: 'LT123456789' },
  LU: { letters: 'LU', rest: /^\d{8}$/, like: 'LU12345678' },
  LV: { letters: 'LV', rest: /^\d{11}$/, like: 'LV12345678901' },
  MT: { letters: 'MT', rest: /^\d{8}$/, like: 'MT12345678' },
  NL: { letters: 'NL', rest: /^\d{9}B\d{2}$/, like: 'NL123456789B01' },
  NO: { letters: 'NO', rest: /^\d{9}(MVA)?$/, like: 'NO123456789MVA' },
  PL: { letters: 'PL', rest: /^\d{10}$/, like: 'PL1234567890' },
  PT: { letters: 'PT', rest: /^\d{9}$/, like: 'PT123456789' },
  RO: { letters: 'RO', rest: /^[1-9]\d{1,9}$/, like: 'RO1234567890' },
  SE: { letters: 'SE', rest: /^\d{10}01$/, like: 'SE123456789001' },
  SI: { letters: 'SI', rest: /^\d{8}$/, like: 'SI12345678' },
  SK: { letters: 'SK', rest: /^\d{10}$/, like: 'SK1234567890' },
  UA: { letters: 'UA', rest: /^(\d{10}|\d{12})$/, like: '123456789012' },
}

/** What a VAT id of a country looks like, where this one does not look so; undefined where it does, or nobody says how. */
export function vatIdMistake(vatId: string, country: string | null): string | undefined {
  const format = country === null ? undefined : FORMATS[country]
  const bare = vatId.toUpperCase().replace(/[\s.-]/g, '')
  if (format === undefined || bare === '') return undefined
  // Northern Ireland trades goods under its own letters
  const letters = country === 'GB' && bare.startsWith('XI') ? 'XI' : format.letters
  const rest = bare.startsWith(letters) ? bare.slice(letters.length) : bare
  return format.rest.test(rest) ? undefined : format.like
}
