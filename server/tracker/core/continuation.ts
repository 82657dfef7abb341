import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '#server/platform/clock.ts'
import { log } from '#server/platform/log.ts'
import type { ClickIdParts } from '#server/rules/click/click-id.ts'
import { readClickParameters } from '#server/rules/click/click-parameters.ts'
import { clickMacros, type ContinuedClick } from '#server/rules/click/click.ts'
import { expand, parseTemplate } from '#server/rules/macros.ts'
import { drawLanding } from '#server/rules/offer/match.ts'
import type { SnapshotOffer } from '#server/rules/offer/snapshot.ts'
import { askInternal, type InternalApi } from '../internal-api.ts'

/** Ways on of this many clicks are remembered; those of all others stand in their stored rows. */
const REMEMBERED = 20_000
/** A visitor waits no longer than this for the row of the click. */
const PATIENCE_MS = 3_000
/** A click this young may still be on its way to the table: it is asked for again. */
const YOUNG_MS = 10_000
const AGAIN_MS = 200

export type Continuations = {
  remember(clickId: string, location: string): void
  /** Where a click goes on to from its pre-landing. `query` is what the pre-landing passed on. */
  find(clickId: string, parts: ClickIdParts, offer: SnapshotOffer, query: string): string | Promise<string>
}

/**
 * Where visitors go on to from pre-landings: where their own clicks decided. This tracker remembers the last ones; after a
 * restart, or when another tracker had the click, its stored row says so. Only without either, as when the api is away,
 * the landing is drawn by the click's own number among those of now.
 */
export function openContinuations({ api, clock }: { api: InternalApi | null; clock: Clock }): Continuations {
  const known = new Map<string, string>()

  const remember = (clickId: string, location: string): void => {
    if (known.size >= REMEMBERED) {
      const oldest = known.keys().next()
      if (!oldest.done) known.delete(oldest.value)
    }
    known.set(clickId, location)
  }

  const storedClick = async ({ affiliateId, at, random }: ClickIdParts): Promise<ContinuedClick | null> => {
    if (api === null) return null
    const signal = AbortSignal.timeout(PATIENCE_MS)
    try {
      for (;;) {
        const answer = await askInternal(api, `/internal/click?affiliate=${affiliateId}&at=${at}&random=${random}`, { signal })
        if (answer.status === 200) return (await answer.json()) as ContinuedClick // our own api, of the same version
        await answer.body?.cancel()
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
    find(clickId, parts, offer, query) {
      return (
        known.get(clickId) ??
        storedClick(parts).then((stored) => {
          const location = wayOn(clickId, parts, offer, stored ?? passedOn(parts, offer, query))
          // what was only drawn may be known better the next time
          if (stored !== null) remember(clickId, location)
          return location
        })
      )
    },
  }
}

/** As much of a click as its id and the pre-landing's own link still say. */
function passedOn(parts: ClickIdParts, offer: SnapshotOffer, query: string): ContinuedClick {
  const landing = drawLanding(offer.landings, 'landing', parts.random)?.id ?? 0
  const parameters = readClickParameters(query)
  return { landing, parameters, geo: 'ZZ', device: 'unknown', os: '', browser: '', language: '', ip: '', ua: '' }
}

function wayOn(clickId: string, { at, random, affiliateId }: ClickIdParts, offer: SnapshotOffer, stored: ContinuedClick): string {
  const { device, os, browser, geo, language, ip, ua } = stored
  // one that was taken out of the offer meanwhile has no address any more
  const landing =
    stored.landing === 0 ? null : (offer.landings.find(({ id }) => id === stored.landing) ?? drawLanding(offer.landings, 'landing', random))
  const values = clickMacros(
    {
      at,
      random,
      parameters: { ...readClickParameters(''), ...stored.parameters },
      address: { shown: ip },
      userAgent: ua,
      facts: { device, os, browser },
      language,
      geo,
    },
    { offer, affiliate: { id: affiliateId, active: true }, landing, reason: '' },
    clickId,
  )
  return expand(parseTemplate(landing?.url ?? offer.url, 'offer').template, values)
}
