import { advertiserLinkApi } from '#contract/people/advertiser-link.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { openPanelAddress } from '#server/features/network/domain/address.service.ts'
import { createLink, endLink, showLinks } from './advertiser-link.service.ts'

/** Links for advertisers as staff make and end them. */
export function routes(app: HttpApp, { db, config }: RouteParts): void {
  const { clock } = app
  const panel = openPanelAddress(config)
  implement(app, advertiserLinkApi, {
    list: async ({ body, actor }) => ({ list: await showLinks(db, clock.now(), actor, body.advertiser_uuid) }),
    create: async ({ body, actor }) => {
      const { uuid, token } = await createLink(db, clock.now(), actor, body)
      return { uuid, link: `${await panel(db)}/partner/${token}` }
    },
    revoke: async ({ params, actor }) => {
      await endLink(db, clock.now(), actor, params.uuid)
      return {}
    },
  })
}
