/** The niches of API offers and advertisers' products: what a lead must bring, what becomes of it, and what their words usually mean. */
export const INTEGRATION_TYPE_KEYS = [
  'nutra_cod',
  'finance_trading',
  'gambling',
  'dating',
  'loans_insurance',
  'education_leadgen',
  'sweepstakes',
  'generic',
] as const
export type IntegrationType = (typeof INTEGRATION_TYPE_KEYS)[number]

/** The fields of a lead by the names of the lead API. */
export const LEAD_FIELDS = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'password',
  'country',
  'language',
  'gender',
  'birth_date',
  'city',
  'zip',
  'address',
  'ip',
] as const
export type LeadField = (typeof LEAD_FIELDS)[number]

/** `again`: reached as often as the person pays in after the first time, each told apart by the advertiser's own transaction. */
export type TypeGoal = { code: string; title: string; isPaid: boolean; again?: true }

export type IntegrationTypeRule = {
  /** A lead without one of these is refused, by name. */
  required: readonly LeadField[]
  /** Goals a new offer of this kind begins with: what is paid, and what is only counted. */
  goals: readonly TypeGoal[]
  /** Whether a call centre works on the leads, so that statuses come for weeks. */
  callCentre: boolean
  /** A password is made for the person where none came. */
  needsPassword: boolean
  /** The person is led on to the advertiser after the form. */
  needsRedirect: boolean
  /** What the law protects more than names and addresses. */
  sensitive: boolean
}

const REGISTRATION = { code: 'registration', title: 'Registration', isPaid: false }
const FTD = { code: 'ftd', title: 'First deposit', isPaid: true }
// counted until somebody prices it
const REDEPOSIT = { code: 'redeposit', title: 'Redeposit', isPaid: false, again: true } as const
const LEAD = { code: 'lead', title: 'Lead', isPaid: false }
const SALE = { code: 'sale', title: 'Sale', isPaid: true }

/** What each kind asks for. */
export const INTEGRATION_TYPES: Readonly<Record<IntegrationType, IntegrationTypeRule>> = {
  nutra_cod: rule(['first_name', 'phone', 'country', 'ip'], [LEAD, SALE], { callCentre: true }),
  finance_trading: rule(['first_name', 'last_name', 'email', 'phone', 'country', 'ip'], [REGISTRATION, FTD, REDEPOSIT], {
    callCentre: true,
    needsPassword: true,
    needsRedirect: true,
  }),
  gambling: rule(['email', 'country', 'ip'], [REGISTRATION, FTD, REDEPOSIT], { needsPassword: true, needsRedirect: true }),
  dating: rule(
    ['email', 'gender', 'birth_date', 'country', 'ip'],
    [
      { code: 'soi', title: 'SOI', isPaid: true },
      { code: 'doi', title: 'DOI', isPaid: true },
    ],
    {
      needsRedirect: true,
      sensitive: true,
    },
  ),
  loans_insurance: rule(['first_name', 'last_name', 'phone', 'country', 'zip', 'ip'], [{ ...LEAD, isPaid: true }, SALE], {
    sensitive: true,
  }),
  education_leadgen: rule(['first_name', 'phone', 'email', 'country', 'ip'], [{ ...LEAD, isPaid: true }], { callCentre: true }),
  sweepstakes: rule(['first_name', 'email', 'country', 'ip'], [{ ...LEAD, isPaid: true }], {}),
  generic: rule(['phone', 'country', 'ip'], [{ ...LEAD, isPaid: true }], {}),
}

function rule(
  required: readonly LeadField[],
  goals: IntegrationTypeRule['goals'],
  more: Partial<Omit<IntegrationTypeRule, 'required' | 'goals'>>,
): IntegrationTypeRule {
  return { required, goals, callCentre: false, needsPassword: false, needsRedirect: false, sensitive: false, ...more }
}
