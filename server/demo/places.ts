import type { Connection } from '#server/platform/geo/network.ts'

const PLACES: Readonly<Record<string, readonly (readonly [region: string, city: string])[]>> = {
  US: [
    ['California', 'Los Angeles'],
    ['New York', 'New York'],
    ['Texas', 'Houston'],
    ['Florida', 'Miami'],
    ['Illinois', 'Chicago'],
  ],
  DE: [
    ['Berlin', 'Berlin'],
    ['Bavaria', 'Munich'],
    ['Hamburg', 'Hamburg'],
  ],
  UA: [
    ['Kyiv City', 'Kyiv'],
    ['Lviv', 'Lviv'],
    ['Odessa', 'Odesa'],
  ],
  PL: [
    ['Mazovia', 'Warsaw'],
    ['Lesser Poland', 'Krakow'],
    ['Silesia', 'Katowice'],
  ],
  GB: [
    ['England', 'London'],
    ['England', 'Manchester'],
    ['Scotland', 'Glasgow'],
  ],
  FR: [
    ['Île-de-France', 'Paris'],
    ['Auvergne-Rhône-Alpes', 'Lyon'],
  ],
  ES: [
    ['Madrid', 'Madrid'],
    ['Catalonia', 'Barcelona'],
  ],
  IT: [
    ['Lazio', 'Rome'],
    ['Lombardy', 'Milan'],
  ],
  BR: [
    ['Sao Paulo', 'São Paulo'],
    ['Rio de Janeiro', 'Rio de Janeiro'],
  ],
  CA: [
    ['Ontario', 'Toronto'],
    ['Quebec', 'Montreal'],
  ],
  IN: [
    ['Maharashtra', 'Mumbai'],
    ['Karnataka', 'Bengaluru'],
  ],
}

/** Regions and cities of a country in the demo; none of most. */
export function placesOf(geo: string): readonly (readonly [region: string, city: string])[] {
  return PLACES[geo] ?? []
}

/** Networks of the demo, by numbers set aside for documentation. */
export const NETWORKS: readonly (readonly [name: string, asn: number, connection: Connection])[] = [
  ['Example Mobile', 64_496, 'cellular'],
  ['Example Telecom', 64_497, 'unknown'],
  ['Example Cable', 64_498, 'unknown'],
  ['Example Fibre', 64_499, 'unknown'],
  ['Example Cellular', 64_500, 'cellular'],
  ['Example Hosting', 64_501, 'hosting'],
]
