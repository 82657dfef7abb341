import { domainApi } from '#contract/network/domain.ts'
import { AppError } from '#server/platform/errors.ts'
import { instanceMark, MARK_PATH } from '#server/platform/instance-mark.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { openMailQueue } from '../mail/queue.service.ts'
import { listAssignments } from './assignment.queries.ts'
import { addressOf, publicHost } from './address.service.ts'
import { burnDomain, undoBurn, undoUntil, usesOf } from './burn.service.ts'
import { checkDomain, type CheckParts } from './check.service.ts'
import { presentDomain, presentDomainDetail } from './domain.present.ts'
import { getDomain, listDomains } from './domain.queries.ts'
import { changeDomain, createDomain, makeDefault, removeDomain } from './domain.service.ts'
import { recordOf } from './look.service.ts'
import { importUnsafe, unsafeList } from './unsafe.service.ts'

/** The names of the network. */
export function routes(app: HttpApp, { db, config, policy }: RouteParts): void {
  const { clock } = app
  const parts: CheckParts = { db, clock, policy, config, mail: openMailQueue(config.secretKey), publicUrl: config.publicUrl }

  const detail = async (key: string) => {
    const row = await getDomain(db, key)
    if (row === undefined) throw new AppError('not_found')
    const until = row.burnt_at === null ? null : undoUntil(row.burnt_at)
    return presentDomainDetail(row, await listAssignments(db, row.id), {
      address: addressOf(config, row.kind, row.host),
      points_to: publicHost(row.kind === 'panel' ? config.publicUrl : config.trackingUrl),
      record: recordOf(row),
      file: { path: MARK_PATH, content: instanceMark(config.secretKey) },
      undoUntil: until === null || until < clock.now() ? null : until,
    })
  }

  implement(app, domainApi, {
    list: async ({ body }) => {
      const { rows, list } = await listDomains(db, body)
      return { list: list.map(presentDomain), summary: { rows } }
    },

    get: ({ params }) => detail(params.uuid),

    create: async ({ body, actor }) => detail(await createDomain(db, clock.now(), actor, body, config)),

    update: async ({ params, body, actor }) => {
      await changeDomain(db, clock.now(), actor, params.uuid, body)
      return detail(params.uuid)
    },

    check: async ({ params, actor }) => {
      await checkDomain(parts, actor, params.uuid)
      return detail(params.uuid)
    },

    setDefault: async ({ params, actor }) => {
      await makeDefault(db, clock.now(), actor, params.uuid, config)
      return detail(params.uuid)
    },

    uses: ({ params }) => usesOf(db, config, params.uuid),

    burn: async ({ params, body, actor }) => {
      await burnDomain(db, clock.now(), actor, params.uuid, { ...body, config })
      return detail(params.uuid)
    },

    undoBurn: async ({ params, actor }) => {
      await undoBurn(db, clock.now(), actor, params.uuid)
      return detail(params.uuid)
    },

    remove: async ({ params, body, actor }) => {
      await removeDomain(db, clock.now(), actor, params.uuid, body.confirm)
      return {}
    },

    unsafe: () => unsafeList(db),

    importUnsafe: async ({ query, body, actor }) => {
      const skipped = await importUnsafe(db, clock.now(), actor, body, query.name)
      return { ...(await unsafeList(db)), skipped }
    },
  })
}
