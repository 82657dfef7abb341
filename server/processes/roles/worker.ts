import { setTimeout } from 'node:timers/promises'
import { getDueCertificate } from '#server/features/network/certificate/issue.service.ts'
import { deleteOldMail } from '#server/features/network/mail/mail.jobs.ts'
import { openMailer, tidyMail } from '#server/features/network/mail/send.service.ts'
import { mailNotifications } from '#server/features/network/notification/mail.jobs.ts'
import { unsubscribeAddress } from '#server/features/network/notification/unsubscribe.ts'
import { deleteOldNotifications } from '#server/features/network/notification/notification.queries.ts'
import { cleanUpSignIns } from '#server/features/people/auth/cleanup.jobs.ts'
import { answerMailRequests } from '#server/features/people/auth/recovery.service.ts'
import { cleanUpConversionImports, runConversionImports } from '#server/features/traffic/conversion-import/conversion-import.jobs.ts'
import { cleanUpImports, runImports } from '#server/features/people/import/run.jobs.ts'
import { accrueReferrals } from '#server/features/people/referral/accrue.jobs.ts'
import { cleanUpRegistrations } from '#server/features/people/registration/cleanup.jobs.ts'
import { openMailQueue } from '#server/features/network/mail/queue.service.ts'
import { mailTicketMessages } from '#server/features/network/ticket/ticket-mail.jobs.ts'
import { sweepFiles } from '#server/features/network/file/file.jobs.ts'
import { tellNews } from '#server/features/network/news/tell.jobs.ts'
import { openPanelAddress } from '#server/features/network/domain/address.service.ts'
import { checkDueDomains } from '#server/features/network/domain/check.service.ts'
import { judgeCredit } from '#server/features/money/advertiser-billing/credit.service.ts'
import { workOffReconciliation } from '#server/features/money/reconciliation/reconciliation.jobs.ts'
import { remindOverdue } from '#server/features/money/advertiser-invoice/remind.service.ts'
import { proposeRuns, sendMade } from '#server/features/money/billing-run/propose.jobs.ts'
import { storeTrials } from '#server/features/money/ledger/trial.jobs.ts'
import { fetchDue } from '#server/features/money/currency/feed.service.ts'
import { freezeCommissions } from '#server/features/money/commission/freeze.jobs.ts'
import { makeStatements } from '#server/features/money/statement/freeze.jobs.ts'
import { workOffRow } from '#server/features/money/invoice/run.service.ts'
import { checkDueLandings } from '#server/features/offers/landing/landing-check.service.ts'
import { releaseHolds } from '#server/features/traffic/conversion/hold.jobs.ts'
import { forgetVisitors } from '#server/features/traffic/conversion/privacy.jobs.ts'
import { countSessions } from '#server/features/leads/session-fact/session-fact.jobs.ts'
import { sendOutbox } from '#server/features/traffic/fact/outbox.service.ts'
import { openPostbackDeliverer } from '#server/features/traffic/postback/delivery.service.ts'
import { queueWebhookEvents } from '#server/features/traffic/webhook/event.jobs.ts'
import { openWebhookDeliverer } from '#server/features/traffic/webhook/delivery.service.ts'
import { deleteWebhookDeliveries } from '#server/features/traffic/webhook/webhook.queries.ts'
import { forgetVisits } from '#server/features/people/referral/visit.service.ts'
import { shapeKeptCalls } from '#server/features/traffic/dialect/shape.jobs.ts'
import { deleteOldPostbacks } from '#server/features/traffic/postback/incoming/retention.jobs.ts'
import { sendScheduled } from '#server/features/traffic/report-schedule/schedule.jobs.ts'
import { settleEarlyRefunds } from '#server/features/traffic/postback/incoming/booked-since.service.ts'
import { attributeWaiting } from '#server/features/traffic/postback/incoming/waiting.service.ts'
import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'
import { forgetExpired } from '#server/features/leads/retention/retention.jobs.ts'
import { openInHand } from '#server/features/leads/lead-list-import/content.ts'
import { cleanUpLeadListImports, runLeadListImports } from '#server/features/leads/lead-list-import/lead-list-import.jobs.ts'
import { deleteContactExports, makeContactExport } from '#server/features/leads/contact-export/contact-export.jobs.ts'
import { applyNoted } from '#server/features/leads/authority/authority.jobs.ts'
import { openStatusPuller } from '#server/features/leads/status/pull.jobs.ts'
import { applyWords } from '#server/features/leads/status/word.jobs.ts'
import { forgetClicks } from '#server/features/leads/person/erasure.service.ts'
import { liftOver } from '#server/features/leads/suppression/suppression.service.ts'
import { forgetCalls } from '#server/features/leads/call/kept-calls.jobs.ts'
import { forgetStuck } from '#server/features/leads/stuck/stuck.jobs.ts'
import { runColdRules } from '#server/features/leads/cold-rule/cold-rule.jobs.ts'
import { openRecoldWorker } from '#server/features/leads/recold/recold.jobs.ts'
import { gatherCounts } from '#server/features/leads/recold/recold.queries.ts'
import { openLeadSender } from '#server/features/leads/send/send.jobs.ts'
import { openClickhouse, type Clickhouse } from '#server/platform/clickhouse/client.ts'
import { systemClock, type Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import { startLoop } from '#server/platform/jobs/loop.ts'
import { startSchedule } from '#server/platform/jobs/schedule.ts'
import { log } from '#server/platform/log.ts'
import type { OutboundPolicy } from '#server/platform/outbound/target.ts'
import { openFileStore } from '#server/platform/files/store.ts'
import { openDatabase, type Db } from '#server/platform/pg/database.ts'
import { outboundPolicy } from './outbound-policy.ts'
import { startOwnWork } from './own-work.ts'

/** What was sent to webhooks is kept for so many days. */
const WEBHOOK_DAYS = 30

/** Runs what happens without anybody asking: several workers may run at once, each row is taken by one. */
export async function run(config: Config): Promise<{ stop(): Promise<void> }> {
  if (config.databaseUrl === null || config.clickhouseUrl === null) throw new Error('the worker needs DATABASE_URL and CLICKHOUSE_URL')
  const db = openDatabase(config.databaseUrl, { applicationName: 'ohma-worker' })
  const clickhouse = openClickhouse(config.clickhouseUrl)
  // a month of clicks is not rewritten in the time a report may take
  const nightly = openClickhouse(config.clickhouseUrl, { requestTimeoutMs: 3_600_000 })
  const own = startOwnWork({ db, clickhouse, clock: systemClock, config })
  const work = startWork({ db, clickhouse, clock: systemClock, policy: await outboundPolicy(config), config })
  // beside the others: an authority may take minutes
  const certificates = startLoop('get certificates', 15_000, async () =>
    (await getDueCertificate({ db, config }, systemClock.now())) > 0 ? 'more' : 'done',
  )
  // nobody waits for the first cron job: it must not delay the start
  const schedule = startSchedule(config.databaseUrl, [
    { name: 'sign-in-cleanup', cron: '17 * * * *', work: async () => void (await cleanUpSignIns(db, systemClock.now())) },
    { name: 'registration-cleanup', cron: '29 * * * *', work: async () => void (await cleanUpRegistrations(db, systemClock.now())) },
    { name: 'notification-cleanup', cron: '25 * * * *', work: async () => void (await deleteOldNotifications(db, systemClock.now())) },
    { name: 'file-cleanup', cron: '35 * * * *', work: () => sweepFiles({ db, store: openFileStore(config.dataDir) }, systemClock.now()) },
    { name: 'mail-cleanup', cron: '40 * * * *', work: async () => void (await deleteOldMail(db, systemClock.now())) },
    {
      name: 'import-cleanup',
      cron: '45 * * * *',
      work: async () => {
        await cleanUpImports(db, systemClock.now())
        await cleanUpConversionImports(db, systemClock.now())
        await cleanUpLeadListImports(db, systemClock.now())
      },
    },
    { name: 'lead-call-cleanup', cron: '40 2 * * *', work: async () => void (await forgetCalls(db, systemClock.now())) },
    { name: 'lead-stuck-cleanup', cron: '50 2 * * *', work: async () => void (await forgetStuck(db, systemClock.now())) },
    {
      name: 'retention',
      cron: '10 3 * * *',
      work: async () => void (await forgetExpired({ db, secretKey: config.secretKey }, systemClock.now())),
    },
    { name: 'address-cleanup', cron: '20 2 * * *', work: () => forgetVisitors(db, nightly, systemClock.now()) },
    // before runs are proposed in the morning, in whatever zone that is
    {
      name: 'referral',
      cron: '10 * * * *',
      work: async () => {
        await accrueReferrals(db, systemClock.now(), config.secretKey)
        await forgetVisits(db, systemClock.now())
      },
    },
    {
      name: 'postback-cleanup',
      cron: '50 * * * *',
      work: async () => {
        await deleteOldPostbacks(db, systemClock.now())
        await shapeKeptCalls(db)
        await deleteWebhookDeliveries(db, new Date(systemClock.now() - WEBHOOK_DAYS * 86_400_000))
      },
    },
  ]).catch((error: unknown) => log.error({ err: error }, 'jobs by the clock do not run'))
  return {
    async stop() {
      await (await schedule)?.stop()
      // what is under way there is begun again after its lease
      await Promise.race([certificates.stop(), setTimeout(3_000, null, { ref: false })])
      await Promise.all([work.stop(), own.stop()])
      await Promise.all([clickhouse.close(), nightly.close()])
      await db.destroy()
    },
  }
}

export type WorkParts = {
  db: Db
  clickhouse: Clickhouse
  clock: Clock
  policy: OutboundPolicy
  config: Pick<Config, 'secretKey' | 'publicUrl' | 'trackingUrl' | 'domainAddress'>
}

/** The loops: holds that are over, leads on their way to statistics, facts on their way to ClickHouse, postbacks that wait for their click, deliveries to affiliates, what their webhooks hear, leads to advertisers, suppressions that are over, clicks of who was erased, looks at landings and domains, invoices made at once and proposed at the end of periods, rates of exchange, statements and managers’ commission of months that are over, news whose audience the bell tells, links people asked for, messages. */
export function startWork({ db, clickhouse, clock, policy, config }: WorkParts): { stop(): Promise<void> } {
  const deliverer = openPostbackDeliverer({ db, clock, policy, secretKey: config.secretKey })
  const webhooks = openWebhookDeliverer({ db, clock, policy, secretKey: config.secretKey })
  const post = { mail: openMailQueue(config.secretKey), publicUrl: config.publicUrl }
  const panel = openPanelAddress(config)
  const fileInHand = openInHand()
  const mailer = openMailer({ db, clock, secretKey: config.secretKey, publicUrl: config.publicUrl, panel })
  const leadParts = {
    db,
    clock,
    policy,
    secretKey: config.secretKey,
    findClick: openClickFinder(clickhouse),
    underWay: new Map(),
    panel,
  }
  const leads = openLeadSender(leadParts)
  const pulls = openStatusPuller(leadParts)
  const cold = openRecoldWorker(leadParts)
  const unsubscribeAt = unsubscribeAddress(config.secretKey, config.publicUrl)
  const loops = [
    startLoop('release holds', 5_000, async () => ((await releaseHolds(db, clock.now())) > 0 ? 'more' : 'done')),
    // a pause also after facts were sent: what gathers meanwhile becomes one part in ClickHouse instead of many
    startLoop('count leads', 500, async () => ((await countSessions(db)) > 0 ? 'more' : 'done')),
    startLoop('send facts', 250, async () => {
      await sendOutbox(db, clickhouse)
      return 'done'
    }),
    // what is young is looked for every 300 ms; its own next look says when
    startLoop('attribute postbacks', 200, async () => ((await attributeWaiting(db, clickhouse, clock.now())) > 0 ? 'more' : 'done')),
    startLoop('settle early refunds', 30_000, async () => ((await settleEarlyRefunds(db, clock.now())) > 0 ? 'more' : 'done')),
    // what a process that died left of invoices made at once
    startLoop('judge credit', 30_000, async () => ((await judgeCredit(db, clock.now())) > 0 ? 'more' : 'done')),
    startLoop('remind advertisers', 60_000, async () => ((await remindOverdue(db, clock.now(), post)) ? 'more' : 'done')),
    startLoop('make invoices', 2_000, async () =>
      (await workOffRow(db, clock.now())) || (await sendMade(db, clock.now())) ? 'more' : 'done',
    ),
    startLoop('propose invoices', 60_000, async () => {
      await proposeRuns(db, clock.now())
      return 'done'
    }),
    startLoop('make statements', 60_000, async () =>
      (await storeTrials(db, clock.now())) || (await makeStatements(db, clock.now())) ? 'more' : 'done',
    ),
    startLoop('fetch rates', 60_000, async () => ((await fetchDue({ db, policy }, clock.now())) ? 'more' : 'done')),
    startLoop('freeze commissions', 60_000, async () => {
      await freezeCommissions(db, clock.now())
      return 'done'
    }),
    startLoop('check landings', 5_000, async () => ((await checkDueLandings({ db, clock, policy })) > 0 ? 'more' : 'done')),
    startLoop('check domains', 5_000, async () => ((await checkDueDomains({ db, clock, policy, config, ...post })) > 0 ? 'more' : 'done')),
    startLoop('answer mail requests', 500, async () => ((await answerMailRequests({ db, ...post }, clock.now())) > 0 ? 'more' : 'done')),
    startLoop('tell news', 2_000, async () => ((await tellNews(db, clock.now())) ? 'more' : 'done')),
    startLoop('plan distributions', 2_000, () => cold.plan()),
    startLoop('gather counts of distributions', 15_000, async () => {
      await gatherCounts(db)
      return 'done'
    }),
    startLoop('run cold rules', 2_000, () => runColdRules(db, clock.now())),
    startLoop('send distributions', 500, async () => ((await cold.send()) > 0 ? 'more' : 'done')),
    startLoop('offer leads', 100, async () => ((await leads.tick()) > 0 || (await leads.room(100)) ? 'more' : 'done')),
    startLoop('apply mapped words', 5_000, async () => ((await applyWords(leadParts)) ? 'more' : 'done')),
    startLoop('end suppressions', 60_000, async () => ((await liftOver(db, clock.now())) ? 'more' : 'done')),
    startLoop('forget clicks', 15_000, async () => ((await forgetClicks(db, clickhouse, clock.now())) ? 'more' : 'done')),
    startLoop('apply what was noted', 5_000, async () => ((await applyNoted(leadParts)) ? 'more' : 'done')),
    startLoop('make files of contacts', 1_000, async () =>
      (await makeContactExport({ db, secretKey: config.secretKey }, clock.now())) ? 'more' : 'done',
    ),
    startLoop('delete files of contacts', 60_000, async () => {
      await deleteContactExports(db, clock.now())
      return 'done'
    }),
    startLoop('ask what became of leads', 1_000, async () => ((await pulls.tick()) > 0 ? 'more' : 'done')),
    startLoop('deliver postbacks', 250, async () => ((await deliverer.tick()) > 0 ? 'more' : 'done')),
    startLoop('tell webhooks', 500, async () => {
      const queued = await queueWebhookEvents(db, clock.now())
      return (await webhooks.tick()) > 0 || queued > 0 ? 'more' : 'done'
    }),
    startLoop('mail ticket messages', 5_000, async () => ((await mailTicketMessages({ db, ...post }, clock.now())) > 0 ? 'more' : 'done')),
    startLoop('mail notifications', 5_000, async () =>
      (await mailNotifications({ db, ...post, unsubscribeAt }, clock.now())) > 0 ? 'more' : 'done',
    ),
    startLoop('run imports', 1_000, async () =>
      (await runImports({ db, clickhouse, way: { ...post, panel } }, clock.now())) ? 'more' : 'done',
    ),
    startLoop('apply conversion imports', 1_000, async () =>
      (await runConversionImports({ db, clickhouse }, clock.now())) ? 'more' : 'done',
    ),
    startLoop('add people of files', 1_000, async () =>
      (await runLeadListImports({ db, secretKey: config.secretKey, inHand: fileInHand }, clock.now())) ? 'more' : 'done',
    ),
    startLoop('work off reconciliations', 1_000, async () =>
      (await workOffReconciliation({ db, clickhouse }, clock.now())) ? 'more' : 'done',
    ),
    startLoop('send scheduled reports', 15_000, async () =>
      (await sendScheduled({ db, clickhouse, ...post }, clock.now())) > 0 ? 'more' : 'done',
    ),
    startLoop('send mail', 1_000, async () => ((await mailer.tick()) > 0 ? 'more' : 'done')),
    startLoop('tidy mail', 15_000, async () => {
      await tidyMail(db, clock.now())
      return 'done'
    }),
  ]
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
      // at most the time-out of one request; what was not settled is sent again, under the same id. Of a lead somebody may have nobody
      // knows whether they do
      const asked = Promise.all([leads.idle(), pulls.stop()])
      await Promise.all([deliverer.idle(), mailer.close(), Promise.race([asked, setTimeout(10_000, undefined, { ref: false })])])
    },
  }
}
