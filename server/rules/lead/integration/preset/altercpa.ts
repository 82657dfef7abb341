import { nodes, pairs, param, says, secret, type IntegrationPreset } from './make.ts'

const COD = ['nutra_cod', 'sweepstakes', 'generic']

export const ALTERCPA_PRESETS: readonly IntegrationPreset[] = [
  {
    key: 'altercpa_wm',
    name: 'AlterCPA (webmaster: wm/push)',
    types: COD,
    notes:
      'For networks and call centres on AlterCPA. Nothing to read leads back by was found in public for webmasters: their postback brings the subid.',
    spec: {
      credentials: [secret('id', 'User and key, 12-abcdef'), param('offer', 'Offer'), param('flow', 'Flow', false)],
      request: {
        method: 'POST',
        url: '{{product.host}}/api/wm/push.json',
        query: pairs({ id: '{{cred.id}}', offer: '{{cred.offer}}', flow: '{{cred.flow}}' }),
        body: 'form',
        nodes: nodes({
          'ip!': '{{lead.ip}}',
          'name!': '{{lead.first_name}}',
          last: '{{lead.last_name}}',
          'phone!': '{{lead.phone | digits}}',
          email: '{{lead.email}}',
          country: '{{lead.country | lower}}',
          address: '{{lead.address}}',
          comm: '{{lead.comment}}',
          ua: '{{lead.user_agent}}',
          subid: '{{send.lead_id}}',
          sub1: '{{lead.sub1}}',
        }),
      },
      response: altercpaAnswer(),
      statuses: altercpaWords(),
    },
  },
  {
    key: 'altercpa_ext',
    name: 'AlterCPA (agency: ext/add)',
    types: COD,
    notes:
      'For networks and call centres on AlterCPA. Our own id is sent along and comes back. In some of them a deposit is said in the field custom only.',
    spec: {
      credentials: [secret('id', 'User and key, 12-abcdef'), param('offer', 'Offer')],
      request: {
        method: 'POST',
        url: '{{product.host}}/api/ext/add.json',
        query: pairs({ id: '{{cred.id}}' }),
        body: 'json',
        nodes: nodes({
          'id!': '{{send.lead_id}}',
          'offer!': ['{{cred.offer}}', 'number'],
          'ip!': '{{lead.ip}}',
          'name!': '{{lead.full_name}}',
          'phone!': '{{lead.phone | digits}}',
          email: '{{lead.email}}',
          country: '{{lead.country | lower}}',
          address: '{{lead.address}}',
          ua: '{{lead.user_agent}}',
          sub1: '{{lead.sub1}}',
        }),
      },
      response: altercpaAnswer(),
      pull: altercpaPull(),
      statuses: altercpaWords(),
    },
  },
]

function altercpaAnswer(): IntegrationPreset['spec']['response'] {
  return {
    rules: [
      {
        when: [
          { at: 'status', op: 'eq', value: 'ok' },
          { at: 'id', op: 'exists' },
        ],
        outcome: 'accepted',
      },
      says('error', 'in', 'key\napp\nfunc\naccess-denied\noffer-inactive', 'config_error'),
      { when: [{ at: 'error', op: 'matches', value: '(?i)(double|duplicate)' }], outcome: 'duplicate' },
      says('status', 'eq', 'error', 'rejected'),
    ],
    extract: { external_id: ['id'], redirect_url: ['url'], error_text: ['error', 'message'] },
  }
}

function altercpaPull(): IntegrationPreset['spec']['pull'] {
  return {
    request: {
      method: 'POST',
      url: '{{product.host}}/api/ext/list.json',
      query: pairs({ id: '{{cred.id}}' }),
      body: 'form',
      nodes: nodes({ from: "{{poll.from | date:'YYYY-MM-DD'}}", to: "{{poll.to | date:'YYYY-MM-DD'}}" }),
    },
    by: 'window',
    error_when: [[{ at: 'status', op: 'eq', value: 'error' }]],
    rows: ['.', 'data'],
    id: ['uid', 'id'],
    status: ['stage', 'status'],
    // the whole field: "no deposit" is none
    sale_when: [{ at: 'custom', op: 'matches', value: '(?i)^\\s*depo[sz]it(or|ed)?\\s*$' }],
  }
}

function altercpaWords(): IntegrationPreset['spec']['statuses'] {
  return {
    wait: 'new',
    hold: 'in_progress',
    approve: 'sale',
    cancel: 'cancelled',
    trash: 'invalid_data',
    '1': 'new',
    '2': 'in_progress',
    '3': 'callback',
    '4': 'no_answer',
    '5': 'cancelled',
    '9': 'delivered',
    '10': 'sale',
    '11': 'returned',
    '12': 'invalid_data',
  }
}
