import { ledgerApi } from '#contract/money/ledger.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { affiliateOf, may } from '#server/access/actor.ts'
import { nextPayment } from '#server/features/money/terms/next-payment.service.ts'
import { listOwnBalances, listReleases } from './balance.service.ts'
import { noteBooks, showBooks } from './books.service.ts'
import { findOwner, showAccounts, showEntries, showNetworkEntries, showStoredTrial, showStoredTrials, showTrial } from './entry.service.ts'
import { showTrialSums } from './trial-sums.service.ts'

/** What an affiliate may see of the ledger, what staff see of their partners, and the trial balance of all. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app
  implement(app, ledgerApi, {
    balance: async ({ actor }) => ({ list: await listOwnBalances(db, clock.now(), affiliateOf(actor), actor.timeZone) }),

    accounts: async ({ body: { owner, uuid }, actor }) => showAccounts(db, owner, await findOwner(db, actor.scope, owner, uuid), 'staff'),

    entries: async ({ body: { owner, uuid, ...asked }, actor }) => {
      const ownerId = await findOwner(db, actor.scope, owner, uuid)
      return showEntries(db, clock.now(), { owner, ownerId, audience: 'staff', readsBilling: may(actor, 'billing.read') }, asked)
    },

    networkEntries: ({ body }) => showNetworkEntries(db, clock.now(), body),

    ownAccounts: async ({ actor }) => ({
      ...(await showAccounts(db, 'affiliate', affiliateOf(actor), 'affiliate')),
      ...(await nextPayment(db, clock.now(), affiliateOf(actor))),
    }),

    releases: async ({ actor }) => ({ list: await listReleases(db, clock.now(), affiliateOf(actor), actor.timeZone) }),

    ownEntries: ({ body, actor }) =>
      showEntries(db, clock.now(), { owner: 'affiliate', ownerId: affiliateOf(actor), audience: 'affiliate' }, body),

    books: () => showBooks(db),
    noteBooks: async ({ body, actor }) => {
      await noteBooks(db, clock.now(), actor, body)
      return showBooks(db)
    },
    storedTrials: () => showStoredTrials(db),
    storedTrial: ({ params }) => showStoredTrial(db, params.uuid),

    trial: ({ body }) => showTrial(db, clock.now(), body),
    trialSums: ({ body }) => showTrialSums(db, clock.now(), body.month),
  })
}
