import { coldConsentSetting } from '#contract/leads/cold-consent.ts'
import { recoldApi } from '#contract/leads/recold.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { listMembers } from '#server/features/leads/api-offer/cascade.queries.ts'
import { openLeadVault } from '#server/features/leads/session/vault.ts'
import { serveSetting } from '#server/features/network/setting/serve-setting.ts'
import { openTurns } from '#server/platform/turns.ts'
import { showFigures } from './figures.service.ts'
import { listItems } from './item.queries.ts'
import { showRecolds } from './list.service.ts'
import { moveToList } from './move.service.ts'
import { showLive } from './live.service.ts'
import { stopForConsent } from './plan.service.ts'
import { presentItem } from './recold.present.ts'
import {
  createRecold,
  decideItems,
  deleteRecold,
  duplicateRecold,
  endRecold,
  findOrThrow,
  pauseRecold,
  previewInput,
  resumeRecold,
  showRecold,
  startRecold,
  updateRecoldInput,
} from './recold.service.ts'
import { openRecoldStreams } from './stream.service.ts'
import { presentTargets } from './target.present.ts'
import { advertisersInScope, searchLists, searchOffers } from './target.queries.ts'

/** People of lists offered again. */
export function routes(app: HttpApp, { db, config }: RouteParts): void {
  const { clock } = app
  const parts = { db, secretKey: config.secretKey }
  const streams = openRecoldStreams({ db, databaseUrl: config.databaseUrl, clock, server: app.server })

  // of a long list a second of work
  const preview = openTurns(4)

  serveSetting(app, db, coldConsentSetting, {
    saved: (trx, { before, after }) => stopForConsent(trx, clock.now(), before, after),
  })

  implement(app, recoldApi, {
    list: ({ body, actor }) => showRecolds(db, actor.scope, body),
    get: ({ params, actor }) => showRecold(db, actor.scope, params.uuid),
    figures: ({ body, actor }) => showFigures(db, clock.now(), actor, body),
    live: ({ params, actor }) => showLive(db, clock.now(), actor, params.uuid),
    stream: async ({ params, actor, reply }) => {
      await streams.open(actor, params.uuid, reply)
      return new Uint8Array() // the stream has answered
    },
    lists: async ({ body, actor }) => {
      const rows = await searchLists(db, actor.scope, body.search)
      return { list: rows.map(({ manager_id: _manager, ...row }) => row) }
    },
    targets: async ({ body, actor }) => {
      const offers = await searchOffers(db, body.search)
      const members = await listMembers(
        db,
        offers.map(({ id }) => id),
      )
      const seen = await advertisersInScope(db, actor.scope, [...new Set(members.map(({ advertiser_id }) => advertiser_id))])
      return { list: presentTargets(offers, members, seen, clock.now()) }
    },
    preview: ({ body, actor }) => preview(actor.accountId, () => previewInput(parts, clock.now(), actor, body)),
    create: ({ body, actor }) => createRecold(parts, clock.now(), actor, body),
    update: ({ params, body, actor }) => updateRecoldInput(parts, clock.now(), actor, params.uuid, body),
    start: ({ params, actor }) => startRecold(parts, clock.now(), actor, params.uuid),
    pause: ({ params, actor }) => pauseRecold(parts, clock.now(), actor, params.uuid),
    resume: ({ params, body, actor }) => resumeRecold(parts, clock.now(), actor, params.uuid, body.caps),
    done: ({ params, actor }) => endRecold(parts, clock.now(), actor, params.uuid),
    duplicate: ({ params, actor }) => duplicateRecold(parts, clock.now(), actor, params.uuid),
    remove: ({ params, actor }) => deleteRecold(parts, clock.now(), actor, params.uuid),
    items: async ({ params, body, actor }) => {
      const row = await findOrThrow(db, actor.scope, params.uuid)
      const vault = openLeadVault(config.secretKey)
      const { rows, list } = await listItems(db, actor.scope, row.id, body)
      return { list: list.map((one) => presentItem(one, vault)), summary: { rows } }
    },
    decide: ({ params, body, actor }) => decideItems(parts, clock.now(), actor, params.uuid, body),
    move: ({ params, body, actor }) => moveToList(parts.db, clock.now(), actor, params.uuid, body),
  })
}
