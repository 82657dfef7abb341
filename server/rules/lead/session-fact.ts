/** Of a session what statistics are told; it never changes but for what `SessionState` holds. */
export type CountedSession = {
  id: string
  affiliate_id: number
  offer_id: number
  landing_id: number | null
  origin: string
  traffic_type: string
  country: string
  /** Its subs, source and device, as it came with. */
  told: Record<string, unknown>
  received_at: Date
}

/** A send as statistics are told of it; times in ms. `outcome`: `sending` until there is one. */
export type CountedSend = { at: number; advertiser: number; product: number; outcome: string; ms: number }

/** What may change of a session: how it stands, the language of its person, who has it (0 = nobody), and its sends in the order they were made. */
export type SessionState = {
  status: string
  reason: string
  language: string
  advertiser: number
  product: number
  sends: readonly CountedSend[]
}

/** One row of `session_fact`, in the words of its columns. */
export type SessionFact = Record<string, string | number>

/** What a session and its sends contribute to reports while they are in a state, without sign. */
export function factsOf(session: CountedSession, state: SessionState): SessionFact[] {
  const text = (name: string) => (typeof session.told[name] === 'string' ? session.told[name] : '')
  const subs = Array.isArray(session.told.subs) ? session.told.subs.map(String) : []
  const came = momentOf(session.received_at.getTime())
  const shared = {
    session_ts: came,
    session: session.id,
    affiliate: session.affiliate_id,
    offer: session.offer_id,
    landing: session.landing_id ?? 0,
    geo: session.country || 'ZZ',
    device: text('device'),
    os: text('os'),
    browser: text('browser'),
    lang: state.language,
    source: text('source'),
    ...Object.fromEntries(Array.from({ length: 10 }, (_value, index) => [`sub${index + 1}`, subs[index] ?? ''])),
    origin: session.origin,
    traffic: session.traffic_type,
    status: state.status,
    reason: state.reason,
  }
  return [
    { kind: 'session', ts: came, ...shared, advertiser: state.advertiser, product: state.product, outcome: '', ms: 0 },
    ...state.sends.map(({ at, advertiser, product, outcome, ms }) => ({
      kind: 'send',
      ts: momentOf(at),
      ...shared,
      advertiser,
      product,
      outcome,
      ms,
    })),
  ]
}

/** What changes between two states as deltas: the rows that are no more taken away (-1), the new ones added (1). */
export function deltasOf(session: CountedSession, before: SessionState | null, after: SessionState): SessionFact[] {
  const gone = before === null ? [] : factsOf(session, before)
  const come = factsOf(session, after)
  const left = new Map<string, number>()
  for (const fact of gone) left.set(JSON.stringify(fact), (left.get(JSON.stringify(fact)) ?? 0) + 1)
  const added = come.filter((fact) => {
    const key = JSON.stringify(fact)
    const same = left.get(key) ?? 0
    if (same > 0) left.set(key, same - 1)
    return same === 0
  })
  const removed = gone.filter((fact) => {
    const key = JSON.stringify(fact)
    const many = left.get(key) ?? 0
    if (many > 0) left.set(key, many - 1)
    return many > 0
  })
  return [...removed.map((fact) => ({ sign: -1, ...fact })), ...added.map((fact) => ({ sign: 1, ...fact }))]
}

/** DateTime64(3) as ClickHouse reads it. */
function momentOf(at: number): string {
  return new Date(at).toISOString().slice(0, 23).replace('T', ' ')
}
