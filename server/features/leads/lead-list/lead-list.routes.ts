import { leadListApi } from '#contract/leads/lead-list.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import {
  addConversions,
  addSessions,
  showConversionCandidates,
  showSessionCandidates,
  tryConversions,
  trySessions,
} from './candidate.service.ts'
import { markPeople, mergeList, movePeople, showItems, showSends, splitList } from './item.service.ts'
import { findLists } from './lead-list.queries.ts'
import { archiveList, changeList, createList, removeList, showList, showLists } from './lead-list.service.ts'

/** Lists of people for a second sale. */
export function routes(app: HttpApp, { db, config }: RouteParts): void {
  const parts = { db, secretKey: config.secretKey }
  const { clock } = app
  implement(app, leadListApi, {
    list: ({ body, actor }) => showLists(db, actor, body),
    options: async ({ body, actor }) => ({ list: await findLists(db, actor.scope, body.search) }),
    get: ({ params, actor }) => showList(db, actor, params.uuid),
    create: ({ body, actor }) => createList(db, clock.now(), actor, body),
    update: ({ params, body, actor }) => changeList(db, clock.now(), actor, params.uuid, body),
    archive: ({ params, body, actor }) => archiveList(db, clock.now(), actor, params.uuid, body.archived),
    remove: async ({ params, actor }) => {
      await removeList(db, clock.now(), actor, params.uuid)
      return {}
    },
    sessions: ({ params, body, actor }) => showSessionCandidates(parts, clock.now(), actor, params.uuid, body),
    conversions: ({ params, body, actor }) => showConversionCandidates(db, clock.now(), actor, params.uuid, body),
    trySessions: ({ params, body, actor }) => trySessions(parts, clock.now(), actor, params.uuid, body),
    addSessions: ({ params, body, actor }) => addSessions(parts, clock.now(), actor, params.uuid, body),
    tryConversions: ({ params, body, actor }) => tryConversions(db, clock.now(), actor, params.uuid, body),
    addConversions: ({ params, body, actor }) => addConversions(db, clock.now(), actor, params.uuid, body),
    items: ({ params, body, actor }) => showItems(parts, actor, params.uuid, body),
    sends: ({ params, body, actor }) => showSends(db, actor, params.uuid, body.item_id),
    removeItems: async ({ params, body, actor }) => ({
      changed: await markPeople(db, clock.now(), actor, params.uuid, body.item_ids, true),
    }),
    restoreItems: async ({ params, body, actor }) => ({
      changed: await markPeople(db, clock.now(), actor, params.uuid, body.item_ids, false),
    }),
    moveItems: ({ params, body, actor }) => movePeople(db, clock.now(), actor, params.uuid, body),
    merge: ({ params, body, actor }) => mergeList(db, clock.now(), actor, params.uuid, body),
    split: ({ params, body, actor }) => splitList(db, clock.now(), actor, params.uuid, body),
  })
}
