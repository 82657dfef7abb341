import type {
  NetworkTrafficback,
  Snapshot,
  SnapshotAffiliate,
  SnapshotChange,
  SnapshotKeys,
  SnapshotLink,
  SnapshotOffer,
} from '#server/rules/offer/snapshot.ts'

/** What the tracker knows, by id: the plain side. The compiled side (compiled.ts) follows every change. */
export type SnapshotStore = {
  offers: Map<number, SnapshotOffer>
  affiliates: Map<number, SnapshotAffiliate>
  links: Map<string, SnapshotLink>
  /** null until the first snapshot is in: no click can be answered before. */
  keys: SnapshotKeys | null
  trafficback: NetworkTrafficback
  /** Number of the last change that is in. */
  seq: number
}

/** A store that knows nothing yet. */
export function createSnapshotStore(): SnapshotStore {
  return { offers: new Map(), affiliates: new Map(), links: new Map(), keys: null, trafficback: { url: null, groups: {} }, seq: 0 }
}

/** Applies one change. */
export function applyChange(store: SnapshotStore, change: SnapshotChange): void {
  if (change.kind === 'offer') store.offers.set(change.value.id, change.value)
  else if (change.kind === 'affiliate') store.affiliates.set(change.value.id, change.value)
  else if (change.kind === 'link') store.links.set(change.value.code, change.value)
  else if (change.kind === 'keys') store.keys = change.value
  else if (change.kind === 'trafficback') store.trafficback = change.value
  else if (change.entity === 'offer') store.offers.delete(Number(change.key))
  else if (change.entity === 'affiliate') store.affiliates.delete(Number(change.key))
  else store.links.delete(change.key)
}

/**
 * The changes that turn the store into a snapshot, one by one so that the caller may pause between them. The keys come
 * last: with them a tracker is ready, and a click must not find its offer missing because it has not been read yet.
 */
export function* changesTowards(store: SnapshotStore, snapshot: Snapshot): Generator<SnapshotChange> {
  yield { kind: 'trafficback', value: snapshot.trafficback }
  for (const value of snapshot.affiliates) yield { kind: 'affiliate', value }
  for (const value of snapshot.offers) yield { kind: 'offer', value }
  for (const value of snapshot.links) yield { kind: 'link', value }
  const offers = new Set(snapshot.offers.map((offer) => offer.id))
  for (const id of store.offers.keys()) if (!offers.has(id)) yield { kind: 'delete', entity: 'offer', key: String(id) }
  const affiliates = new Set(snapshot.affiliates.map((affiliate) => affiliate.id))
  for (const id of store.affiliates.keys()) if (!affiliates.has(id)) yield { kind: 'delete', entity: 'affiliate', key: String(id) }
  const links = new Set(snapshot.links.map((link) => link.code))
  for (const code of store.links.keys()) if (!links.has(code)) yield { kind: 'delete', entity: 'link', key: code }
  yield { kind: 'keys', value: snapshot.keys }
}
