/** Countries of several zones, and the one in the middle of where their people live. */
const MIDDLE: Readonly<Record<string, string>> = {
  AR: 'America/Argentina/Buenos_Aires',
  AU: 'Australia/Adelaide',
  BR: 'America/Sao_Paulo',
  CA: 'America/Winnipeg',
  CD: 'Africa/Kinshasa',
  CL: 'America/Santiago',
  CN: 'Asia/Shanghai',
  CY: 'Asia/Nicosia',
  DE: 'Europe/Berlin',
  EC: 'America/Guayaquil',
  ES: 'Europe/Madrid',
  FM: 'Pacific/Pohnpei',
  GL: 'America/Nuuk',
  ID: 'Asia/Makassar',
  KZ: 'Asia/Almaty',
  MN: 'Asia/Ulaanbaatar',
  MX: 'America/Mexico_City',
  MY: 'Asia/Kuala_Lumpur',
  NZ: 'Pacific/Auckland',
  PF: 'Pacific/Tahiti',
  PG: 'Pacific/Port_Moresby',
  PS: 'Asia/Hebron',
  PT: 'Europe/Lisbon',
  RU: 'Asia/Yekaterinburg',
  UA: 'Europe/Kyiv',
  US: 'America/Chicago',
  UZ: 'Asia/Tashkent',
}

const known = new Map<string, string | null>()

/** By whose clock somebody of a country lives; of a country with several zones the one in the middle; null = nobody knows. */
export function zoneOf(country: string): string | null {
  const found = known.get(country)
  if (found !== undefined) return found
  const zone = MIDDLE[country] ?? onlyZone(country)
  known.set(country, zone)
  return zone
}

function onlyZone(country: string): string | null {
  if (!/^[A-Z]{2}$/.test(country)) return null
  const zones = (new Intl.Locale(`und-${country}`).getTimeZones?.() ?? []).filter((zone) => !zone.startsWith('Etc/'))
  return zones[Math.floor((zones.length - 1) / 2)] ?? null
}
