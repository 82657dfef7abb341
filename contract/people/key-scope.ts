/** The rooms of the API: the scopes of keys are given by them. */
export const ROOMS = ['people', 'offers', 'traffic', 'leads', 'money', 'network'] as const
export type Room = (typeof ROOMS)[number]

/** What of its owner's rights an API key has: to read a room, or to change it too. */
export type KeyScope = `${Room}.${'read' | 'write'}`
export const KEY_SCOPES = ROOMS.flatMap((room): [KeyScope, KeyScope] => [`${room}.read`, `${room}.write`])
