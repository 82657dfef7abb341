import type { FormLanguage } from '#contract/leads/lead-form.ts'
import type { LeadField } from '#contract/leads/integration-type.ts'
import { FORM_WORDS } from './form-words.ts'
import { TRAP } from './read-form.ts'

type FormParts = {
  action: string
  language: FormLanguage
  fields: readonly LeadField[]
  /** Those the offer takes leads from; with one nobody is asked. */
  countries: readonly string[]
  clickParameter: string
  thank_you_url: string
  consent_text: string
}

const INPUTS: Partial<Record<LeadField, string>> = {
  first_name: 'autocomplete="given-name" maxlength="100"',
  last_name: 'autocomplete="family-name" maxlength="100"',
  email: 'type="email" autocomplete="email" maxlength="254"',
  phone: 'type="tel" autocomplete="tel" maxlength="40"',
  birth_date: 'type="date" autocomplete="bday"',
  city: 'autocomplete="address-level2" maxlength="100"',
  zip: 'autocomplete="postal-code" maxlength="20"',
  address: 'autocomplete="street-address" maxlength="300"',
}

/** A form to be put into any page, with the script that tells by which click somebody came; whatever people wrote is escaped. */
export function formHtml(of: FormParts): string {
  const words = FORM_WORDS[of.language]
  const lines = [
    `<form action="${escape(of.action)}" method="post" accept-charset="utf-8">`,
    ...of.fields.map((name) => `  ${inputOf(name, of)}`),
    ...(of.consent_text === ''
      ? []
      : [
          `  <label><input type="checkbox" name="consent" value="yes" required> ${escape(of.consent_text)}</label>`,
          `  ${hidden('consent_text', of.consent_text)}`,
        ]),
    ...(of.thank_you_url === '' ? [] : [`  ${hidden('thank_you_url', of.thank_you_url)}`]),
    `  ${hidden('language', of.language)}`,
    ...SCRIPTED.map((name) => `  ${hidden(name, '')}`),
    `  <div style="position:absolute;left:-9999px" aria-hidden="true"><label>${words.leave} <input name="${TRAP}" tabindex="-1" autocomplete="off"></label></div>`,
    `  <button>${words.send}</button>`,
    '</form>',
    '<script>',
    scriptOf(of.clickParameter),
    '</script>',
  ]
  return lines.join('\n')
}

const SUBS = Array.from({ length: 10 }, (_, at) => `sub${at + 1}`)
const SCRIPTED = ['click_id', 'landing_url', 'tz', 'source', ...SUBS]

function inputOf(name: LeadField, { language, countries }: FormParts): string {
  const words = FORM_WORDS[language]
  const label = words.labels[name] ?? name
  if (name === 'gender') {
    const options = (['female', 'male', 'other'] as const).map((value) => `<option value="${value}">${words[value]}</option>`).join('')
    return `<label>${label} <select name="gender" required><option value=""></option>${options}</select></label>`
  }
  if (name === 'country') {
    if (countries.length === 1) return hidden('country', countries[0] ?? '')
    const names = new Intl.DisplayNames([language], { type: 'region' })
    const options = countries
      .map((code) => [code, names.of(code) ?? code] as const)
      .toSorted(([, a], [, b]) => a.localeCompare(b, language))
      .map(([code, text]) => `<option value="${escape(code)}">${escape(text)}</option>`)
      .join('')
    return `<label>${label} <select name="country" required><option value=""></option>${options}</select></label>`
  }
  return `<label>${label} <input name="${name}" ${INPUTS[name] ?? ''} required></label>`
}

function hidden(name: string, value: string): string {
  return `<input type="hidden" name="${name}" value="${escape(value)}">`
}

/** Fills in what stands in the address of the page; the form is the element before the script. */
function scriptOf(clickParameter: string): string {
  return `  (function (form) {
    var query = new URLSearchParams(location.search)
    var put = function (name, value) {
      if (value) form.elements[name].value = value.slice(0, 255)
    }
    put('click_id', query.get('${clickParameter.replace(/[^\w.-]/g, '')}'))
    put('landing_url', /^https?:/.test(location.protocol) ? location.origin + location.pathname : '')
    put('tz', Intl.DateTimeFormat().resolvedOptions().timeZone)
    ;${JSON.stringify(['source', ...SUBS]).replaceAll('"', "'")}.forEach(function (name) { put(name, query.get(name)) })
  })(document.currentScript.previousElementSibling)`
}

/** Text as text of a page, in quotes too. */
export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
