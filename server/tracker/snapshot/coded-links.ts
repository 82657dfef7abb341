import type { SnapshotChange } from '#server/rules/offer/snapshot.ts'

type Kind = 'offer' | 'affiliate'
const NUMBER = /^[1-9]\d{0,9}$/
const CODED = /^\/([\w.~-]{1,100})\/([\w.~-]{1,100})\/?$/

/** Offers and affiliates by what the paths of links call them. */
export type CodedLinks = {
  apply(change: SnapshotChange): void
  /**
   * The offer and affiliate of a path such as `/2CTPL/3KDJP/` or `/5/9/`: the affiliate's code or number, then the offer's, whether there
   * are such numbers or not; null = it names none.
   */
  find(path: string): { offerId: number; affiliateId: number } | null
}

/** An index of external ids that follows the snapshot. Where several are called the same, nobody knows who is meant: none is. */
export function createCodedLinks(): CodedLinks {
  const codes = { offer: new Map<string, Set<number>>(), affiliate: new Map<string, Set<number>>() }
  const known = { offer: new Map<number, string>(), affiliate: new Map<number, string>() }
  const put = (kind: Kind, id: number, code: string | undefined) => {
    const before = known[kind].get(id)
    if (before === code) return
    if (before !== undefined) {
      const same = codes[kind].get(before)
      same?.delete(id)
      if (same?.size === 0) codes[kind].delete(before)
      known[kind].delete(id)
    }
    if (code === undefined) return
    known[kind].set(id, code)
    const same = codes[kind].get(code)
    if (same === undefined) codes[kind].set(code, new Set([id]))
    else same.add(id)
  }
  const only = (kind: Kind, code: string): number | undefined => {
    const same = codes[kind].get(code)
    return same?.size === 1 ? same.values().next().value : undefined
  }
  return {
    apply(change) {
      if (change.kind === 'offer' || change.kind === 'affiliate') put(change.kind, change.value.id, change.value.external)
      else if (change.kind === 'delete' && change.entity !== 'link') put(change.entity, Number(change.key), undefined)
    },
    find(path) {
      const [, affiliate = '', offer = ''] = CODED.exec(path) ?? []
      const [offerId, affiliateId] = [only('offer', offer), only('affiliate', affiliate)]
      if (offerId !== undefined && affiliateId !== undefined) return { offerId, affiliateId }
      // a number somebody is called by elsewhere is not read as ours: a link of theirs would be counted for others
      if (!NUMBER.test(affiliate) || !NUMBER.test(offer) || codes.affiliate.has(affiliate) || codes.offer.has(offer)) return null
      return { offerId: Number(offer), affiliateId: Number(affiliate) }
    },
  }
}
