import { expect, test } from 'vitest'
import { integrationSpec } from '#contract/leads/integration-spec.ts'
import { addressesOf } from './addresses.ts'

const HOST = 'https://crm.example/v2'
/** Whom a call to this address goes to beside the product’s own. */
function other(url: string, account: Record<string, string> = {}, host = HOST): string[] {
  const spec = integrationSpec.parse({ request: { method: 'GET', url }, response: { rules: [] } })
  return [...addressesOf(spec, host, account)].filter((one) => one !== 'https://crm.example')
}

test('the product’s own address is one, however it is followed by a path', () => {
  for (const url of ['{{product.host}}', '{{ product.host }}/leads?a={{cred.key}}', '{{product.host}}?x', 'https://CRM.example/other'])
    expect(other(url)).toEqual([])
})

test('log-in, lead and question are looked at alike', () => {
  const at = (url: string) => ({ method: 'GET', url })
  const spec = integrationSpec.parse({
    steps: [{ name: 'login', request: at('https://a.example/x'), response: { rules: [] }, give: {} }],
    request: at('https://b.example/{{lead.email}}'),
    response: { rules: [] },
    pull: { request: at('http://c.example:8080?x'), by: 'ids', rows: ['rows'], id: ['id'] },
  })
  expect([...addressesOf(spec, HOST, {})]).toEqual([
    'https://crm.example',
    'https://a.example',
    'https://b.example',
    'http://c.example:8080',
  ])
})

test('an address macros decide about is another one with every other text before its path, and with every other value in it', () => {
  const [known] = other('https://{{cred.box}}.crm.example/leads', { box: 'eu' })
  expect(other('https://{{cred.box}}.crm.example/v3/leads?x', { box: 'eu', other: '1' })).toEqual([known])
  expect(other('https://{{cred.box}}.crm.example/leads', { box: 'us' })).not.toEqual([known])
  expect(other('https://{{cred.box}}.crm.example.evil.example/leads', { box: 'eu' })).not.toEqual([known])
  for (const url of [
    '{{product.host}}.evil.example/leads',
    '{{product.host}}@evil.example/leads',
    '{{product.host}}\\@evil.example',
    "{{product.host | replace:'crm','evil'}}/leads",
    'https:///evil.example/leads',
    'https:\\\\evil.example/leads',
    'https://crm.example\\@evil.example/leads',
    'https://crm.example@evil.example/leads',
    'https://crm.example{{lead.country}}/leads',
    'https://{{lead.fields.host}}/leads',
    '{{cred.box}}://evil.example',
  ])
    expect(other(url), url).toHaveLength(1)
  expect(other('https:///one.example/leads')).not.toEqual(other('https:///two.example/leads'))
})
