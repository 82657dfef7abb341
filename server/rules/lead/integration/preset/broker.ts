import { CALL_WORDS } from '#contract/leads/usual-words.ts'
import { dated, nodes, pairs, param, says, secret, status, type IntegrationPreset } from './make.ts'

const FINANCE = ['finance_trading', 'gambling']
/** That an address does not exist says nothing of a lead they have. */
const DUPLICATE = '(?i)(already|exists|duplicate)'

export const BROKER_PRESETS: readonly IntegrationPreset[] = [
  {
    key: 'trackbox',
    name: 'TrackBox',
    types: FINANCE,
    notes:
      'Pushing and pulling may need different API keys, and sometimes another host. Dates of the pull are read by the clock of their server: it asks two days wider.',
    spec: {
      credentials: [
        secret('username', 'Username'),
        secret('password', 'Password'),
        secret('push_key', 'API key for pushing'),
        secret('pull_key', 'API key for pulling'),
        param('ai', 'Affiliate (ai)'),
        param('ci', 'Campaign (ci)'),
        param('gi', 'Box (gi)'),
      ],
      // where the language of a country is not called as the country is
      tables: {
        languages: {
          SE: 'SV',
          DK: 'DA',
          AT: 'DE',
          CH: 'DE',
          UA: 'UK',
          CZ: 'CS',
          GR: 'EL',
          SI: 'SL',
          EE: 'ET',
          JP: 'JA',
          KR: 'KO',
          BR: 'PT',
          GB: 'EN',
          US: 'EN',
          AU: 'EN',
          CA: 'EN',
          NZ: 'EN',
          IE: 'EN',
          ZA: 'EN',
          IN: 'EN',
          SG: 'EN',
          MX: 'ES',
          AR: 'ES',
          CL: 'ES',
          CO: 'ES',
          PE: 'ES',
          EC: 'ES',
          UY: 'ES',
          VE: 'ES',
          MY: 'MS',
        },
      },
      request: {
        method: 'POST',
        url: '{{product.host}}/api/signup/procform',
        headers: pairs({
          'x-trackbox-username': '{{cred.username}}',
          'x-trackbox-password': '{{cred.password}}',
          'x-api-key': '{{cred.push_key}}',
        }),
        body: 'json',
        nodes: nodes({
          'ai!': '{{cred.ai}}',
          'ci!': '{{cred.ci}}',
          'gi!': '{{cred.gi}}',
          'userip!': '{{lead.ip}}',
          'firstname!': '{{lead.first_name}}',
          'lastname!': '{{lead.last_name}}',
          'email!': '{{lead.email}}',
          'password!': '{{lead.password | password:12}}',
          'phone!': '{{lead.phone | e164}}',
          so: '{{lead.funnel}}',
          affclickid: '{{send.lead_id}}',
          lg: '{{lead.country | lookup:languages,lead.country}}',
        }),
      },
      response: {
        rules: [
          says('status', 'truthy', '', 'accepted'),
          // a wrong account is answered 200 as well, with the code inside
          status('401\n403', 'config_error'),
          says('code', 'in', '401\n403', 'config_error'),
          { when: [{ at: 'text', op: 'matches', value: DUPLICATE }], outcome: 'duplicate' },
          { when: [{ at: 'text', op: 'matches', value: '(?i)(unauthori|credential|api key|not allowed)' }], outcome: 'config_error' },
          { when: [{ at: 'text', op: 'matches', value: '(?i)\\bcap\\b' }], outcome: 'no_capacity' },
          says('status', 'exists', '', 'rejected'),
        ],
        extract: {
          external_id: ['addonData.data.uniqueid', 'addonData.data.customerId', 'addonData.data.id'],
          redirect_url: ['addonData.data.loginURL', 'data'],
          error_text: ['errorMessage', 'errors.0.message', 'data', 'message'],
        },
      },
      pull: {
        request: {
          method: 'POST',
          url: '{{product.host}}/api/pull/customers',
          headers: pairs({
            'x-trackbox-username': '{{cred.username}}',
            'x-trackbox-password': '{{cred.password}}',
            'x-api-key': '{{cred.pull_key}}',
          }),
          body: 'json',
          nodes: nodes({
            from: "{{poll.from | date:'YYYY-MM-DD HH:mm:ss'}}",
            to: "{{poll.to | date:'YYYY-MM-DD HH:mm:ss'}}",
            type: '3',
            page: '{{poll.page}}',
          }),
        },
        by: 'window',
        paging: { by: 'page', first: 0, size: 500 },
        error_when: [
          [
            { at: 'status', op: 'falsy' },
            { at: 'status', op: 'exists' },
          ],
        ],
        rows: ['data', 'collection'],
        wrapped: 'customerData',
        id: ['uniqueid', 'customerId', 'id'],
        status: ['call_status', 'status'],
        sale_when: [{ at: 'depositor', op: 'truthy' }, dated('first_depositDate')],
        at: ['first_depositDate'],
      },
      statuses: CALL_WORDS,
    },
  },
  {
    key: 'irev',
    name: 'IREV (affiliate API v2)',
    types: FINANCE,
    notes: 'A 504 may come although the lead was registered: such sends wait for a person or the next pull. Pulls need both dates.',
    spec: {
      credentials: [secret('token', 'API token'), param('offer_id', 'Offer', false), param('affiliate_id', 'Affiliate', false)],
      request: {
        method: 'POST',
        url: '{{product.host}}/api/affiliates/v2/leads',
        headers: pairs({ authorization: '{{cred.token}}' }),
        body: 'json',
        nodes: nodes({
          'ip!': '{{lead.ip}}',
          'email!': '{{lead.email}}',
          'first_name!': '{{lead.first_name}}',
          'last_name!': '{{lead.last_name}}',
          'phone!': '{{lead.phone | e164}}',
          'password!': '{{lead.password | password:12}}',
          country_code: '{{lead.country}}',
          lead_language: '{{lead.language}}',
          affiliate_id: '{{cred.affiliate_id}}',
          offer_id: '{{cred.offer_id}}',
          aff_sub4: '{{lead.funnel}}',
          aff_sub5: '{{send.lead_id}}',
        }),
      },
      response: {
        rules: [
          {
            when: [
              { at: '', op: 'in', value: '2xx' },
              { at: 'lead_uuid', op: 'exists' },
            ],
            outcome: 'accepted',
          },
          status('401\n403', 'config_error'),
          { when: [{ at: 'data.errorMessage', op: 'matches', value: DUPLICATE }], outcome: 'duplicate' },
          { when: [{ at: 'message', op: 'matches', value: DUPLICATE }], outcome: 'duplicate' },
          {
            when: [
              { at: 'text', op: 'matches', value: '(?i)(cap|no available|rotation)' },
              { at: '', op: 'in', value: '4xx' },
            ],
            outcome: 'no_capacity',
          },
          status('400\n422', 'rejected'),
          status('429', 'temporary'),
          status('504', 'ambiguous'),
        ],
        extract: {
          external_id: ['lead_uuid'],
          redirect_url: ['auto_login_url'],
          error_text: ['data.errorMessage', 'message'],
        },
      },
      pull: {
        request: {
          method: 'GET',
          url: '{{product.host}}/api/affiliates/v2/leads',
          headers: pairs({ authorization: '{{cred.token}}' }),
          query: pairs({
            created_from: "{{poll.from | date:'YYYY-MM-DDTHH:mm:ssZ'}}",
            created_to: "{{poll.to | date:'YYYY-MM-DDTHH:mm:ssZ'}}",
            page: '{{poll.page}}',
            per_page: '100',
          }),
        },
        by: 'window',
        paging: { by: 'page', first: 1, size: 100 },
        error_when: [
          [
            { at: 'code', op: 'exists' },
            { at: 'message', op: 'exists' },
          ],
        ],
        rows: ['data', '.'],
        id: ['lead_uuid', 'leadUuid', 'uuid'],
        status: ['saleStatus', 'sale_status'],
        sale_when: [
          { at: 'hasFTD', op: 'truthy' },
          { at: 'saleStatus', op: 'eq', value: 'depositor' },
        ],
      },
      statuses: CALL_WORDS,
    },
  },
  {
    key: 'irev_v1',
    name: 'IREV (affiliate API v1, older hosts)',
    types: FINANCE,
    notes: 'The dialect of older hosts.',
    spec: {
      credentials: [secret('token', 'API token')],
      request: {
        method: 'POST',
        url: '{{product.host}}/api/v1/affiliates/leads',
        body: 'json',
        nodes: nodes({
          'token!': '{{cred.token}}',
          'profile.first_name!': '{{lead.first_name}}',
          'profile.last_name!': '{{lead.last_name}}',
          'profile.email!': '{{lead.email}}',
          'profile.phone!': '{{lead.phone | e164}}',
          'profile.password!': '{{lead.password | password:12}}',
          'ip!': '{{lead.ip}}',
          tp_aff_sub: '{{send.lead_id}}',
          tp_aff_sub2: '{{lead.funnel}}',
        }),
      },
      response: {
        rules: [
          {
            when: [
              { at: '', op: 'in', value: '2xx' },
              { at: 'lead_id', op: 'exists' },
            ],
            outcome: 'accepted',
          },
          status('401\n403', 'config_error'),
          {
            when: [
              { at: 'text', op: 'matches', value: '(?i)(duplicate|already)' },
              { at: '', op: 'in', value: '4xx' },
            ],
            outcome: 'duplicate',
          },
          status('400\n422', 'rejected'),
        ],
        extract: { external_id: ['lead_id'], redirect_url: ['auto_login_url'], error_text: ['message', 'errors.*'] },
      },
      pull: {
        request: {
          method: 'GET',
          url: '{{product.host}}/api/v1/affiliates/leads',
          query: pairs({ token: '{{cred.token}}', created_from: "{{poll.from | date:'YYYY-MM-DD'}}", page: '{{poll.page}}' }),
        },
        by: 'window',
        paging: { by: 'page', first: 1, size: 100 },
        rows: ['data'],
        id: ['id'],
        status: ['sale_status'],
        sale_when: [{ at: 'has_conversion', op: 'truthy' }],
      },
      statuses: CALL_WORDS,
    },
  },
  {
    key: 'pandats',
    name: 'PandaTS',
    types: FINANCE,
    notes: 'BL002 means the e-mail is a customer already. How deposits are read was not found in public: postbacks or imports bring them.',
    spec: {
      credentials: [param('partner_id', 'Partner'), secret('secret', 'Secret key')],
      steps: [
        {
          name: 'login',
          keep_seconds: 1200,
          request: {
            method: 'POST',
            url: '{{product.host}}/api/v3/authorization',
            body: 'json',
            nodes: nodes({
              'partnerId!': '{{cred.partner_id}}',
              'time!': '{{now.at | date:unix}}',
              'accessKey!': '{{cred.partner_id | concat:now.unix,cred.secret | hash:sha1}}',
            }),
          },
          response: { rules: [says('data.token', 'exists', '', 'accepted'), status('4xx', 'config_error')] },
          give: { token: ['data.token'] },
          expires: ['data.expire'],
        },
      ],
      request: {
        method: 'POST',
        url: '{{product.host}}/api/v3/leads',
        headers: pairs({ authorization: "{{step.login.token | prefix:'Bearer '}}" }),
        body: 'json',
        nodes: nodes({
          'email!': '{{lead.email}}',
          'firstName!': '{{lead.first_name}}',
          'lastName!': '{{lead.last_name}}',
          'phone!': '{{lead.phone | e164}}',
          country: '{{lead.country | lower}}',
          language: '{{lead.language}}',
          ip: '{{lead.ip}}',
          leadSource: '{{lead.funnel}}',
          referral: "{{send.lead_id | prefix:'lead='}}",
        }),
      },
      response: {
        rules: [
          says('data.status', 'eq', 'ok', 'accepted'),
          says('error.*.code', 'eq', 'BL002', 'duplicate'),
          status('401\n403', 'config_error'),
          says('error', 'exists', '', 'rejected'),
          status('400\n422', 'rejected'),
        ],
        extract: {
          external_id: ['data.id', 'data.customerId'],
          redirect_url: ['data.url', 'data.loginUrl'],
          error_text: ['error.0.description'],
        },
      },
      statuses: CALL_WORDS,
    },
  },
]
