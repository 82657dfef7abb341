import { z } from 'zod'

/** Where advertisers are told to report to. */
export const POSTBACK_PATH = '/postback'

/** Whether a path is that one, as people type it: in whatever case, with a slash at its end or without. */
export function isPostbackPath(path: string): boolean {
  return path === POSTBACK_PATH || (path.length <= POSTBACK_PATH.length + 1 && /^\/postback\/?$/i.test(path))
}

/** A postback as a tracker hands it over to the api. `id` makes the same hand-over twice recognisable. */
export const receivedPostback = z.object({
  id: z.string().min(1).max(100),
  received_at: z.iso.datetime(),
  method: z.string().max(10),
  /** `POSTBACK_PATH`, or where else on the tracking domain it came. */
  path: z.string().max(2_000).default(POSTBACK_PATH),
  /** As it came, without the question mark. */
  query: z.string(),
  body: z.string().default(''),
  content_type: z.string().default(''),
  ip: z.string().max(64),
  headers: z.record(z.string(), z.string()).default({}),
})
export type ReceivedPostback = z.output<typeof receivedPostback>

/** So much of a path nobody serves a tracker tells apart, in characters; less is shown. */
export const LONGEST_STRAY_PATH = 400

/**
 * Calls on paths nobody serves, as a tracker has counted them since it handed over the last ones; '' = on all other paths.
 * `id` makes the same hand-over twice recognisable.
 */
export const strayCounts = z.object({
  id: z.uuid(),
  paths: z
    .array(
      z.object({
        day: z.iso.date(),
        path: z
          .string()
          .max(LONGEST_STRAY_PATH)
          .regex(/^[\x21-\x7e]*$/),
        calls: z.int().min(1),
        last_at: z.iso.datetime(),
      }),
    )
    .max(1_000),
})
export type StrayCounts = z.output<typeof strayCounts>

/**
 * What the api says to each postback of a batch: the advertiser's answer; `failed`: this one cannot be taken, for whatever reason;
 * `faulty`: for what it says itself, while the database is well; `later`: nothing is wrong with it, but it was not tried, or a database
 * is away.
 */
export type PostbackVerdict = { status: number; body: unknown } | 'failed' | 'faulty' | 'later'
