import { fileApi } from '#contract/network/file.ts'
import { landingApi, type LandingInput } from '#contract/offers/landing.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { Caller, TestApi } from '../run/api.ts'

/** A valid form of a landing, with what a test changes in it. */
export function landingInput(changes: Partial<LandingInput> = {}): LandingInput {
  return {
    name: 'Summer sale',
    url: 'https://land.example/?c={click_id}',
    type: 'landing',
    language: 'en',
    tags: [],
    privacy: 'public',
    advertiser_uuid: null,
    affiliate_uuids: [],
    preview: null,
    notes: '',
    ...changes,
  }
}

/** Makes an active landing through the API. */
export async function makeLanding(staff: Caller, changes: Partial<LandingInput> = {}) {
  const { status, data, errors, fields } = await staff.call(landingApi.create, { body: landingInput(changes) })
  if (status !== 200) throw new Error(`${JSON.stringify(errors)} ${JSON.stringify(fields)}`)
  return data
}

/** Uploads a file, as the web does: the picture of a landing, or what a message brings. */
export async function upload(
  api: Pick<TestApi, 'url'>,
  who: Pick<Caller, 'token'>,
  bytes: Buffer,
  headers: Record<string, string> = {},
  query: { kind: string; name?: string } = { kind: 'landing' },
) {
  const response = await fetch(`${api.url}${fileApi.upload.path}?${new URLSearchParams(query)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/octet-stream', ...headers },
    body: new Uint8Array(bytes),
  })
  type Told = { data: CallOutput<typeof fileApi.upload>; errors?: Record<string, string> }
  const { data, errors = {} } = (await response.json()) as Told // data on success
  return { status: response.status, data, errors }
}
