import { accrueReferrals } from '#server/features/people/referral/accrue.jobs.ts'
import { freezeCommissions } from '#server/features/money/commission/freeze.jobs.ts'
import { proposeRuns } from '#server/features/money/billing-run/propose.jobs.ts'
import { saveTerms } from '#server/features/money/terms/terms.queries.ts'
import type { FileStore } from '#server/platform/files/store.ts'
import { inOneTransaction, type Db } from '#server/platform/pg/database.ts'
import type { TicketPeople } from '../tickets/make.ts'
import type { Sources } from './company.ts'
import { makeClosedFile, makeOpenFiles } from './files.ts'
import { invoiceByWeek } from './receivables.ts'
import { makeFirstInvoices, makeLaterInvoices } from './invoices.ts'
import { makeMethods } from './methods.ts'
import { makeOpenRequests, makeSettledRequests } from './requests.ts'
import { makeTaxProfiles } from './tax.ts'

const DAY = 86_400_000
/** How many are paid by the week, on terms of their own. */
const WEEKLY = 3

type Parts = {
  db: Db
  store: FileStore
  secretKey: string
  password: string
  people: TicketPeople
  affiliates: readonly number[]
  sources: Sources
}

/** Where affiliates are paid and by what terms, how they are taxed, what they asked for, their invoices and what leaves for them. */
export async function makePayouts({ db, store, people, affiliates, ...parts }: Parts, now: number): Promise<void> {
  await inOneTransaction(db, async (whole) => {
    await makeMethods(whole, now, parts.secretKey, affiliates)
    await makeTerms(whole, now, affiliates)
    await makeTaxProfiles(whole, now - 38 * DAY, people.admin, people.affiliates)
    // before the first of the invoices, so that those of later have the months that ended
    await accrueReferrals(whole, now - 16 * DAY, parts.secretKey)
    await makeSettledRequests(whole, now, people)
    await makeFirstInvoices({ db: whole, store, people }, now)
    const by = { ...parts, db: whole, admin: people.admin, head: people.head }
    const unreached = await makeClosedFile(by, now)
    await makeLaterInvoices({ db: whole, store, people }, now)
    await makeOpenFiles(by, now, unreached)
    await makeOpenRequests(whole, now, people)
    await invoiceByWeek(whole, now, people.admin)
    await proposeRuns(whole, now)
    await accrueReferrals(whole, now, parts.secretKey)
    await freezeCommissions(whole, now)
  })
}

async function makeTerms(db: Db, now: number, affiliates: readonly number[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const affiliate_id of affiliates.slice(0, WEEKLY))
      await saveTerms(trx, {
        affiliate_id,
        schedule: 'weekly',
        net: 7,
        minimums: '{}',
        hold_days: 0,
        makes: 'propose',
        version: 1,
        updated_at: new Date(now - 30 * DAY),
      })
  })
}
