import { nodes, pairs, param, says, secret, status, type IntegrationPreset } from './make.ts'

const COD = ['nutra_cod', 'sweepstakes', 'generic']

export const COD_TOLD_PRESETS: readonly IntegrationPreset[] = [
  {
    key: 'kma',
    name: 'KMA.biz',
    types: COD,
    notes: 'A channel is made in their panel first. Nothing to read leads back by was found in public: their postback brings P, A, D or F.',
    spec: {
      credentials: [secret('token', 'Token'), param('channel', 'Channel')],
      request: {
        method: 'POST',
        url: '{{product.host}}/lead/add',
        headers: pairs({ authorization: "{{cred.token | prefix:'Bearer '}}" }),
        body: 'form',
        nodes: nodes({
          'channel!': '{{cred.channel}}',
          'name!': '{{lead.full_name}}',
          'phone!': '{{lead.phone | e164}}',
          'ip!': '{{lead.ip}}',
          'country!': '{{lead.country}}',
          language: '{{lead.language}}',
          referer: '{{lead.landing_url}}',
          ua: '{{lead.user_agent}}',
          data1: '{{send.lead_id}}',
          data2: '{{lead.sub1}}',
          address: '{{lead.address}}',
        }),
      },
      response: {
        rules: [
          // what their own class answers when nothing was reached
          {
            when: [
              { at: 'code', op: 'eq', value: '0' },
              { at: 'order', op: 'eq', value: 'X' },
            ],
            outcome: 'ambiguous',
          },
          {
            when: [
              { at: 'code', op: 'eq', value: '0' },
              { at: 'order', op: 'exists' },
            ],
            outcome: 'accepted',
          },
          says('code', 'eq', '8', 'duplicate'),
          status('401\n403', 'config_error'),
          says('code', 'exists', '', 'rejected'),
        ],
        extract: { external_id: ['order', 'orderid'], error_text: ['message', 'error'] },
      },
      statuses: { p: 'new', a: 'sale', d: 'cancelled', f: 'invalid_data' },
    },
  },
  {
    key: 'adcombo',
    name: 'AdCombo',
    types: COD,
    notes: 'A repeated order is answered ok with is_double. Their word lead means an approved sale, hold a new one.',
    spec: {
      credentials: [secret('key', 'API key'), param('offer_id', 'Offer'), param('price', 'Price of the landing')],
      request: {
        method: 'GET',
        url: '{{product.host}}/api/v2/order/create/',
        query: pairs({
          api_key: '{{cred.key}}',
          offer_id: '{{cred.offer_id}}',
          country_code: '{{lead.country}}',
          price: '{{cred.price}}',
          name: '{{lead.full_name}}',
          phone: '{{lead.phone | e164}}',
          base_url: '{{lead.landing_url}}',
          ip: '{{lead.ip}}',
          email: '{{lead.email}}',
          ext_in_id: '{{send.lead_id}}',
          // what their postback brings back
          clickid: '{{send.lead_id}}',
          subacc: '{{lead.sub1}}',
        }),
      },
      response: {
        rules: [
          {
            when: [
              { at: 'code', op: 'eq', value: 'ok' },
              { at: 'is_double', op: 'truthy' },
            ],
            outcome: 'duplicate',
          },
          {
            when: [
              { at: 'code', op: 'eq', value: 'ok' },
              { at: 'order_id', op: 'exists' },
            ],
            outcome: 'accepted',
          },
          { when: [{ at: 'error', op: 'matches', value: '(?i)(api.?key|auth)' }], outcome: 'config_error' },
          says('code', 'exists', '', 'rejected'),
          says('error', 'exists', '', 'rejected'),
        ],
        extract: { external_id: ['order_id'], error_text: ['error', 'msg'] },
      },
      statuses: { hold: 'new', lead: 'sale', reject: 'cancelled', trash: 'invalid_data' },
    },
  },
  {
    key: 'everad',
    name: 'Everad and RocketProfit',
    types: COD,
    notes:
      'The campaign is the only credential. The answer names no id: their postback is matched by sid5. A 400 may also mean the phone ordered before.',
    spec: {
      credentials: [param('campaign_id', 'Campaign')],
      request: {
        method: 'POST',
        url: '{{product.host}}/conversion/new',
        body: 'form',
        nodes: nodes({
          'campaign_id!': '{{cred.campaign_id}}',
          'name!': '{{lead.full_name}}',
          'phone!': '{{lead.phone | e164}}',
          'ip!': '{{lead.ip}}',
          country_code: '{{lead.country}}',
          sid1: '{{lead.sub1}}',
          sid5: '{{send.lead_id}}',
          address: '{{lead.address}}',
        }),
      },
      response: {
        rules: [
          {
            when: [
              { at: '', op: 'eq', value: '200' },
              { at: 'ok', op: 'truthy' },
            ],
            outcome: 'accepted',
          },
          status('400', 'rejected'),
          status('404\n410', 'config_error'),
        ],
        extract: { error_text: ['error', 'message'] },
      },
      statuses: { pending: 'new', approved: 'sale', rejected: 'cancelled', trash: 'invalid_data', hold: 'in_progress' },
    },
  },
  {
    key: 'leadbit',
    name: 'Leadbit',
    types: COD,
    notes:
      'The token stands in the path. The answer names no id: their postback is matched by sub1. Their reject is trash, their decline a rejection.',
    spec: {
      credentials: [secret('token', 'Token'), param('flow_hash', 'Flow')],
      request: {
        method: 'POST',
        url: '{{product.host}}/api/pub/new-order/{{cred.token}}',
        body: 'form',
        nodes: nodes({
          'flow_hash!': '{{cred.flow_hash}}',
          'phone!': '{{lead.phone | e164}}',
          'name!': '{{lead.full_name}}',
          'country!': '{{lead.country | lower}}',
          landing: '{{lead.landing_url}}',
          address: '{{lead.address}}',
          email: '{{lead.email}}',
          comment: '{{lead.comment}}',
          ip: '{{lead.ip}}',
          sub1: '{{send.lead_id}}',
        }),
      },
      response: {
        rules: [
          says('status', 'eq', 'success', 'accepted'),
          status('401\n403\n404', 'config_error'),
          says('status', 'exists', '', 'rejected'),
        ],
        extract: { error_text: ['message', 'error', 'errors.*'] },
      },
      statuses: { new: 'new', confirm: 'sale', decline: 'cancelled', reject: 'invalid_data', trash: 'invalid_data' },
    },
  },
  {
    key: 'cpagetti',
    name: 'CPAgetti',
    types: COD,
    notes: 'Errors are a bare negative number. What they call hold is no money here.',
    spec: {
      credentials: [secret('api_key', 'API key'), param('offer_id', 'Offer'), param('stream_code', 'Stream', false)],
      request: {
        method: 'POST',
        url: '{{product.host}}/order/register',
        body: 'form',
        nodes: nodes({
          'api_key!': '{{cred.api_key}}',
          'offer_id!': '{{cred.offer_id}}',
          'name!': '{{lead.full_name}}',
          'phone!': '{{lead.phone | digits}}',
          'country!': '{{lead.country}}',
          'lang!': '{{lead.language | upper | default:lead.country}}',
          stream_code: '{{cred.stream_code}}',
          ip: '{{lead.ip}}',
          sub1: '{{send.lead_id}}',
        }),
      },
      response: {
        rules: [
          { when: [{ at: 'text', op: 'matches', value: '^\\s*-(2|4|5)\\s*$' }], outcome: 'config_error' },
          { when: [{ at: 'text', op: 'matches', value: '^\\s*-\\d+\\s*$' }], outcome: 'rejected' },
          says('error', 'in', '-2\n-4\n-5', 'config_error'),
          says('error', 'exists', '', 'rejected'),
          says('success', 'truthy', '', 'accepted'),
          says('id', 'exists', '', 'accepted'),
        ],
        extract: { external_id: ['id'], error_text: ['message', 'error', 'text'] },
      },
      statuses: {
        new: 'new',
        wait: 'new',
        valid: 'new',
        accept: 'sale',
        confirmed: 'sale',
        hold: 'in_progress',
        invalid: 'invalid_data',
        trash: 'invalid_data',
        declined: 'cancelled',
      },
    },
  },
]
