import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, line, webAddress } from '#contract/fields.ts'
import { landingNumber, partnerLanding } from '#contract/offers/offer-landing.ts'
import { LEAD_FIELDS } from './integration-type.ts'

/** The languages forms and their answers are in. */
export const FORM_LANGUAGES = ['en', 'uk'] as const
export type FormLanguage = (typeof FORM_LANGUAGES)[number]
/** What people agree to where nobody writes something else, in the language of the form and not of who makes it. */
export const USUAL_CONSENT: Readonly<Record<FormLanguage, string>> = {
  en: 'I agree that my details are passed on, so that I can be contacted about this offer.',
  uk: 'Я погоджуюся на передання моїх даних, щоб зі мною зв’язалися щодо цієї пропозиції.',
}

/** What a form of leads is made of. */
export const leadFormInput = z.object({
  /** On which of the offer's landings it will stand; '' = on a page of the affiliate's own. */
  landing: landingNumber.default(''),
  language: z.enum(FORM_LANGUAGES).default('en'),
  /** Where people go on whom no advertiser leads on; '' = to a plain page of ours. */
  thank_you_url: webAddress().pipe(z.string().max(500)).default(''),
  /** What people agree to; '' = no such box. */
  consent_text: line(500).default(''),
})
export type LeadFormInput = z.output<typeof leadFormInput>

const leadForm = z.object({
  /** Where the form is posted: signed for this affiliate, offer, landing and thank-you page. */
  action: z.string(),
  /** The form and its script, to be put into a page as it is. */
  html: z.string(),
  /** What people are asked for: the rest of what the offer requires comes with the request. */
  fields: z.array(z.enum(LEAD_FIELDS)),
  /** Parameter of the landing's address that brings the click id. */
  click_parameter: z.string(),
  landings: z.array(partnerLanding),
  /** Programs turned away in the last 30 days. */
  caught: z.int(),
})
export type LeadForm = z.output<typeof leadForm>

/** Forms that landings post directly; what they post to is no endpoint of the panel: `/lead-form/<token>`. */
export const leadFormApi = {
  own: endpoint({
    method: 'POST',
    path: '/api/lead-form/v1/own/:uuid',
    access: 'offer.partner',
    reads: true,
    summary: 'A form of an API offer to be put into a landing, posting to us.',
    params: byUuid,
    body: leadFormInput,
    response: leadForm,
  }),
  ofAffiliate: endpoint({
    method: 'POST',
    path: '/api/lead-form/v1/of-affiliate/:uuid',
    access: 'offer.read',
    reads: true,
    summary: 'The same for an affiliate of the own scope, as that affiliate would get it.',
    params: byUuid,
    body: leadFormInput.extend({ affiliate_uuid: byUuid.shape.uuid }),
    response: leadForm,
  }),
}
