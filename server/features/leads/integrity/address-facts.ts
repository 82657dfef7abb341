import { readAddress } from '#server/platform/address.ts'
import { countryCode } from '#server/platform/geo/country.ts'
import { areNetworksCompiled, openNetworks, type FindNetwork } from '#server/platform/geo/network.ts'
import { arePlacesCompiled, openPlaces, type FindPlace } from '#server/platform/geo/place.ts'
import { isPublicAddress } from '#server/platform/outbound/address.ts'
import { isHosting } from '#server/rules/lead/integrity/hosting.ts'
import type { AddressFacts } from '#server/rules/lead/integrity/snapshot.ts'

/** What is known of an address; null = the tables are not there yet. */
export type FindAddress = (ip: string) => AddressFacts | null

let tables: { findPlace: FindPlace; findNetwork: FindNetwork } | null = null

/** Looks an address up in the tables trackers use, which a process holds from the first lead on that asks for it. */
export const findAddress: FindAddress = (ip) => {
  const bytes = new Uint8Array(16)
  if (readAddress(ip, bytes) === 0) return null
  if (!isPublicAddress(ip)) return { country: '', asn: 0, network: '', hosting: false, reserved: true }
  // compiling them takes seconds and is for another process
  if (tables === null && !(arePlacesCompiled() && areNetworksCompiled())) return null
  tables ??= { findPlace: openPlaces(), findNetwork: openNetworks() }
  const country = countryCode(tables.findPlace(bytes).country)
  const { asn, label, connection } = tables.findNetwork(bytes)
  const hosting = connection === 'hosting' || isHosting(asn)
  return { country: country === 'ZZ' ? '' : country, asn, network: label, hosting, reserved: false }
}
