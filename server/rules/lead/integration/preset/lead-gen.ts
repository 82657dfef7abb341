import { nodes, pairs, param, says, secret, status, type IntegrationPreset } from './make.ts'

const LEAD_GEN = ['loans_insurance', 'education_leadgen', 'generic']

export const LEAD_GEN_PRESETS: readonly IntegrationPreset[] = [
  {
    key: 'leadprosper',
    name: 'LeadProsper (direct post)',
    types: LEAD_GEN,
    notes: 'The fields of a campaign are its own: add them as nodes. A telephone has ten digits there, a zip code is a number.',
    spec: {
      credentials: [param('campaign_id', 'Campaign'), param('supplier_id', 'Supplier'), secret('key', 'Key')],
      request: {
        method: 'POST',
        url: '{{product.host}}/direct_post',
        body: 'json',
        nodes: nodes({
          'lp_campaign_id!': '{{cred.campaign_id}}',
          'lp_supplier_id!': '{{cred.supplier_id}}',
          'lp_key!': '{{cred.key}}',
          lp_subid1: '{{send.lead_id}}',
          'first_name!': '{{lead.first_name}}',
          'last_name!': '{{lead.last_name}}',
          email: '{{lead.email}}',
          'phone!': '{{lead.phone | national}}',
          zip_code: ['{{lead.zip}}', 'number'],
          ip_address: '{{lead.ip}}',
          user_agent: '{{lead.user_agent}}',
          landing_page_url: '{{lead.landing_url}}',
        }),
      },
      response: {
        rules: leadprosperRules(),
        extract: { external_id: ['lead_id', 'id'], error_text: ['message'], price: ['buyers.0.payout', 'payout'] },
      },
    },
  },
  {
    key: 'leadprosper_ping',
    name: 'LeadProsper (ping and post)',
    types: LEAD_GEN,
    notes: 'The ping names nobody. The post goes only where a bid came; its id is kept for the post.',
    spec: {
      credentials: [param('campaign_id', 'Campaign'), param('supplier_id', 'Supplier'), secret('key', 'Key')],
      steps: [
        {
          name: 'ping',
          request: {
            method: 'POST',
            url: '{{product.host}}/ping',
            body: 'json',
            nodes: nodes({
              'lp_campaign_id!': '{{cred.campaign_id}}',
              'lp_supplier_id!': '{{cred.supplier_id}}',
              'lp_key!': '{{cred.key}}',
              zip_code: ['{{lead.zip}}', 'number'],
              state: '{{lead.region}}',
            }),
          },
          response: { rules: leadprosperRules(), extract: { price: ['bids.0.payout', 'payout'], error_text: ['message'] } },
          give: { ping_id: ['ping_id'] },
        },
      ],
      request: {
        method: 'POST',
        url: '{{product.host}}/post',
        body: 'json',
        nodes: nodes({
          'lp_campaign_id!': '{{cred.campaign_id}}',
          'lp_supplier_id!': '{{cred.supplier_id}}',
          'lp_key!': '{{cred.key}}',
          'lp_ping_id!': '{{step.ping.ping_id}}',
          lp_subid1: '{{send.lead_id}}',
          'first_name!': '{{lead.first_name}}',
          'last_name!': '{{lead.last_name}}',
          email: '{{lead.email}}',
          'phone!': '{{lead.phone | national}}',
          zip_code: ['{{lead.zip}}', 'number'],
          ip_address: '{{lead.ip}}',
        }),
      },
      response: { rules: leadprosperRules(), extract: { external_id: ['lead_id', 'id'], error_text: ['message'], price: ['payout'] } },
    },
  },
  {
    key: 'phonexa',
    name: 'Phonexa (direct)',
    types: LEAD_GEN,
    notes: 'The fields of a product are its own: add them as nodes.',
    spec: {
      credentials: [param('api_id', 'API id'), secret('api_password', 'API password'), param('product_id', 'Product')],
      request: {
        method: 'POST',
        url: '{{product.host}}/lead/',
        body: 'json',
        nodes: nodes({
          'apiId!': '{{cred.api_id}}',
          'apiPassword!': '{{cred.api_password}}',
          'productId!': ['{{cred.product_id}}', 'number'],
          'firstName!': '{{lead.first_name}}',
          'lastName!': '{{lead.last_name}}',
          email: '{{lead.email}}',
          'homePhone!': '{{lead.phone | national}}',
          zip: '{{lead.zip}}',
          userIp: '{{lead.ip}}',
          userAgent: '{{lead.user_agent}}',
          webSiteUrl: '{{lead.landing_url}}',
        }),
      },
      response: {
        rules: [
          says('status', 'eq', '1', 'accepted'),
          { when: [{ at: 'text', op: 'matches', value: '(?i)duplicate' }], outcome: 'duplicate' },
          says('status', 'exists', '', 'rejected'),
        ],
        extract: { external_id: ['id', 'leadId'], redirect_url: ['redirect'], error_text: ['message', 'errors.*'], price: ['price'] },
      },
    },
  },
  {
    key: 'leadbyte',
    name: 'LeadByte',
    types: LEAD_GEN,
    notes: 'The outer code is 1 even where the lead was refused: the record inside decides.',
    spec: {
      credentials: [secret('key', 'X_KEY'), param('campid', 'Campaign'), param('sid', 'Supplier', false)],
      request: {
        method: 'POST',
        url: '{{product.host}}/restapi/v1.3/leads',
        headers: pairs({ x_key: '{{cred.key}}' }),
        body: 'json',
        nodes: nodes({
          'campid!': '{{cred.campid}}',
          sid: '{{cred.sid}}',
          ssid: '{{send.lead_id}}',
          email: '{{lead.email}}',
          'firstname!': '{{lead.first_name}}',
          'lastname!': '{{lead.last_name}}',
          'phone1!': '{{lead.phone | e164}}',
          ipaddress: '{{lead.ip}}',
          optinurl: '{{lead.landing_url}}',
          optindate: "{{lead.created_at | date:'DD/MM/YYYY HH:mm:ss'}}",
        }),
      },
      response: {
        rules: [
          { when: [{ at: 'records.0.response.message', op: 'matches', value: '(?i)duplicate' }], outcome: 'duplicate' },
          says('records.0.status', 'eq', 'Rejected', 'rejected'),
          {
            when: [
              { at: 'code', op: 'eq', value: '1' },
              { at: 'records.0.response.leadId', op: 'exists' },
            ],
            outcome: 'accepted',
          },
          status('401\n403', 'config_error'),
          says('code', 'exists', '', 'rejected'),
        ],
        extract: { external_id: ['records.0.response.leadId'], error_text: ['records.0.response.message', 'message'] },
      },
    },
  },
  {
    key: 'leadconduit',
    name: 'LeadConduit (ActiveProspect)',
    types: LEAD_GEN,
    notes: 'The address is the credential.',
    spec: {
      credentials: [secret('flow', 'Flow'), secret('source', 'Source')],
      request: {
        method: 'POST',
        url: '{{product.host}}/flows/{{cred.flow}}/sources/{{cred.source}}/submit',
        headers: pairs({ accept: 'application/json' }),
        body: 'json',
        nodes: nodes({
          'first_name!': '{{lead.first_name}}',
          'last_name!': '{{lead.last_name}}',
          'phone_1!': '{{lead.phone | national}}',
          email: '{{lead.email}}',
          address_1: '{{lead.address}}',
          city: '{{lead.city}}',
          postal_code: '{{lead.zip}}',
          ip_address: '{{lead.ip}}',
          reference: '{{send.lead_id}}',
          trustedform_cert_url: '{{lead.consent_proof}}',
        }),
      },
      response: {
        rules: [
          says('outcome', 'eq', 'success', 'accepted'),
          { when: [{ at: 'reason', op: 'matches', value: '(?i)duplicate' }], outcome: 'duplicate' },
          says('outcome', 'eq', 'failure', 'rejected'),
          says('outcome', 'eq', 'error', 'temporary'),
          status('404', 'config_error'),
        ],
        extract: { external_id: ['lead.id'], error_text: ['reason'], price: ['price'] },
      },
    },
  },
  {
    key: 'bitrix24',
    name: 'Bitrix24',
    types: LEAD_GEN,
    notes: 'The address of an incoming webhook holds its user and secret. An error may stand in an answer below 400.',
    spec: {
      credentials: [param('user', 'User'), secret('secret', 'Secret'), param('source', 'Source (SOURCE_ID)', false)],
      request: {
        method: 'POST',
        url: '{{product.host}}/rest/{{cred.user}}/{{cred.secret}}/crm.lead.add.json',
        body: 'json',
        nodes: nodes({
          'fields.TITLE!': '{{lead.full_name}}',
          'fields.NAME!': '{{lead.first_name}}',
          'fields.LAST_NAME': '{{lead.last_name}}',
          'fields.SOURCE_ID': '{{cred.source}}',
          'fields.COMMENTS': '{{lead.comment}}',
          'fields.PHONE.0.VALUE!': '{{lead.phone | e164}}',
          'fields.PHONE.0.VALUE_TYPE': 'WORK',
          'fields.EMAIL.0.VALUE': '{{lead.email}}',
          'fields.ORIGIN_ID': '{{send.lead_id}}',
          'params.REGISTER_SONET_EVENT': 'Y',
        }),
      },
      response: {
        rules: [
          says('error', 'in', 'INVALID_CREDENTIALS\nNO_AUTH_FOUND\nexpired_token\ninsufficient_scope', 'config_error'),
          says('error', 'in', 'QUERY_LIMIT_EXCEEDED\nOVERLOAD_LIMIT', 'temporary'),
          says('error', 'exists', '', 'rejected'),
          says('result', 'exists', '', 'accepted'),
        ],
        extract: { external_id: ['result'], error_text: ['error_description', 'error'] },
      },
    },
  },
  {
    key: 'cake',
    name: 'CAKE (d.ashx)',
    types: LEAD_GEN,
    notes: 'Answers in XML; the names inside were not seen in public: check the rules by a test before it goes live. May take two minutes.',
    spec: {
      credentials: [param('campaign_id', 'Campaign (ckm_campaign_id)'), secret('key', 'Key (ckm_key)')],
      request: {
        method: 'POST',
        url: '{{product.host}}/d.ashx',
        body: 'form',
        timeout_ms: 120_000,
        nodes: nodes({
          'ckm_campaign_id!': '{{cred.campaign_id}}',
          'ckm_key!': '{{cred.key}}',
          ckm_subid: '{{send.lead_id}}',
          'first_name!': '{{lead.first_name}}',
          'last_name!': '{{lead.last_name}}',
          email_address: '{{lead.email}}',
          'phone_home!': '{{lead.phone | national}}',
          zip_code: '{{lead.zip}}',
          ip_address: '{{lead.ip}}',
        }),
      },
      response: {
        rules: [
          { when: [{ at: 'text', op: 'matches', value: '(?i)duplicate' }], outcome: 'duplicate' },
          {
            when: [{ at: 'text', op: 'matches', value: '(?i)<(msg|code|result|status)>\\s*(success|accepted|0)\\s*<' }],
            outcome: 'accepted',
          },
          {
            when: [{ at: 'text', op: 'matches', value: '(?i)<(msg|code|result|status)>\\s*(error|failed|rejected|1)\\s*<' }],
            outcome: 'rejected',
          },
        ],
        extract: { external_id: ['*.leadid', '*.lead_id'], redirect_url: ['*.redirect'], error_text: ['*.errors.*', '*.error'] },
      },
    },
  },
]

function leadprosperRules(): NonNullable<IntegrationPreset['spec']['response']>['rules'] {
  return [
    says('status', 'eq', 'ACCEPTED', 'accepted'),
    says('status', 'eq', 'DUPLICATED', 'duplicate'),
    status('401\n403', 'config_error'),
    says('status', 'exists', '', 'rejected'),
  ]
}
