import { z } from 'zod'
import type { ConsentRule, PartnerLeads } from '#contract/leads/api-offer.ts'
import { INTEGRATION_TYPES, type IntegrationType } from '#contract/leads/integration-type.ts'
import { leadInput } from '#contract/leads/lead.ts'
import { sampleLead } from '#server/rules/lead/sample-lead.ts'

type Property = { type?: string; maxLength?: number; enum?: string[]; properties?: object }

/** What the lead API reads of a lead, told by the schema it checks leads with: the two cannot drift apart. */
const PROPERTIES = (z.toJSONSchema(leadInput, { io: 'input', unrepresentable: 'any' }).properties ?? {}) as Record<string, Property>
const KINDS: Readonly<Record<string, PartnerLeads['fields'][number]['kind']>> = {
  boolean: 'yes',
  integer: 'number',
  number: 'number',
  object: 'object',
}

/** What the kind of leads does not know stands there. */
const OWN = 'fields.'

/** The fields of a lead of one kind, those it must bring first; `needed`: what whoever takes it needs beside. */
export function leadDocs(type: IntegrationType, needed: readonly string[], { mode }: ConsentRule): PartnerLeads['fields'] {
  const own = needed.map((name) => (name.startsWith(OWN) ? 'fields' : name))
  const required = new Set(['offer_uuid', ...INTEGRATION_TYPES[type].required, ...own, ...(mode === 'refuse' ? ['consent'] : [])])
  const all = Object.entries(PROPERTIES).map(([name, { type: kind = 'string', maxLength = null, enum: values = null }]) => ({
    name,
    required: required.has(name),
    kind: KINDS[kind] ?? ('text' as const),
    most: maxLength,
    values,
  }))
  return [...all.filter((one) => one.required), ...all.filter((one) => !one.required)]
}

/** A lead of a country as an offer takes it, marked as a test, with what is `needed` beside what its kind asks for. */
export function leadSample(
  offerUuid: string,
  type: IntegrationType,
  country: string,
  { consent, needed, now }: { consent: ConsentRule; needed: readonly string[]; now: number },
): PartnerLeads['sample'] {
  // the same each time: sent again it is the same lead
  const person = { ...sampleLead(country, now), 'lead.email': 'anna.test@example.com' }
  const text = (name: string) => (person as Record<string, string>)[`lead.${name}`] || 'text'
  const told = [...INTEGRATION_TYPES[type].required, ...needed.filter((name) => !name.startsWith(OWN) && name !== 'consent')]
  const own = needed.filter((name) => name.startsWith(OWN)).map((name) => [name.slice(OWN.length), 'text'] as const)
  return {
    offer_uuid: offerUuid,
    external_id: 'your-id-1',
    ...Object.fromEntries(told.map((name) => [name, text(name)])),
    ...(own.length > 0 && { fields: Object.fromEntries(own) }),
    ...consentSample(needed.includes('consent') && consent.mode === 'off' ? { mode: 'hold', fields: [] } : consent),
    sub1: 'campaign-7',
    test: true,
  }
}

const CONSENTED: Readonly<Record<ConsentRule['fields'][number], string>> = {
  text: 'I agree to be called about this offer.',
  version: '2026-01',
  ip: '203.0.113.9',
  url: 'https://landing.example/form',
}

/** A consent as the offer asks for one. */
function consentSample({ mode, fields }: ConsentRule): PartnerLeads['sample'] {
  if (mode === 'off') return {}
  return { consent: { given_at: '2026-01-15T10:00:00Z', ...Object.fromEntries(fields.map((name) => [name, CONSENTED[name]])) } }
}
