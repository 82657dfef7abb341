import type { z } from 'zod'
import { firstStepsSetting, type firstSteps } from '#contract/network/dashboard.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { Config } from '#server/platform/config.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { isMailProven } from '#server/features/network/mail/smtp.service.ts'
import { howFarClicks, whatThereIs } from './dashboard.queries.ts'

/** Which first steps of a new network are done: nothing is ticked by hand. Once put away nothing is read. */
export async function readFirstSteps({
  db,
  clickhouse,
  config,
}: {
  db: Db
  clickhouse: Clickhouse
  config: Pick<Config, 'trackingUrl'>
}): Promise<z.output<typeof firstSteps>> {
  const { dismissed } = await getSetting(db, firstStepsSetting)
  if (dismissed)
    return {
      steps: null,
      offer_uuid: null,
      advertiser_uuid: null,
      affiliate_uuid: null,
      manager: false,
      manager_uuid: null,
      click: 'none',
      domain: false,
    }
  const [there, click, mail] = await Promise.all([whatThereIs(db), howFarClicks(clickhouse), isMailProven(db)])
  return {
    steps: [
      { id: 'settings', done: there.settings },
      { id: 'mail', done: mail },
      { id: 'advertiser', done: there.advertiser_uuid !== null },
      { id: 'offer', done: there.offer },
      { id: 'affiliate', done: there.affiliate },
      // clicks are deleted with the months, what they brought is not
      { id: 'click', done: click !== 'none' || there.conversion },
      { id: 'postback', done: there.postback || there.conversion },
    ],
    offer_uuid: there.offer_uuid,
    advertiser_uuid: there.advertiser_uuid,
    affiliate_uuid: there.affiliate_uuid,
    manager: there.manager,
    manager_uuid: there.manager_uuid,
    click: there.conversion ? 'counted' : click,
    // a name may come with the configuration too
    domain: there.domain || config.trackingUrl.startsWith('https:'),
  }
}
