import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { Endpoint, EndpointGroup } from '#contract/endpoint.ts'
import { ROOMS, type Room } from '#contract/people/key-scope.ts'

const CONTRACT = join(import.meta.dirname, '../../contract')
const rooms = new Map<Endpoint, Room>()

/**
 * Every group of endpoints by feature, `affiliateApi` of the contract as `affiliate`: what the API reference and the tests that
 * visit every endpoint go through.
 */
export const API: Readonly<Record<string, EndpointGroup>> = Object.fromEntries(
  (
    await Promise.all(
      globSync('*/*.ts', { cwd: CONTRACT })
        .toSorted()
        .map((file) => groupsIn(file)),
    )
  ).flat(),
)

/** The room an endpoint stands in, by which API keys are given it; undefined for one outside of the contract. */
export function roomOf(endpoint: Endpoint): Room | undefined {
  return rooms.get(endpoint)
}

async function groupsIn(file: string): Promise<[feature: string, group: EndpointGroup][]> {
  const path = `#contract/${file}`
  const module = (await import(path)) as Record<string, EndpointGroup> // those called so, by the convention
  const room = ROOMS.find((one) => file.startsWith(`${one}/`) || file.startsWith(`${one}\\`))
  return Object.keys(module)
    .filter((name) => name.endsWith('Api'))
    .map((name) => {
      const group = module[name] ?? {}
      if (room !== undefined) for (const endpoint of Object.values(group)) rooms.set(endpoint, room)
      return [name.slice(0, -'Api'.length), group]
    })
}
