import { describe, expect, test } from 'vitest'
import { integrationSpec } from '#contract/leads/integration-spec.ts'
import { checkSpec } from './check-spec.ts'

/** A spec with one pattern at every place an answer is looked at. */
function specWith(pattern: string) {
  const place = `matches:${pattern}`
  const when = [{ at: place, op: 'matches', value: pattern }]
  const response = {
    rules: [{ when, outcome: 'accepted' }],
    extract: Object.fromEntries(['external_id', 'redirect_url', 'error_text', 'price', 'password'].map((what) => [what, ['id', place]])),
  }
  const request = { method: 'GET', url: 'https://crm.example/' }
  return integrationSpec.parse({
    steps: [{ name: 'login', request, response, give: { token: ['token', place] }, expires: [place] }],
    request,
    response,
    pull: {
      request,
      by: 'window',
      paging: { by: 'cursor', at: place },
      error_when: [when],
      sale_when: when,
      rows: ['data'],
      deposits: ['deposits'],
      ...Object.fromEntries(['id', 'status', 'amount', 'transaction', 'at'].map((what) => [what, [place]])),
    },
  })
}

/** Where a text stands in a tree, at the end of what is there. */
function pathsOf(tree: unknown, text: string, path: string[] = []): string[] {
  if (typeof tree === 'string') return tree.endsWith(text) ? [path.join('.')] : []
  return Object.entries(tree ?? {}).flatMap(([name, inner]) => pathsOf(inner, text, [...path, name]))
}

describe('a pattern', () => {
  test.each([
    ['that cannot be read', 'id=(\\d+', 'pattern'],
    ['that grows too long', '(?:ab){1,200}', 'pattern_long'],
  ])('%s is named by its field, wherever an answer is looked at by it', (_what, pattern, code) => {
    const spec = specWith(pattern)
    const paths = pathsOf(spec, pattern)
    expect(paths).toHaveLength(26)
    expect(checkSpec(spec).toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual(
      paths.toSorted().map((path) => ({ path, code, at: pattern })),
    )
  })

  test('that can be read is none to mend', () => {
    expect(checkSpec(specWith('id=(\\d+)'))).toEqual([])
  })
})
