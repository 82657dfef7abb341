import type { Snapshot, SnapshotOffer } from '#server/rules/offer/snapshot.ts'

export const OFFERS = 500
export const AFFILIATES = 400
const COUNTRIES = ['UA', 'PL', 'DE', 'US', 'GB', 'FR', 'ES', 'IT', 'BR', 'IN', 'ID', 'VN', 'TR', 'MX', 'CA']

/** A network with everything on: targeting, access lists, landings, macros. `rules` is the length of the lists of every offer. */
export function benchSnapshot(rules: number): Snapshot {
  const offers = Array.from({ length: OFFERS }, (_value, index) => benchOffer(index + 1, rules))
  return {
    seq: 1,
    offers,
    affiliates: Array.from({ length: AFFILIATES }, (_value, index) => ({ id: index + 1, active: index % 50 !== 49 })),
    links: [],
    keys: {
      current: 1,
      visitor: '07'.repeat(16),
      keys: [{ version: 1, mac: '0123456789abcdef'.repeat(2), mask: 'fedcba9876543210'.repeat(2) }],
    },
    trafficback: { url: 'https://back.example/?from={offer_id}&why={reason}&sub={sub1}', groups: {} },
  }
}

function benchOffer(id: number, rules: number): SnapshotOffer {
  const countries = Array.from({ length: rules }, (_value, index) =>
    String.fromCharCode(65 + (index % 26), 65 + (Math.floor(index / 26) % 26)),
  )
  const url = `https://shop-${id}.example/landing/page?click={click_id}&aff={pid}&s1={sub1}&s2={sub2}&src={source}&geo={geo}&os={os}&dev={device}`
  return {
    id,
    advertiser_id: 1 + (id % 80),
    advertiser_active: true,
    active: id % 100 !== 99,
    start_at: Date.UTC(2020, 0, 1),
    stop_at: null,
    open: id % 3 !== 0,
    access: Array.from({ length: AFFILIATES }, (_value, index) => index + 1).filter((affiliate) => (affiliate + id) % 10 !== 0),
    denied: id % 7 === 0 ? [1 + (id % AFFILIATES)] : [],
    url,
    landings:
      id % 2 === 0
        ? [1, 2, 3].map((number) => ({
            id: id * 10 + number,
            url: url.replace('page', `l${number}`),
            weight: number,
            kind: 'landing' as const,
            active: true,
          }))
        : [],
    targeting: {
      geo: { mode: 'exclude', values: rules > 20 ? countries.filter((code) => !COUNTRIES.includes(code)) : ['KP', 'AQ'] },
      device: { mode: 'include', values: ['desktop', 'mobile', 'tablet'] },
      os: { mode: 'exclude', values: ['Tizen'] },
      browser: null,
      language: null,
    },
    deep_link_hosts: [],
    trafficback_url: null,
    redirect: '302',
    cap_until: null,
    name: `Offer ${id}`,
  }
}

/** `count` different User-Agents that look like today's. */
export function benchUserAgents(count: number): string[] {
  return Array.from({ length: count }, (_value, index) => {
    const version = `${100 + (index % 40)}.0.${5000 + (Math.floor(index / 40) % 1500)}.${index % 200}`
    const kind = index % 4
    if (kind === 0)
      return `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} Safari/537.36`
    if (kind === 1)
      return `Mozilla/5.0 (Linux; Android ${10 + (index % 5)}; SM-S${900 + (index % 90)}B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} Mobile Safari/537.36`
    if (kind === 2)
      return `Mozilla/5.0 (iPhone; CPU iPhone OS ${14 + (index % 5)}_${index % 8} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.${index % 9} Mobile/15E${index} Safari/604.1`
    return `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} Safari/537.36 Edg/${version}`
  })
}
