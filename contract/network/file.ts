import { z } from 'zod'
import type { Permission } from '#contract/access.ts'
import { bytes, endpoint } from '#contract/endpoint.ts'
import { byUuid, uuid } from '#contract/fields.ts'

/** What a picture may be for, and what it takes to upload one. */
export const FILE_KINDS = { landing: 'offer.write' } as const satisfies Record<string, Permission>
export type FileKind = keyof typeof FILE_KINDS

/** 5 MB; the API refuses longer ones while they arrive. */
export const LARGEST_FILE = 5 * 1024 * 1024

/** Pictures belong to what shows them; one that nothing shows within a day is deleted. */
export const fileApi = {
  upload: endpoint({
    method: 'POST',
    path: '/api/file/v1/upload',
    access: 'signedIn',
    summary: 'Keeps a PNG, JPEG or WebP of at most 5 MB as WebP of at most 1600 pixels, without its metadata.',
    query: z.object({ kind: z.enum(Object.keys(FILE_KINDS) as [FileKind, ...FileKind[]]) /* keys of the table above */ }),
    body: bytes,
    response: z.object({ uuid, width: z.int(), height: z.int() }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/file/v1/get/:uuid',
    access: 'signedIn',
    summary: 'The picture itself, for those who may see what it belongs to.',
    params: byUuid,
    response: bytes,
  }),
}
