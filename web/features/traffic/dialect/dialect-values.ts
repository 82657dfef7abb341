import type { CallOutput } from '#contract/endpoint.ts'
import type { Dialect, dialectApi } from '#contract/traffic/dialect.ts'

/** The advertiser whose page it is. */
export type DialectOf = { uuid: string; name: string; postback_token: string; postback_auth: string }
export type Presets = CallOutput<typeof dialectApi.presets>['list']
export type StoredDialect = CallOutput<typeof dialectApi.get>

/** What the form holds; `system`: none, a preset, or one of its own. */
export type DialectValues = { system: string; dialect: Dialect; header: string | null; encoding: 'hex' | 'base64'; secret: string }
