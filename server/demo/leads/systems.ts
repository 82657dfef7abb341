import type { IntegrationType } from '#contract/leads/integration-type.ts'

/** What an advertiser makes of a lead; broken: an error of its server, silent: no answer. */
export type Verdict = 'accepted' | 'rejected' | 'duplicate' | 'full' | 'broken' | 'silent'
/** An answer as it goes over the wire. */
export type Said = { status: number; type: string; body: string }
/** What it says of a lead it took: its own id and ours, its word, whether it came to money. */
export type ListedLead = { id: string; leadId: string; word: string; sale: boolean; amount: string }

/** A system that advertisers of the demo network use, as its documents say that it speaks. */
export type DemoSystem = {
  /** What its integration is called, for each kind of leads. */
  titles: Partial<Record<IntegrationType, string>>
  /** By which preset it is spoken to. */
  preset: string
  account: Readonly<Record<string, string>>
  newId(bits: number): string
  /** Why it refuses leads, in its words. */
  refusals: readonly string[]
  answer(verdict: 'accepted' | 'rejected' | 'duplicate' | 'full', of: { id: string; why: string }): Said
  /** How its list comes in pages. */
  pages?: { first: number; size: number }
  /** Its list of leads; without one it tells by itself. */
  list?(leads: readonly ListedLead[]): Said
}

const json = (status: number, value: unknown): Said => ({ status, type: 'application/json', body: JSON.stringify(value) })
const hex = (bits: number) => bits.toString(16).padStart(8, '0')
const login = (id: string) => `https://client.example/auto-login/${id}`

/** By a key of our own. */
export const SYSTEMS: Readonly<Record<'order' | 'feed' | 'desk' | 'box' | 'byte', DemoSystem>> = {
  order: {
    titles: { nutra_cod: 'Vitalis order desk' },
    preset: 'adcombo',
    account: { key: 'demo-0f6d-order', offer_id: '48121', price: '39' },
    newId: (bits) => String(10_000_000 + (bits % 90_000_000)),
    refusals: ['Wrong phone', 'Country is closed', 'Customer is on the stop list'],
    answer(verdict, { id, why }) {
      // a repeated order is answered ok
      if (verdict === 'accepted' || verdict === 'duplicate')
        return json(200, { code: 'ok', order_id: Number(id), is_double: verdict === 'duplicate' })
      return json(200, { code: 'error', error: verdict === 'full' ? 'Offer is capped' : why })
    },
  },
  feed: {
    titles: { nutra_cod: 'Bellanova call centre' },
    preset: 'cpa_tl',
    account: { key: 'demo-7b21-feed', offer_id: '215', stream: '' },
    newId: (bits) => String(1_000_000 + (bits % 9_000_000)),
    refusals: ['Invalid phone', 'Name is empty', 'Address is out of delivery zone'],
    answer(verdict, { id, why }) {
      if (verdict === 'accepted') return json(200, { id: Number(id), payout: 22 })
      return json(200, { errmsg: verdict === 'duplicate' ? 'double lead' : verdict === 'full' ? 'Limit of the day' : why })
    },
    list: (leads) =>
      json(200, {
        leads: leads.map(({ leadId, word, sale, amount }) => ({ id2: leadId, status: word, status_code: sale ? 10 : 1, fee: amount })),
      }),
  },
  desk: {
    titles: { finance_trading: 'Finova lead desk', gambling: 'Casino desks (IREV)' },
    preset: 'irev',
    pages: { first: 1, size: 100 },
    account: { token: 'demo-51ce-desk', offer_id: '12', affiliate_id: '340' },
    newId: (bits) =>
      `${hex(bits)}-${hex(Math.imul(bits, 0x9e3779b1) >>> 0).slice(0, 4)}-4${hex(bits).slice(1, 4)}-a${hex(bits).slice(5)}-${hex(bits)}d0e1`,
    refusals: ['The phone number is invalid', 'The country of the IP address differs', 'The e-mail address does not exist'],
    answer(verdict, { id, why }) {
      if (verdict === 'accepted') return json(201, { lead_uuid: id, auto_login_url: login(id) })
      if (verdict === 'duplicate') return json(409, { code: 409, data: { errorMessage: 'Lead duplicate: this e-mail exists' } })
      return json(verdict === 'full' ? 400 : 422, { code: 1, message: verdict === 'full' ? 'No available brand: cap reached' : why })
    },
    list: (leads) => json(200, { data: leads.map(({ id, word, sale }) => ({ lead_uuid: id, saleStatus: word, hasFTD: sale })) }),
  },
  box: {
    titles: { finance_trading: 'TrackBox brokers', gambling: 'TrackBox casinos' },
    preset: 'trackbox',
    pages: { first: 0, size: 500 },
    account: {
      username: 'ohma-demo',
      password: 'demo-pass-93f0',
      push_key: 'demo-2c44-push',
      pull_key: 'demo-2c44-pull',
      ai: '2958034',
      ci: '1',
      gi: '20',
    },
    newId: (bits) => `${bits % 1_000_000_000}`.padStart(9, '1'),
    refusals: ['Phone number is invalid', 'Email domain is blocked', 'Customer is too young'],
    // whatever it is, the status of HTTP is 200
    answer(verdict, { id, why }) {
      if (verdict === 'accepted')
        return json(200, { status: true, data: login(id), addonData: { data: { uniqueid: id, customerId: id, loginURL: login(id) } } })
      const text = verdict === 'duplicate' ? 'Customer already exists' : verdict === 'full' ? 'Daily cap is reached' : why
      return json(200, { status: false, data: text })
    },
    list: (leads) =>
      json(200, {
        status: true,
        data: leads.map(({ id, word, sale }) => ({ customerData: { uniqueid: id, call_status: word, depositor: sale ? 1 : 0 } })),
      }),
  },
  byte: {
    titles: { loans_insurance: 'LeadByte quotes', education_leadgen: 'LeadByte courses' },
    preset: 'leadbyte',
    account: { key: 'demo-a8e0-byte', campid: 'OHMA-QUOTES', sid: '17' },
    newId: (bits) => `${bits % 100_000_000}`,
    refusals: ['Postcode is not covered', 'Failed validation: phone1', 'Age is out of range'],
    // the outer code is 1 even where the lead was refused
    answer(verdict, { id, why }) {
      const record =
        verdict === 'accepted'
          ? { status: 'Approved', response: { leadId: Number(id), message: '' } }
          : {
              status: 'Rejected',
              response: { message: verdict === 'duplicate' ? 'Duplicate lead' : verdict === 'full' ? 'Daily limit' : why },
            }
      return json(200, { code: 1, status: 'Success', records: [record] })
    },
  },
}
export type SystemKey = keyof typeof SYSTEMS

/** The answer of a server that has an error. */
export const BROKEN: Said = { status: 503, type: 'text/html', body: '<html><body><h1>503 Service Unavailable</h1></body></html>' }
