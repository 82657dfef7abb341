import { z } from 'zod'
import type { Permission } from '#contract/access.ts'
import { bytes, endpoint } from '#contract/endpoint.ts'
import { byUuid, uuid } from '#contract/fields.ts'

/** What a file may be for, and what it takes to upload one: of landings only pictures. */
export const FILE_KINDS = {
  landing: 'offer.write',
  news: 'news.write',
  ticket: 'ticket.read',
  own_invoice: 'payment.own',
} as const satisfies Record<string, Permission>
export type FileKind = keyof typeof FILE_KINDS

/** 5 MB; the API refuses longer ones while they arrive. */
export const LARGEST_FILE = 5 * 1024 * 1024

/** Files belong to what shows them; one that nothing shows within a day is deleted. */
export const fileApi = {
  upload: endpoint({
    method: 'POST',
    path: '/api/file/v1/upload',
    access: 'signedIn',
    summary:
      'Keeps a PNG, JPEG or WebP of at most 5 MB as WebP of at most 1600 pixels, without its metadata; of affiliates’ own invoices also PDF, of tickets also PDF, DOCX, XLSX, CSV and plain text as they are, told by their content.',
    query: z.object({
      kind: z.enum(Object.keys(FILE_KINDS) as [FileKind, ...FileKind[]]) /* keys of the table above */,
      /** What it is called, without folders; its ending follows from what it is. */
      name: z.string().max(1000).default(''),
    }),
    body: bytes,
    /** Sizes are those of pictures. */
    response: z.object({
      uuid,
      width: z.int().nullable(),
      height: z.int().nullable(),
      name: z.string(),
      size: z.int(),
      picture: z.boolean(),
    }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/file/v1/get/:uuid',
    access: 'signedIn',
    summary: 'The file itself, for those who may see what it belongs to; what is no picture of a landing is only ever downloaded.',
    params: byUuid,
    response: bytes,
  }),
}
