import { importOptions } from '#contract/people/import.ts'
import { reportInput } from '#contract/traffic/report.ts'
import type { Actor } from '#server/access/actor.ts'
import { openMailQueue } from '#server/features/network/mail/queue.service.ts'
import { createLink } from '#server/features/people/advertiser-link/advertiser-link.service.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { readImport, startImport } from '#server/features/people/import/import.service.ts'
import { runImports } from '#server/features/people/import/run.jobs.ts'
import { scheduleReport } from '#server/features/traffic/report-schedule/schedule.service.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { inOneTransaction, type Db } from '#server/platform/pg/database.ts'
import type { TicketPeople } from './tickets/make.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

type Parts = { db: Db; clickhouse: Clickhouse; secretKey: string | null }

/** What an office leaves behind in a month: notes in the log, an import, links for advertisers, reports by mail. */
export async function makeRecords({ db, clickhouse, secretKey }: Parts, now: number, people: TicketPeople): Promise<void> {
  await inOneTransaction(db, async (whole) => {
    await makeNotes(whole, now, people)
    await makeLinks(whole, now, people.head)
    await makeSchedules(whole, now, people.head)
  })
  await makeImport({ db, clickhouse, secretKey }, now - 5 * HOUR, people.head)
}

/** What somebody wrote down after a call, by the kind of thing it is about. */
const NOTES = {
  affiliate: [
    'Asked for a higher payout in Poland, decide after this month',
    'Prefers Telegram, answers in the evening',
    'Tests two new landings from Monday on',
    'Sends push traffic only, no adult sources',
    'Wants weekly payouts once the volume is steady',
    'Quality looked at with the advertiser: fine',
  ],
  offer: [
    'The advertiser asks for fewer leads at weekends',
    'New creatives are coming next week',
    'Approval takes up to five days, tell affiliates who ask',
    'Second deposit counts from the first of the month on',
  ],
  advertiser: ['Invoice to accounting, copy to Olena', 'Sends results twice a day by their own script', 'Contract renewed until summer'],
} as const

/** A month of notes by all of the staff, in working hours; each stands in its record and, with who wrote it, in the log. */
async function makeNotes(db: Db, now: number, { admin, head, managers }: TicketPeople): Promise<void> {
  const staff: readonly Actor[] = [head, ...managers, admin]
  for (const [kind, notes] of Object.entries(NOTES) as [keyof typeof NOTES, readonly string[]][]) {
    const rows = await db
      .selectFrom(kind)
      .select(['id', 'notes'])
      .orderBy('id')
      .limit(kind === 'advertiser' ? 8 : 24)
      .execute()
    for (const [place, { id, notes: before }] of rows.entries()) {
      const after = notes[place % notes.length] ?? ''
      const at = now - (1 + ((place * 7 + kind.length) % 29)) * DAY + ((place % 8) - 4) * HOUR + place * 61_000
      const actor = staff[(place + kind.length) % staff.length] ?? admin
      await db.updateTable(kind).set({ notes: after }).where('id', '=', id).execute()
      const change = { before: { notes: before }, after: { notes: after } }
      await recordAudit(db, { ...actor, address: '91.198.36.14' }, at, { action: 'update', entity: kind, entityId: id, ...change })
    }
  }
}

/** Links by which two advertisers see their figures; one has ended. */
async function makeLinks(db: Db, now: number, head: Actor): Promise<void> {
  const advertisers = await db.selectFrom('advertiser').select('uuid').where('status', '=', 'active').orderBy('id').limit(2).execute()
  for (const [place, { uuid }] of advertisers.entries()) {
    await createLink(db, now - 12 * DAY, head, { advertiser_uuid: uuid, name: place === 0 ? 'Media buying' : 'Accounting', days: 90 })
    if (place === 0) await createLink(db, now - 45 * DAY, head, { advertiser_uuid: uuid, name: 'Audit in October', days: 30 })
  }
}

const QUESTIONS = [
  {
    name: 'Offers, every Monday',
    every: 'week',
    day: 1,
    hour: 9,
    group: ['offer'],
    metrics: ['clicks', 'conversions', 'revenue', 'payout', 'profit'],
  },
  { name: 'Countries yesterday', every: 'day', day: 1, hour: 8, group: ['geo'], metrics: ['clicks', 'conversions', 'cr', 'payout'] },
] as const

/** Reports the head gets by mail. */
async function makeSchedules(db: Db, now: number, head: Actor): Promise<void> {
  for (const { group, metrics, every, ...rest } of QUESTIONS) {
    const question = reportInput.parse({ period: { preset: every === 'week' ? 'last_7_days' : 'yesterday' }, group, metrics })
    await scheduleReport(db, now - 20 * DAY, head, { ...rest, every, question, address: `group=${group.join(',')}`, recipient_uuids: [] })
  }
}

/** What another platform exported: two rows are somebody there already, and two cannot be. */
const FILE = `Affiliate,Email,Country,Currency,Account Status,Tags
Bright Harbour Media,team@brightharbour.example,Poland,EUR,Active,everflow
Leśna Reklama,biuro@lesna.example,PL,EUR,Active,everflow
Sunny Side Push,hello@sunnyside.example,Spain,EUR,Pending,"everflow, push"
Добрий Трафік,office@dobryi.example,Україна,UAH,Active,everflow
Old Mill Networks,partners@oldmill.example,Germany,EUR,Inactive,everflow
Twice The Same,hello@sunnyside.example,Spain,EUR,Active,everflow
Affiliate,affiliate@partners.example,Ukraine,USD,Active,everflow
No Address,none,Italy,EUR,Active,everflow
Far Away,far@away.example,Narnia,EUR,Active,everflow
`

/** An import of this morning, which can still be taken back. */
async function makeImport({ db, clickhouse, secretKey }: Parts, at: number, head: Actor): Promise<void> {
  const asked = { kind: 'affiliate', name: 'everflow-partners.csv', encoding: 'auto', delimiter: 'auto' } as const
  const draft = await readImport({ db, limit: () => () => {} }, at, head, asked, Buffer.from(FILE))
  const options = importOptions.parse({})
  await startImport(db, at, head, draft.uuid, { mapping: draft.mapping, options })
  // nobody is mailed
  const way = { mail: openMailQueue(secretKey ?? 'nobody is mailed by it'), publicUrl: '', panel: () => Promise.resolve('') }
  while (await runImports({ db, clickhouse, way }, at));
}
