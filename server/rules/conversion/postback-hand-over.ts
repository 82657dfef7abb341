import { z } from 'zod'

/** Where advertisers are told to report to. */
export const POSTBACK_PATH = '/postback'

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

/**
 * What the api says to each postback of a batch: the advertiser's answer; `failed`: this one cannot be taken;
 * `later`: nothing is wrong with it, but it was not tried, or a database is away.
 */
export type PostbackVerdict = { status: number; body: unknown } | 'failed' | 'later'
