import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { EndpointGroup } from '#contract/endpoint.ts'

const CONTRACT = join(import.meta.dirname, '../../contract')

/**
 * Every group of endpoints by feature, `affiliateApi` of the contract as `affiliate`: what the API reference and the tests that
 * visit every endpoint go through.
 */
export const API: Readonly<Record<string, EndpointGroup>> = Object.fromEntries(
  (
    await Promise.all(
      globSync('*/*.ts', { cwd: CONTRACT })
        .toSorted()
        .map((file) => groupsIn(`#contract/${file}`)),
    )
  ).flat(),
)

async function groupsIn(path: string): Promise<[feature: string, group: EndpointGroup][]> {
  const module = (await import(path)) as Record<string, EndpointGroup> // those called so, by the convention
  return Object.keys(module)
    .filter((name) => name.endsWith('Api'))
    .map((name) => [name.slice(0, -'Api'.length), module[name] ?? {}])
}
