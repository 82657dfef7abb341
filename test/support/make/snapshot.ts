import type { Snapshot, SnapshotOffer } from '#server/rules/offer/snapshot.ts'

/** What a tracker signs the ids of its clicks with. */
export const TRACKING_KEYS: Snapshot['keys'] = {
  current: 1,
  visitor: '07'.repeat(16),
  keys: [{ version: 1, mac: '01'.repeat(16), mask: '02'.repeat(16) }],
}

/** A snapshot with offer 1, affiliate 5 and whatever else is given. */
export function snapshotOf(parts: Partial<Snapshot> = {}): Snapshot {
  return {
    seq: 1,
    offers: [offerOf()],
    affiliates: [{ id: 5, active: true }],
    links: [],
    keys: TRACKING_KEYS,
    trafficback: { url: null, groups: {} },
    ...parts,
  }
}

/** An open, active offer without targeting. */
export function offerOf(parts: Partial<SnapshotOffer> = {}): SnapshotOffer {
  return {
    id: 1,
    advertiser_id: 9,
    advertiser_active: true,
    active: true,
    start_at: null,
    stop_at: null,
    open: true,
    access: [],
    denied: [],
    url: 'https://shop.example/?c={click_id}&s={sub1}',
    landings: [],
    targeting: { geo: null, device: null, os: null, browser: null, language: null },
    deep_link_hosts: ['shop.example'],
    trafficback_url: null,
    redirect: '302',
    cap_until: null,
    name: 'Shop',
    ...parts,
  }
}
