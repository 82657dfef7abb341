import i18next from 'i18next'
import type { z } from 'zod'
import { ownPostback } from '#contract/traffic/own-postback.ts'
import { address, column, count, status, type Columns } from '#web/kit/list/columns.tsx'
import { statusLook } from '#web/kit/status/status-look.ts'

export type OwnPostback = z.output<typeof ownPostback>

const OWN_POSTBACK_STATUS = statusLook({
  field: 'status',
  texts: 'postback',
  values: ownPostback.shape.status.options,
  tones: { active: 'good', paused: 'muted', suspended: 'bad' },
})

/** The method, what the body is where it has one of its own, and whether it is signed. */
function howOf({ method, body_type, signed }: OwnPostback): string {
  const how = body_type === 'json' ? `${method}, JSON` : method
  return signed && method === 'POST' ? `${how} · ${i18next.t('signed', { ns: 'postbackMessage' })}` : how
}

/** The columns of an affiliate's own postbacks. */
export const OWN_POSTBACK_COLUMNS: Columns<OwnPostback, 'postback'> = [
  column('offer', {
    width: 200,
    card: 'title',
    cell: (one: OwnPostback, t) => one.offer?.name ?? t('everyOffer'),
    csv: (one) => one.offer?.name,
  }),
  address('url', { width: 320, card: 'field' }),
  column('goal', { width: 120, cell: (one: OwnPostback, t) => one.goal ?? t('everyGoal'), csv: (one) => one.goal }),
  column('statuses', {
    width: 180,
    card: 'field',
    cell: (one: OwnPostback, t) =>
      one.statuses.length === 0 ? t('everyStatus') : one.statuses.map((one) => t(`conversion.${one}`)).join(', '),
    csv: (one) => one.statuses.join(', '),
  }),
  column('method', { width: 150, cell: (one: OwnPostback) => howOf(one), csv: (one) => howOf(one) }),
  status(OWN_POSTBACK_STATUS),
  count('failures', { hint: true, card: 'field' }),
]
