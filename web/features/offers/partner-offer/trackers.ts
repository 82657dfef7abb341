import type { OwnPostbackInput } from '#contract/traffic/own-postback.ts'
import type { LinkDraft } from '#web/kit/fields/link-fields.tsx'

export type TrackerId = 'keitaro' | 'binom' | 'voluum' | 'redtrack' | 'bemob'

type Tracker = {
  name: string
  /** What goes into our link: its click id, and what its macros tell of the traffic. */
  link: Readonly<Partial<Record<'click_id' | 'sub1' | 'sub2' | 'source', string>>>
  /** How its address may be written; the path that takes postbacks stands in it. */
  example: string
  /** The path that takes postbacks; '' where the tracker's own address has one with a key, which nobody can add. */
  path: string
  /** Its parameters, our macros in them. */
  query: string
  /**
   * Those it can tell apart; empty = all. Without a status each call counts as a conversion, so only what the advertiser has approved is
   * sent, once: after a hold the same call would follow, which is not sent again.
   */
  statuses: OwnPostbackInput['statuses']
}

/**
 * The trackers affiliates use: exactly the parameters and tokens of their public documentation, nothing by analogy. In braces stand
 * their macros in `link`, ours in `query`.
 */
export const TRACKERS: Readonly<Record<TrackerId, Tracker>> = {
  // docs.keitaro.io conversions/postback (subid, tid, payout, currency, status with lead, sale, rejected), postbacks ("sid1={subid}"),
  // campaigns-and-streams/campaign-parameters (a parameter of the campaign, wrapped, goes into the URL of an offer)
  keitaro: {
    name: 'Keitaro',
    link: { click_id: '{subid}', sub1: '{sub_id_1}', source: '{source}' },
    example: 'https://tracker.example/a1b2c3d/postback',
    path: '',
    query:
      'subid={aff_click_id}&tid={conversion_id}&payout={payout}&currency={currency}&status={status:pending=lead,hold=lead,approved=sale,declined=rejected,trash=rejected}',
    statuses: [],
  },
  // docs.binom.org create-offer ({clickid}, {campaign}, {trafficsource}), create-source-v2 ({t1}), postback-url (cnv_id, payout, cnv_status)
  binom: {
    name: 'Binom',
    link: { click_id: '{clickid}', sub1: '{campaign}', sub2: '{t1}', source: '{trafficsource}' },
    example: 'https://tracker.example/click.php',
    path: '/click.php',
    query: 'cnv_id={aff_click_id}&payout={payout}&cnv_status={status:hold=approved}&cnv_currency={currency}',
    statuses: ['hold', 'approved'],
  },
  // doc.voluum.com tracking_conversions_postback (cid, payout, txid, currency), token-functions ({var1} in an offer URL)
  voluum: {
    name: 'Voluum',
    link: { click_id: '{clickid}', sub1: '{var1}' },
    example: 'https://track.example.com/postback',
    path: '/postback',
    query: 'cid={aff_click_id}&payout={payout}&currency={currency}&txid={conversion_id}',
    statuses: ['hold', 'approved'],
  },
  // help.redtrack.io supported-dynamic-parameters (offer_url?…={clickid}, {sub1}; postback?clickid=&sum=), tracking-event-types (currency)
  redtrack: {
    name: 'RedTrack',
    link: { click_id: '{clickid}', sub1: '{sub1}' },
    example: 'https://track.example.com/postback',
    path: '/postback',
    query: 'clickid={aff_click_id}&sum={payout}&currency={currency}&rdtk_event_id={conversion_id}',
    statuses: ['hold', 'approved'],
  },
  // docs.bemob.com append-bemob-click-id ({clickId}), create-custom-affiliate-network (cid, payout, txid, status)
  bemob: {
    name: 'BeMob',
    link: { click_id: '{clickId}' },
    example: 'https://xxxxx.bemobtrcks.com/postback',
    path: '/postback',
    query: 'cid={aff_click_id}&payout={payout}&txid={conversion_id}&status={status:hold=approved}',
    statuses: ['hold', 'approved'],
  },
}

export const TRACKER_IDS = Object.keys(TRACKERS) as TrackerId[] // keys of the table above

/** A link's draft with the tokens of a tracker in place of those of another; what a person typed stays. */
export function withTracker(draft: LinkDraft, id: TrackerId | null): LinkDraft {
  const next = { ...draft }
  for (const name of ['click_id', 'sub1', 'sub2', 'source'] as const) {
    const held = draft[name] ?? ''
    const isToken = TRACKER_IDS.some((one) => TRACKERS[one].link[name] === held)
    if (held !== '' && !isToken) continue
    const token = id === null ? '' : (TRACKERS[id].link[name] ?? '')
    if (token !== held) next[name] = token
  }
  return next
}

/**
 * The address of a tracker's postback with our macros; undefined where `address` is none. Of what a tracker shows as its
 * postback address the query is ours to fill, so what stands there is left out.
 */
export function postbackOf(id: TrackerId, address: string): string | undefined {
  const { path, query } = TRACKERS[id]
  const text = address.trim()
  if (text === '') return undefined
  let url: URL
  try {
    url = new URL(/^https?:\/\//i.test(text) ? text : `https://${text}`)
  } catch {
    return undefined
  }
  const own = url.pathname.replace(/\/+$/, '')
  const place = own === '' ? path : own
  return place === '' || !url.hostname.includes('.') ? undefined : `${url.origin}${place}?${query}`
}
