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
    summary: 'The text of one kind and language that holds now, for whoever writes the next version; null before the first.',
    body: z.object({ kind: legalKind, language: languageCode }),
    response: z.object({ text: legalText.nullable(), version: z.int(), html: z.string() }),
  }),
  publish: endpoint({
    method: 'POST',
    path: '/api/legal/v1/publish',
    access: 'setting.registration',
    summary: 'Publishes the next version, with a note on what changed. `version` is the one it was written over, 0 before the first.',
    body: z.object({
      kind: legalKind,
      language: languageCode,
      version: z.int().min(0),
      html: z.string().min(1, 'Required').max(200_000),
      note: requiredLine(300),
    }),
    response: z.object({ text: legalText.nullable(), version: z.int(), html: z.string() }),
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
