import {
  MACRO_PLACES,
  readBraces,
  readTemplate,
  type MacroPlace,
  type Template,
  type TemplateError,
  type TemplateMacro,
} from '#contract/traffic/macro-template.ts'
import { AD_PARAMETERS } from './click/click-parameters.ts'

const EVERYWHERE: readonly MacroPlace[] = MACRO_PLACES
const SUBS = Array.from({ length: 10 }, (_value, index) => `sub${index + 1}`)

/** Every macro and where it may be used: the one list behind `constants.macros`, saving and expanding. */
export const MACROS: readonly { name: string; where: readonly MacroPlace[]; ad_network?: string }[] = [
  ...['click_id', 'aff_click_id', 'offer_id', 'offer_name', 'pid', ...SUBS, 'source', 'landing_id'].map(everywhere),
  ...['geo', 'ip', 'ua', 'os', 'browser', 'device', 'language', 'timestamp', 'date', 'random'].map(everywhere),
  ...['os_version', 'browser_version', 'brand', 'model', 'region', 'city', 'asn', 'network', 'connection', 'referrer', 'referrer_path'].map(
    everywhere,
  ),
  ...['hints', 'unread', 'ad_param', 'ad_id', 'aff_external_id'].map(everywhere),
  // two spellings of one name are one macro
  ...new Map(Object.entries(AD_PARAMETERS).map(([name, ad_network]) => [name.toLowerCase(), ad_network]))
    .entries()
    .map(([name, ad_network]) => ({ ...everywhere(name), ad_network })),
  // the device ids a click link carried
  ...['idfa', 'gaid'].map((name) => ({ name, where: ['app'] as const })),
  { name: 'reason', where: ['trafficback', 'postback'] },
  ...[
    'conversion_id',
    'transaction_id',
    'goal',
    'goal_name',
    'status',
    'old_status',
    'payout',
    'currency',
    'click_time',
    'conversion_time',
  ].map((name) => ({ name, where: ['postback'] as const })),
]

/** Reads a URL with macros of ours, see `readTemplate`. */
export function parseTemplate(text: string, where: MacroPlace): { template: Template; errors: TemplateError[] } {
  return readTemplate(text, where, MACROS)
}

/** The same of what stands between the braces of one macro. */
export function readMacro(inner: string, where: MacroPlace, errors: TemplateError[]): TemplateMacro | null {
  return readBraces(inner, where, MACROS, errors)
}

/** One sentence per mistake, for the field of a form. */
export function describeTemplateErrors(errors: readonly TemplateError[]): string {
  const sentence = {
    not_a_url: () => 'Enter an address that starts with http:// or https://.',
    macro_in_host: (macro: string) => `{${macro}} may only stand after the host, in the path or the query.`,
    unknown_macro: (macro: string) => `There is no macro {${macro}}.`,
    macro_not_here: (macro: string) => `{${macro}} cannot be used here.`,
    bad_map: (macro: string) => `Write the values of {${macro}} as from=to, separated by commas.`,
  }
  return errors.map((error) => sentence[error.code](error.macro)).join(' ')
}

function everywhere(name: string): { name: string; where: readonly MacroPlace[] } {
  return { name, where: EVERYWHERE }
}
