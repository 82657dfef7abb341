import { readClickIdKeys, type ClickIdKeys } from '#server/rules/click/click-id.ts'
import type { ClickWorld } from '#server/rules/click/click.ts'
import { sipKey, type SipKey } from '#server/rules/click/siphash.ts'
import type { SnapshotChange } from '#server/rules/offer/snapshot.ts'
import { createSnapshotCompiler } from '../core/compiled.ts'
import { createCore } from '../core/core.ts'
import { createDuplicateMemory } from '../core/duplicates.ts'
import { createCodedLinks, type CodedLinks } from './coded-links.ts'
import { applyChange, createSnapshotStore, type SnapshotStore } from './snapshot-store.ts'
import { createUserAgentTable, type UserAgentTable } from '../core/user-agent-table.ts'

/** What depends on the keys and is made anew when they change. */
export type Deciding = {
  core: ReturnType<typeof createCore>
  world: ClickWorld
  visitorKey: SipKey
  idKeys: ClickIdKeys
  userAgents: UserAgentTable
}

export type TrackerSnapshot = {
  store: SnapshotStore
  /** Queries of the short links by code. */
  links: ReadonlyMap<string, string>
  /** Links of another platform that name offer and affiliate by codes. */
  coded: Pick<CodedLinks, 'find'>
  /** null until keys are known: no click can be answered before. */
  deciding: Deciding | null
  apply(change: SnapshotChange): void
}

/** The tracker's snapshot in memory, plain and compiled, kept in step change by change. */
export function createTrackerSnapshot(): TrackerSnapshot {
  const store = createSnapshotStore()
  const compiler = createSnapshotCompiler()
  const coded = createCodedLinks()
  const { isDuplicate } = createDuplicateMemory()

  const decideWith = (): Deciding | null => {
    const { keys } = store
    if (keys === null) return null
    const idKeys = readClickIdKeys(keys)
    const visitorKey = sipKey(keys.visitor)
    const core = createCore({ compiled: compiler.compiled, visitorKey, idKeys, isDuplicate })
    const world: ClickWorld = {
      offers: store.offers,
      affiliates: store.affiliates,
      get trafficback() {
        return store.trafficback
      },
      keys,
      idKeys,
      isDuplicate,
    }
    return { core, world, visitorKey, idKeys, userAgents: createUserAgentTable(visitorKey) }
  }

  const snapshot: TrackerSnapshot = {
    store,
    links: compiler.compiled.links,
    coded,
    deciding: null,
    apply(change) {
      const before = store.keys
      applyChange(store, change)
      coded.apply(change)
      if (change.kind === 'offer') compiler.putOffer(change.value)
      else if (change.kind === 'affiliate') compiler.putAffiliate(change.value.id, change.value.active)
      else if (change.kind === 'link') compiler.putLink(change.value)
      else if (change.kind === 'trafficback') compiler.setTrafficback(change.value)
      else if (change.kind === 'keys') {
        // A full snapshot repeats the keys; what was learnt of User-Agents is kept unless they differ.
        if (snapshot.deciding === null || JSON.stringify(before) !== JSON.stringify(change.value)) snapshot.deciding = decideWith()
      } else if (change.entity === 'offer') compiler.removeOffer(Number(change.key))
      else if (change.entity === 'affiliate') compiler.removeAffiliate(Number(change.key))
      else compiler.removeLink(change.key)
    },
  }
  return snapshot
}
