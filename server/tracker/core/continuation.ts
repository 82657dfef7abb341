import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '#server/platform/clock.ts'
import { log } from '#server/platform/log.ts'
import type { ClickIdParts } from '#server/rules/click/click-id.ts'
import { clickMacros, type ContinuedClick } from '#server/rules/click/click.ts'
import { expand, type MacroValues } from '#contract/traffic/macro-template.ts'
import { parseTemplate } from '#server/rules/macros.ts'
import { drawLanding } from '#server/rules/offer/match.ts'
import type { SnapshotAffiliate, SnapshotLanding, SnapshotOffer } from '#server/rules/offer/snapshot.ts'
import { askInternal, type InternalApi } from '../internal-api.ts'
import type { WaitingVisitor } from './answers.ts'

/** This many clicks with a way on are remembered; all others stand in their stored rows. */
const REMEMBERED = 20_000
/** A visitor waits no longer than this for the row of the click. */
const PATIENCE_MS = 3_000
/** A click this young may still be on its way to the table: it is asked for again. */
const YOUNG_MS = 10_000
const AGAIN_MS = 200

/** Who asks for the way on. */
type Asker = { ip: string; ua: string }
type Way = Pick<WaitingVisitor, 'kind' | 'location'>

export type Continuations = {
  remember(clickId: string, click: ContinuedClick): void
  /** Where a click goes on to from its pre-landing; one that may not go on goes back to `trafficback` (null = the plain page). */
  find(asked: AskedWay): Way | Promise<Way>
}
type AskedWay = {
  clickId: string
  parts: ClickIdParts
  offer: SnapshotOffer
  /** As it is known on another platform; absent = nobody knows. */
  affiliate?: SnapshotAffiliate | undefined
  trafficback: string | null
  asker: Asker
}

/**
 * Where visitors go on to from pre-landings: where their own clicks decided. This tracker remembers the last ones; after a
 * restart, or when another tracker had the click, its stored row says so. Nothing is guessed: an id alone says neither
 * that its click passed nor that it was sent to a pre-landing, and affiliates hold the ids of refused clicks too.
 */
export function openContinuations({ api, clock }: { api: InternalApi | null; clock: Clock }): Continuations {
  const known = new Map<string, ContinuedClick>()

  const remember = (clickId: string, click: ContinuedClick): void => {
    if (known.size >= REMEMBERED) {
      const oldest = known.keys().next()
      if (!oldest.done) known.delete(oldest.value)
    }
    known.set(clickId, click)
  }

  const storedClick = async ({ affiliateId, at, random }: ClickIdParts): Promise<ContinuedClick | null> => {
    if (api === null) return null
    const signal = AbortSignal.timeout(PATIENCE_MS)
    try {
      for (;;) {
        const answer = await askInternal(api, `/internal/click?affiliate=${affiliateId}&at=${at}&random=${random}`, { signal })
        if (answer.status === 200) return (await answer.json()) as ContinuedClick // our own api, of the same version
        await answer.body?.cancel()
        if (answer.status === 410) return null
        if (answer.status !== 404) throw new Error(`the api answered ${answer.status}`)
        if (clock.now() - at > YOUNG_MS) return null
        await pause(AGAIN_MS, undefined, { signal })
      }
    } catch (error) {
      log.info({ err: error }, 'a click that goes on could not be looked up')
      return null
    }
  }

  return {
    remember,
    find(asked) {
      const click = known.get(asked.clickId)
      if (click !== undefined) return wayOn(asked, click)
      return storedClick(asked.parts).then((stored) => {
        if (stored === null) return wayBack(asked)
        remember(asked.clickId, stored)
        return wayOn(asked, stored)
      })
    },
  }
}

function wayOn(asked: AskedWay, click: ContinuedClick): Way {
  const { landings, url } = asked.offer
  // one that was taken out of the offer meanwhile has no address any more
  const landing =
    click.landing === 0 ? null : (landings.find(({ id }) => id === click.landing) ?? drawLanding(landings, 'landing', asked.parts.random))
  const way = landing?.url ?? url
  // an offer of leads has landings alone
  if (way === '') return wayBack(asked)
  return { kind: '302', location: expand(parseTemplate(way, 'offer').template, macrosOf(asked, click, landing)) }
}

/** Where refused clicks go. */
function wayBack(asked: AskedWay): Way {
  if (asked.trafficback === null) return { kind: 'page', location: '' }
  return { kind: '302', location: expand(parseTemplate(asked.trafficback, 'trafficback').template, macrosOf(asked, NOTHING_KNOWN, null)) }
}

const NOTHING_KNOWN: ContinuedClick = { landing: 0, columns: { geo: 'ZZ', device: 'unknown', connection: 'unknown' } }

function macrosOf(
  { clickId, parts, offer, affiliate, asker }: AskedWay,
  click: ContinuedClick,
  landing: SnapshotLanding | null,
): MacroValues {
  const seen = { at: parts.at, random: parts.random, ip: asker.ip, userAgent: asker.ua }
  return clickMacros(
    seen,
    click.columns,
    { offer, affiliate: affiliate ?? { id: parts.affiliateId, active: true }, landing, reason: '' },
    clickId,
  )
}
