import { expect } from 'vitest'
import { coldRuleForm, recoldForm } from '#test/support/make/cold.ts'
import type { Stranger } from '#test/support/make/stranger.ts'

type Attempt = { params?: Record<string, unknown>; body?: Record<string, unknown>; answer: 'missing' | Record<string, unknown> }
const found = (s: Stranger): Attempt => ({ params: { uuid: s.recold.uuid }, answer: 'missing' })
const form = (s: Stranger) => recoldForm(s.leadList.uuid, s.apiOffer.uuid)
const refused = { status: 422, fields: { list_uuid: expect.any(String) as string } }

const rule = (s: Stranger): Attempt => ({ params: { uuid: s.coldRule.uuid }, answer: 'missing' })
const ruleForm = (s: Stranger) => coldRuleForm({ action: { kind: 'list', list_uuid: s.leadList.uuid } })
const unknown = { status: 422, fields: { 'action.list_uuid': expect.any(String) as string } }
const counting = (s: Stranger) => {
  const { title: _title, ...settings } = ruleForm(s)
  return settings
}

/** What strangers may not reach of distributions and rules: none of theirs is found, sent or run, or made of a list of theirs. */
export const COLD_ROWS: Readonly<Record<string, (s: Stranger) => Attempt>> = {
  'recold.list': (s) => ({ body: { list_uuid: [s.leadList.uuid] }, answer: { list: [] } }),
  'recold.get': found,
  'recold.live': found,
  'recold.figures': (s) => ({ body: { uuid: s.recold.uuid }, answer: 'missing' }),
  'recold.stream': found,
  'recold.preview': (s) => ({ body: form(s), answer: refused }),
  'recold.create': (s) => ({ body: form(s), answer: refused }),
  'recold.update': (s) => ({ ...found(s), body: { ...form(s), version: 1 } }),
  'recold.start': found,
  'recold.pause': found,
  'recold.resume': (s) => ({ ...found(s), body: {} }),
  'recold.done': found,
  'recold.duplicate': found,
  'recold.remove': found,
  'recold.items': (s) => ({ ...found(s), body: {} }),
  'coldRule.get': rule,
  'coldRule.count': (s) => ({ body: counting(s), answer: unknown }),
  'coldRule.create': (s) => ({ body: ruleForm(s), answer: unknown }),
  'coldRule.update': (s) => ({ ...rule(s), body: { ...ruleForm(s), version: 1 } }),
  'coldRule.dryRun': rule,
  'coldRule.activate': rule,
  'coldRule.pause': rule,
  'coldRule.archive': rule,
  'coldRule.run': rule,
  'coldRule.runs': (s) => ({ ...rule(s), body: {} }),
  'coldRule.versions': rule,
  'recold.move': (s) => ({ ...found(s), body: { uuids: [s.recold.uuid], to_uuid: s.recold.uuid } }),
  'recold.decide': (s) => ({ ...found(s), body: { uuids: [s.recold.uuid], action: 'retry' } }),
}
