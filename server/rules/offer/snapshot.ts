import type { RefusalGroup } from '#contract/traffic/refusal.ts'

/**
 * What the tracker needs to know to decide a click: everything it reads, nothing else.
 * The api builds it from PostgreSQL and pushes changes; the simulator and the why-page decide with the same shapes.
 */
export type TargetSet = { mode: 'include' | 'exclude'; values: string[] } | null

export type SnapshotLanding = {
  id: number
  url: string
  weight: number
  kind: 'landing' | 'prelanding'
  active: boolean
  /** The affiliates a private landing is for; absent = everybody. For all others it is as good as stopped. */
  only?: number[]
}

export type SnapshotOffer = {
  id: number
  /** 0 = none: an offer of leads has as many as its products. */
  advertiser_id: number
  advertiser_active: boolean
  /** The advertiser has used its credit; absent = it has not. */
  credit_blocked?: true
  /** It takes leads: visitors are led to the form on a landing or, without one, nowhere; absent = it leads to `url`. */
  leads?: true
  /** Offer status is `active`. */
  active: boolean
  /** Milliseconds; null = open. `stop_at` is exclusive. */
  start_at: number | null
  stop_at: number | null
  /** public: every active affiliate may send traffic; otherwise only those in `access`. */
  open: boolean
  /** Affiliates approved one by one. */
  access: number[]
  /** Affiliates blocked or rejected even where the offer is open. */
  denied: number[]
  /** Destination with macros. */
  url: string
  /** Without those that wait for a decision or were turned down: they are as unknown as any other number. */
  landings: SnapshotLanding[]
  targeting: {
    geo: TargetSet // ISO alpha-2
    device: TargetSet // desktop, mobile, tablet, tv
    os: TargetSet // families
    browser: TargetSet
    language: TargetSet // two lower-case letters
    // absent = everybody, as of offers from before there were these
    os_version?: TargetSet // `Android >= 10`, see target.ts
    region?: TargetSet // `US/California`
    city?: TargetSet // `US/California/Los Angeles`
    network?: TargetSet // numbers of autonomous systems
  }
  /** Hosts a `deeplink` may point to (https only). */
  deep_link_hosts: string[]
  trafficback_url: string | null
  redirect: '302' | '307' | 'meta' | 'meta_no_referrer'
  /** A cap of the whole offer is full until this moment (ms); null = there is room. */
  cap_until: number | null
  /** Affiliates whose own cap is full, and until when; absent = none. */
  capped?: [affiliate: number, until: number][]
  name: string
  /** What links of another platform call it; absent = nothing. */
  external?: string
}

/** `external`: what it is called on another platform; absent = nothing. */
export type SnapshotAffiliate = { id: number; active: boolean; external?: string }

/** A short link `/c/<code>`: an offer and affiliate with stored parameters (canonical names, already cut to length). */
export type SnapshotLink = { code: string; offer_id: number; affiliate_id: number; params: Record<string, string> }

export type SnapshotKeys = {
  /** Key of new click ids; old ones stay so that earlier clicks are recognised. 16 bytes each, hex. */
  current: number
  keys: { version: number; mac: string; mask: string }[]
  /** Key of the visitor hash, 16 bytes, hex; rotated monthly. */
  visitor: string
}

/** One numbered change. `seq` has no gaps; a tracker that sees one refetches the whole snapshot. */
export type SnapshotChange =
  | { kind: 'offer'; value: SnapshotOffer }
  | { kind: 'affiliate'; value: SnapshotAffiliate }
  | { kind: 'link'; value: SnapshotLink }
  | { kind: 'keys'; value: SnapshotKeys }
  | { kind: 'trafficback'; value: NetworkTrafficback }
  | { kind: 'delete'; entity: 'offer' | 'affiliate' | 'link'; key: string }

export type Snapshot = {
  seq: number
  offers: SnapshotOffer[]
  affiliates: SnapshotAffiliate[]
  links: SnapshotLink[]
  keys: SnapshotKeys
  trafficback: NetworkTrafficback
}

/** Where refused clicks of offers without an address of their own go, with macros: by the group of the reason, else `url`; null = the plain page. */
export type NetworkTrafficback = { url: string | null; groups: Partial<Record<RefusalGroup, string>> }
