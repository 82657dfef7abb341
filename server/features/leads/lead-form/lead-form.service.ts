import { setTimeout as pause } from 'node:timers/promises'
import type { z } from 'zod'
import { INTEGRATION_TYPES, LEAD_FIELDS } from '#contract/leads/integration-type.ts'
import type { LeadForm, leadFormApi, LeadFormInput } from '#contract/leads/lead-form.ts'
import type { Actor } from '#server/access/actor.ts'
import { neededEverywhere } from '#server/features/leads/api-offer/api-offer.present.ts'
import { readCascade } from '#server/features/leads/api-offer/cascade.queries.ts'
import { findAddress as findByTables } from '#server/features/leads/integrity/address-facts.ts'
import { openPanelAddress } from '#server/features/network/domain/address.service.ts'
import { presentPartnerLanding } from '#server/features/offers/landing/landing.present.ts'
import { listPartnerLandings } from '#server/features/offers/landing/offer-landing.queries.ts'
import { getOffer } from '#server/features/offers/offer/offer.queries.ts'
import { getPartnerOffer } from '#server/features/offers/partner-offer/partner-offer.queries.ts'
import { ownAffiliate } from '#server/features/people/affiliate/affiliate.service.ts'
import { limitLine, refuseBeyond } from '#server/features/people/auth/limit.service.ts'
import { loadClickKeys } from '#server/features/traffic/click/click.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import type { Config } from '#server/platform/config.ts'
import { readClickId } from '#server/rules/click/click-id.ts'
import { parseTemplate } from '#server/rules/macros.ts'
import { makeEntry, newEntry } from '../entry/entry.service.ts'
import { findLead } from '../lead-api/lead.queries.ts'
import { withinBudget } from '../lead-api/take.service.ts'
import { receiveToOffer } from '../send/first-send.service.ts'
import { sendReceived } from '../send/send-lead.service.ts'
import type { SendParts } from '../send/send-parts.ts'
import { findLeadOffers } from '../session/session.queries.ts'
import { formHtml } from './form-html.ts'
import { formToken, type FormOf } from './form-token.ts'
import { addCaught, countCaught, isActiveAffiliate, isEntryUsed } from './lead-form.queries.ts'
import { leadOfForm, type Posted } from './read-form.ts'

const DAY = 86_400_000
/** Whoever presses the button twice is the same person, and goes on as after the first time. */
const SAME = 5 * 60_000
/** So long and so often the second press looks what became of the first. */
const PATIENCE = 20_000
const LOOK_AGAIN = 250

/** The form of an affiliate for an offer it may promote. Throws `not_found`, `access_needed`, `invalid_input`. */
export async function buildForm(
  db: Db,
  config: Config,
  now: number,
  affiliateId: number,
  key: string,
  input: LeadFormInput,
): Promise<LeadForm> {
  const offer = await getPartnerOffer(db, affiliateId, key)
  if (offer?.type !== 'api') throw new AppError('not_found')
  if (offer.access !== 'approved') throw new AppError('access_needed')
  const lead = (await findLeadOffers(db, [offer.uuid], affiliateId)).get(offer.uuid)
  if (lead === undefined) throw new AppError('not_found')
  const landings = await listPartnerLandings(db, affiliateId, offer.id)
  const landing = landings.find(({ id }) => String(id) === input.landing)
  if (input.landing !== '' && landing === undefined)
    throw new AppError('invalid_input', { fields: { landing: 'Choose a landing of this offer' } })
  const of: FormOf = { affiliateId, offerId: offer.id, landingId: landing?.id ?? 0 }
  const panel = openPanelAddress(config)
  const action = `${await panel(db)}/lead-form/${formToken(config.secretKey, of, input.thank_you_url)}`
  const click_parameter = landing === undefined ? 'click_id' : clickParameter(landing.url)
  const { geo } = lead.targeting
  const countries = geo?.mode === 'include' ? geo.values : []
  const cascade = await readCascade(db, offer.id, now)
  const needed = cascade === undefined ? [] : neededEverywhere(cascade, affiliateId, geo ?? null)
  const fields = [...INTEGRATION_TYPES[lead.type].required, ...LEAD_FIELDS.filter((name) => needed.includes(name))].filter(
    // the address comes with the request, and with it the country where the offer does not choose among some
    (name) => name !== 'ip' && name !== 'password' && (name !== 'country' || countries.length > 0),
  )
  return {
    action,
    html: formHtml({ ...input, action, fields, countries, clickParameter: click_parameter }),
    fields,
    click_parameter,
    landings: landings.map(presentPartnerLanding),
    caught: await countCaught(db, affiliateId, offer.id, dayOf(now - 30 * DAY)),
  }
}

