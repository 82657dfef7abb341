import type { IntegrationDetail } from '#contract/leads/integration.ts'
import type { CallStatus } from '#contract/leads/call-status.ts'
import { EXTRACTED, type IntegrationSpec, type PullSpec, type ResponseSpec, type StepSpec } from '#contract/leads/integration-spec.ts'

type Extracted = (typeof EXTRACTED)[number]
/** Places of each text, one per line. */
type Extract = Record<Extracted, string>
type StepValues = Omit<StepSpec, 'response' | 'give' | 'expires'> & {
  rules: ResponseSpec['rules']
  /** Of its answer, where an error's text stands, and what nobody edits here. */
  error: string
  more: ResponseSpec['extract']
  give: { name: string; places: string }[]
  expires: string
}
type Lines = 'rows' | 'id' | 'status' | 'amount' | 'transaction' | 'deposits' | 'at'
type PullValues = Omit<PullSpec, Lines | 'paging'> &
  Record<Lines, string> & { paging: 'none' | 'page' | 'offset' | 'cursor'; first: number; size: number; cursor: string }

/** A spec as the form holds it: what is a table by name is a list of rows, a list of places is text with a line for each. */
export type SpecValues = {
  credentials: IntegrationSpec['credentials']
  steps: StepValues[]
  request: IntegrationSpec['request']
  rules: ResponseSpec['rules']
  extract: Extract
  pulls: boolean
  pull: PullValues
  statuses: { word: string; means: CallStatus }[]
  /** `rows`: one `theirs = ours` per line. */
  tables: { name: string; rows: string }[]
  note: string
}
/** A call a form has fields for: of the lead, of a step, of asking what became of leads. */
export type CallPath = 'request' | `steps.${number}.request` | 'pull.request'

export const BLANK_REQUEST: IntegrationSpec['request'] = {
  method: 'POST',
  url: '{{product.host}}/',
  query: [],
  headers: [],
  body: 'json',
  nodes: [],
  raw: '',
  content_type: '',
  timeout_ms: 15_000,
}

const BLANK_PULL: PullValues = {
  request: { ...BLANK_REQUEST, method: 'GET', body: 'none' },
  by: 'window',
  ids_at_once: 50,
  ids_between: ',',
  window_days: 7,
  slack_hours: 48,
  paging: 'none',
  first: 1,
  size: 100,
  cursor: '',
  error_when: [],
  rows: 'data',
  wrapped: '',
  id: 'id',
  id_is: 'external_id',
  status: 'status',
  sale_when: [],
  amount: '',
  transaction: '',
  deposits: '',
  at: '',
}

/** What the form holds of a saved spec. */
export function specValues({ spec }: IntegrationDetail): SpecValues {
  const { credentials, steps, request, response, pull, statuses, tables } = spec
  return {
    credentials,
    request,
    rules: response.rules,
    extract: Object.fromEntries(EXTRACTED.map((what) => [what, lines(response.extract[what])])) as Extract, // each of them
    steps: steps.map(({ response: answer, give, expires, ...step }) => ({
      ...step,
      rules: answer.rules,
      error: lines(answer.extract.error_text),
      more: answer.extract,
      expires: lines(expires),
      give: Object.entries(give).map(([name, places]) => ({ name, places: lines(places) })),
    })),
    pulls: pull !== null,
    pull: pull === null ? BLANK_PULL : pullValues(pull),
    statuses: Object.entries(statuses).map(([word, means]) => ({ word, means })),
    tables: Object.entries(tables).map(([name, rows]) => ({
      name,
      rows: Object.entries(rows)
        .map(([theirs, ours]) => `${theirs} = ${ours}`)
        .join('\n'),
    })),
    note: '',
  }
}

/** The spec the form stands for. */
export function specOf({ rules, extract, steps, pulls, pull, statuses, tables, credentials, request }: SpecValues): IntegrationSpec {
  return {
    credentials,
    request,
    response: { rules, extract: extractOf(extract) },
    steps: steps.map(({ rules: answer, error, more: { error_text: _was, ...more }, give, expires, ...step }) => ({
      ...step,
      response: { rules: answer, extract: { ...more, ...(placesOf(error).length > 0 && { error_text: placesOf(error) }) } },
      ...(placesOf(expires).length > 0 && { expires: placesOf(expires) }),
      give: Object.fromEntries(give.map(({ name, places }) => [name, placesOf(places)])),
    })),
    pull: pulls ? pullOf(pull) : null,
    statuses: Object.fromEntries(statuses.map(({ word, means }) => [wordOf(word), means])),
    tables: Object.fromEntries(tables.map(({ name, rows }) => [name, rowsOf(rows)])),
  }
}

/** The places of an answer's texts, those without any left out. */
export function extractOf(extract: Extract): ResponseSpec['extract'] {
  return Object.fromEntries(EXTRACTED.flatMap((what) => (extract[what].trim() === '' ? [] : [[what, placesOf(extract[what])]])))
}

function pullValues({ rows, id, status, amount, transaction, deposits, at, paging, ...pull }: PullSpec): PullValues {
  return {
    ...pull,
    rows: lines(rows),
    id: lines(id),
    status: lines(status),
    amount: lines(amount),
    transaction: lines(transaction ?? []),
    deposits: lines(deposits ?? []),
    at: lines(at),
    paging: paging.by,
    first: paging.by === 'page' ? paging.first : 1,
    size: 'size' in paging ? paging.size : 100,
    cursor: paging.by === 'cursor' ? paging.at : '',
  }
}

function pullOf({ rows, id, status, amount, transaction, deposits, at, paging, first, size, cursor, ...pull }: PullValues): PullSpec {
  return {
    ...pull,
    rows: placesOf(rows),
    id: placesOf(id),
    status: placesOf(status),
    amount: placesOf(amount),
    ...(transaction.trim() !== '' && { transaction: placesOf(transaction) }),
    ...(deposits.trim() !== '' && { deposits: placesOf(deposits) }),
    at: placesOf(at),
    paging:
      paging === 'page'
        ? { by: 'page', first, size }
        : paging === 'offset'
          ? { by: 'offset', size }
          : paging === 'cursor'
            ? { by: 'cursor', at: cursor }
            : { by: 'none' },
  }
}

function lines(places: readonly string[] | undefined): string {
  return (places ?? []).join('\n')
}

function placesOf(text: string): string[] {
  return text
    .split('\n')
    .map((place) => place.trim())
    .filter((place) => place !== '')
}

/** A word of theirs as the server compares it. */
function wordOf(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .replace(/[\s_/-]+/g, ' ')
}

function rowsOf(text: string): Record<string, string> {
  const rows = placesOf(text).map((row): [string, string] => {
    const at = row.indexOf('=')
    return at < 0 ? [row, ''] : [row.slice(0, at).trim(), row.slice(at + 1).trim()]
  })
  return Object.fromEntries(rows)
}
