import type { Stranger } from '#test/support/make/stranger.ts'

type Refused = {
  params?: Record<string, unknown>
  body?: Record<string, unknown> | Uint8Array
  answer: 'missing' | Record<string, unknown>
}

/** What nobody reaches of a stranger's list of leads. */
export const LEAD_LIST_ROWS: Record<string, (s: Stranger) => Refused> = {
  'leadList.list': (s) => ({ body: { owner_uuid: [s.manager.uuid] }, answer: { list: [] } }),
  'leadList.get': (s) => ({ params: { uuid: s.leadList.uuid }, answer: 'missing' }),
  'leadList.update': (s) => ({
    params: { uuid: s.leadList.uuid },
    body: { title: 'Mine', description: '', version: 1 },
    answer: 'missing',
  }),
  'leadList.archive': (s) => ({ params: { uuid: s.leadList.uuid }, body: { archived: true }, answer: 'missing' }),
  'leadList.remove': (s) => ({ params: { uuid: s.leadList.uuid }, answer: 'missing' }),
  'leadList.sessions': (s) => ({ params: { uuid: s.leadList.uuid }, answer: 'missing' }),
  'leadList.conversions': (s) => ({ params: { uuid: s.leadList.uuid }, answer: 'missing' }),
  'leadList.trySessions': (s) => ({ params: { uuid: s.leadList.uuid }, body: { uuids: [s.sentLead.uuid] }, answer: 'missing' }),
  'leadList.addSessions': (s) => ({ params: { uuid: s.leadList.uuid }, body: { uuids: [s.sentLead.uuid] }, answer: 'missing' }),
  'leadList.tryConversions': (s) => ({ params: { uuid: s.leadList.uuid }, body: { uuids: [s.conversion.uuid] }, answer: 'missing' }),
  'leadList.addConversions': (s) => ({ params: { uuid: s.leadList.uuid }, body: { uuids: [s.conversion.uuid] }, answer: 'missing' }),
  'leadList.items': (s) => ({ params: { uuid: s.leadList.uuid }, answer: 'missing' }),
  'leadList.sends': (s) => ({ params: { uuid: s.leadList.uuid }, body: { item_id: s.leadList.item }, answer: 'missing' }),
  'leadList.removeItems': (s) => ({ params: { uuid: s.leadList.uuid }, body: { item_ids: [s.leadList.item] }, answer: 'missing' }),
  'leadList.restoreItems': (s) => ({ params: { uuid: s.leadList.uuid }, body: { item_ids: [s.leadList.item] }, answer: 'missing' }),
  'leadList.moveItems': (s) => ({
    params: { uuid: s.leadList.uuid },
    body: { item_ids: [s.leadList.item], to_uuid: s.leadList.uuid },
    answer: 'missing',
  }),
  'leadList.merge': (s) => ({ params: { uuid: s.leadList.uuid }, body: { from_uuid: s.leadList.uuid }, answer: 'missing' }),
  'leadListImport.read': (s) => ({
    params: { uuid: s.leadList.uuid },
    body: new TextEncoder().encode('email\nx@mail.example'),
    answer: 'missing',
  }),
  'leadListImport.preview': (s) => ({ params: { uuid: s.leadList.file }, body: { mapping: { email: 0 } }, answer: 'missing' }),
  'leadListImport.start': (s) => ({
    params: { uuid: s.leadList.file },
    body: { mapping: { email: 0 }, basis: 'consent', source: 'Theirs', confirmed: true, language: 'en' },
    answer: 'missing',
  }),
  'leadListImport.get': (s) => ({ params: { uuid: s.leadList.file }, answer: 'missing' }),
  'leadListImport.list': (s) => ({ params: { uuid: s.leadList.uuid }, answer: 'missing' }),
  'leadListImport.rows': (s) => ({ params: { uuid: s.leadList.file }, answer: 'missing' }),
  'leadListImport.cancel': (s) => ({ params: { uuid: s.leadList.file }, answer: 'missing' }),
  'leadListImport.undo': (s) => ({ params: { uuid: s.leadList.file }, answer: 'missing' }),
  'leadList.split': (s) => ({ params: { uuid: s.leadList.uuid }, body: { title: 'Mine', percent: 50 }, answer: 'missing' }),
}
