import { expect, test } from 'vitest'
import { ROLES } from '#contract/access.ts'
import { SCREENS, screensFor } from '#contract/screens.ts'
import { NOTIFICATION_KINDS, USUAL_MAIL, type NotificationKind } from '#contract/network/notification.ts'
import { notificationTarget } from '#contract/network/notification-target.ts'

const thing = { uuid: '0b7b1a5e-7f3c-4d57-9a3c-3f6a5d2b1c00', id: 7, name: 'Kite' }
/** What each kind is about; of the others nothing needs to be known. */
const ABOUT: Readonly<Partial<Record<NotificationKind, object>>> = {
  access_decided: { offer: thing },
  affiliate_status: { affiliate: thing },
  landing_decided: { landing: thing },
  cap_full: { offer: thing },
  ticket_message: { ticket: thing },
  news: { news: thing },
  invoice_objection: { status: thing.uuid },
  own_invoice: { status: thing.uuid },
  credit_near: { status: thing.uuid, reason: 'Kite Ltd' },
  leads_silent: { status: thing.uuid, reason: 'Kite Ltd' },
  product_refused: { status: thing.uuid, reason: 'Kite Ltd' },
  product_failing: { status: thing.uuid, reason: 'Kite Ltd' },
  cold_rule_failing: { status: thing.uuid, reason: 'Kite Ltd' },
  credit_blocked: { status: thing.uuid, reason: 'Kite Ltd' },
}

test('whatever somebody is told of leads to a screen they may open', () => {
  const blank = {
    uuid: thing.uuid,
    offer: null,
    affiliate: null,
    landing: null,
    ticket: null,
    news: null,
    status: '',
    reason: '',
    count: 1,
  }
  const shut = ROLES.flatMap((role) => {
    const screens = new Set(screensFor(role))
    const usual: Partial<Record<NotificationKind, unknown>> = USUAL_MAIL[role === 'affiliate' ? 'affiliate' : 'staff']
    const open = [...screens].map((id) => new RegExp(`^${SCREENS[id].path.replace(/:\w+/g, '[^/]+')}(\\?|$)`))
    return NOTIFICATION_KINDS.filter((kind) => usual[kind] !== null).flatMap((kind) => {
      const target = notificationTarget({ ...blank, ...ABOUT[kind], kind }, (id) => screens.has(id))
      return open.some((one) => one.test(target)) ? [] : [`${role} ${kind}: ${target}`]
    })
  })
  expect(shut).toEqual([])
})
