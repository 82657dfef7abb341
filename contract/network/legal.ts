import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { languageCode, line, moment, reference, requiredLine, uuid } from '#contract/fields.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'

/** The texts one agrees to: conditions, user agreement, privacy policy. */
export const LEGAL_KINDS = ['terms', 'agreement', 'privacy'] as const
export const legalKind = z.enum(LEGAL_KINDS)
export type LegalKind = z.output<typeof legalKind>

/** A text in a language as it is published; `version` counts from 1 within both. */
export const legalText = z.object({
  uuid,
  kind: legalKind,
  language: languageCode,
  version: z.int(),
  html: z.string(),
  published_at: moment,
})
export type LegalText = z.output<typeof legalText>

/** What is being written over the published text. `revision` is another one with each save, null where there is no draft. */
const written = z.object({
  text: legalText.nullable(),
  /** The published version, 0 before the first. */
  version: z.int(),
  /** The draft, or where there is none what is published. */
  html: z.string(),
  draft: z.object({ revision: uuid.nullable(), saved_at: moment.nullable(), saved_by: z.string() }),
})
const which = { kind: legalKind, language: languageCode }
const html = z.string().min(1, 'Required').max(200_000)

const told = z.object({ ...legalText.omit({ html: true }).shape, note: z.string(), by: z.string(), accepted: z.int() })

/** Legal texts: read by everybody, published by who sets up registration. */
export const legalApi = {
  read: endpoint({
    method: 'POST',
    path: '/api/legal/v1/read',
    access: 'public',
    reads: true,
    summary: 'The text that holds now, in the language asked for or else the one there is; null where none is published.',
    body: z.object({ kind: legalKind, language: languageCode }),
    response: z.object({ text: legalText.nullable() }),
  }),
  current: endpoint({
    method: 'POST',
    path: '/api/legal/v1/current',
    access: 'setting.registration',
    reads: true,
    summary: 'The text of one kind and language that holds now, null before the first, and the draft of the next where there is one.',
    body: z.object(which),
    response: written,
  }),
  saveDraft: endpoint({
    method: 'POST',
    path: '/api/legal/v1/save-draft',
    access: 'setting.registration',
    summary:
      'Keeps the next version while it is written: guests go on reading the published one. `draft` is the revision it was written over, null for the first.',
    body: z.object({ ...which, draft: uuid.nullable(), html }),
    response: written,
  }),
  discardDraft: endpoint({
    method: 'POST',
    path: '/api/legal/v1/discard-draft',
    access: 'setting.registration',
    summary: 'Throws a draft away; what is published stays.',
    body: z.object({ ...which, draft: uuid }),
    response: written,
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/legal/v1/preview',
    access: 'setting.registration',
    reads: true,
    summary: 'A text as guests would read it: cleaned of all that is no text. Nothing is kept.',
    body: z.object({ html }),
    response: z.object({ html: z.string() }),
  }),
  publish: endpoint({
    method: 'POST',
    path: '/api/legal/v1/publish',
    access: 'setting.registration',
    summary:
      'Publishes the next version, with a note on what changed. `version` is the one it was written over, 0 before the first, and `draft` the revision of the draft, which is gone then.',
    body: z.object({ ...which, version: z.int().min(0), draft: uuid.nullable().default(null), html, note: requiredLine(300) }),
    response: written,
  }),
  versions: endpoint({
    method: 'POST',
    path: '/api/legal/v1/versions',
    access: 'setting.registration',
    reads: true,
    summary: 'All published versions of one kind and language, newest first, with how many accepted each.',
    body: z.object({ ...paging, kind: legalKind, language: languageCode }),
    response: listOf(told),
  }),
  version: endpoint({
    method: 'GET',
    path: '/api/legal/v1/version/:uuid',
    access: 'setting.registration',
    summary: 'One published version with its text.',
    params: z.object({ uuid }),
    response: legalText,
  }),
  acceptances: endpoint({
    method: 'POST',
    path: '/api/legal/v1/acceptances',
    access: 'setting.registration',
    reads: true,
    summary: 'Who accepted which version, newest first.',
    body: z.object({
      ...paging,
      ...sorting(['accepted_at']),
      search: line(100).default(''),
      kind: z.array(legalKind).max(LEGAL_KINDS.length).default([]),
    }),
    response: listOf(
      z.object({
        id: z.int(),
        affiliate: reference,
        kind: legalKind,
        language: languageCode,
        version: z.int(),
        accepted_at: moment,
        address: z.string(),
      }),
    ),
  }),
}
