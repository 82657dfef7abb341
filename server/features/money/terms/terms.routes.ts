import { termsApi } from '#contract/money/terms.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { changeTerms, tellTerms } from './terms.service.ts'

/** By what terms an affiliate is paid. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  implement(app, termsApi, {
    get: ({ params, actor }) => tellTerms(db, actor, params.uuid),
    update: ({ params, body, actor }) => changeTerms(db, app.clock.now(), actor, { uuid: params.uuid, ...body }),
  })
}