/** The same for an affiliate in scope. Throws as `buildForm`, and `unknown_reference`; without access that is `invalid_input`. */
export async function buildAffiliateForm(
  db: Db,
  config: Config,
  now: number,
  actor: Actor,
  key: string,
  { affiliate_uuid, ...input }: z.output<typeof leadFormApi.ofAffiliate.body>,
): Promise<LeadForm> {
  if ((await getOffer(db, actor.scope, key)) === undefined) throw new AppError('not_found')
  const affiliateId = await ownAffiliate(db, actor, affiliate_uuid)
  const offer = await getPartnerOffer(db, affiliateId, key)
  if (offer?.access !== 'approved')
    throw new AppError('invalid_input', { fields: { affiliate_uuid: 'This affiliate has no access to the offer' } })
  return buildForm(db, config, now, affiliateId, key, input)
}

/** Counts who posts a form. Throws `too_many_attempts`. */
export async function limitForm(db: Db, now: number, token: string, ip: string): Promise<void> {
  await limitLine(db, now, 'lead_form', ip)
  await refuseBeyond(db, now, 'lead_form_all', token)
}

/** Counts a program that filled in what nobody sees; nothing of what it sent is kept. */
export function countTrapped(db: Db, now: number, { affiliateId, offerId }: FormOf): Promise<void> {
  return addCaught(db, affiliateId, offerId, dayOf(now))
}

/**
 * Takes a lead in that a form brings, as the lead API does, and says where the person goes on: the path of an entry, null = nowhere in
 * particular. Pressed twice it is the same lead with the same answer. Throws as `receiveLead` does.
 */
export async function takeForm(
  parts: SendParts,
  { affiliateId, offerId, landingId }: FormOf,
  posted: Posted,
  { ip, userAgent }: { ip: string; userAgent: string },
): Promise<string | null> {
  const { db, clock, findAddress = findByTables } = parts
  const now = clock.now()
  if (!(await isActiveAffiliate(db, affiliateId))) throw new AppError('lead_offer_closed')
  const keys = await loadClickKeys(db, now)
  const input = leadOfForm(posted, {
    offerId,
    ip,
    userAgent,
    now,
    country: () => findAddress(ip)?.country ?? '',
    isOwnClick: (id) => {
      const click = readClickId(id.toLowerCase(), keys)
      return click?.affiliateId === affiliateId && click.offerId === offerId
    },
  })
  const from = { affiliateId, origin: 'landing' as const, landingId: landingId === 0 ? null : landingId, sameWithin: SAME }
  const { session, known, inHand } = await receiveToOffer(parts, now, from, input)
  if (inHand !== null) {
    const { token, entry } = newEntry(now, posted.thankYouUrl)
    const { entered } = await withinBudget(sendReceived(parts, inHand, entry))
    return entered ? `/in/${token}` : null
  }
  const row = await decided(parts, affiliateId, session.uuid, known)
  if (row?.status !== 'accepted' || (known && (await isEntryUsed(db, row.id)))) return null
  const token = await makeEntry(db, row.id, now, posted.thankYouUrl)
  return token === null ? null : `/in/${token}`
}

/** A lead as it stands; of a second press once the first was answered. */
async function decided({ db }: SendParts, affiliateId: number, uuid: string, known: boolean) {
  const until = performance.now() + PATIENCE
  for (;;) {
    const row = await findLead(db, { affiliateId, offerIds: [] }, uuid)
    if (!known || row?.status !== 'received' || performance.now() > until) return row
    await pause(LOOK_AGAIN)
  }
}

/** Parameter of an address that brings the click id; `click_id` where none does. */
function clickParameter(url: string): string {
  let before = ''
  for (const part of parseTemplate(url, 'offer').template) {
    if (typeof part === 'string') before += part
    else if (part.macro === 'click_id') return /[?&]([\w.-]{1,60})=$/.exec(before)?.[1] ?? 'click_id'
  }
  return 'click_id'
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
