import { IconCheck, IconLayout, IconPlayerPause, IconPlayerPlay, IconTrash, IconX } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { landingApi, landingPrivacy, REACHABLE, type landing } from '#contract/offers/landing.ts'
import { LANDING_STATUSES, landingType } from '#contract/offers/offer-landing.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { useConstants } from '#web/api/constants.ts'
import { useSave } from '#web/api/query.ts'
import { PageLink } from '#web/features/offers/landing/page-link.tsx'
import { LandingCheck } from '#web/features/offers/landing/landing-check.tsx'
import { integer, UNKNOWN } from '#web/format.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { offerUndo } from '#web/kit/feedback/undo-toast.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import {
  choice,
  column,
  constant,
  copied,
  count,
  idColumn,
  moment,
  status,
  tags,
  text,
  useColumns,
  type Columns,
} from '#web/kit/list/columns.tsx'
import { choiceFilter, referenceFilter, searchFilter, textsFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { statusSet } from '#web/kit/status/status-look.ts'
import { StatusMenu } from '#web/kit/status/status-menu.tsx'
import { useStatus, useStatusOptions } from '#web/kit/status/use-status.tsx'
import type { RowAction } from '#web/kit/table/column.ts'
import { notify } from '#web/notify.ts'
import { screenHref, useCan } from '#web/shell/access.ts'
import { AddButton } from '#web/shell/add-button.tsx'

type Landing = z.output<typeof landing>

/** What shows landings and where they stand. */
const LANDING_ANSWERS = [landingApi.list, landingApi.get] as const

/** Where a landing stands, and what staff make of it. */
export const LANDING_STATUS = statusSet({
  texts: 'landing',
  values: LANDING_STATUSES,
  tones: { moderation: 'waiting', active: 'good', stopped: 'muted', deleted: 'bad' },
  endpoint: landingApi.setStatus,
  refresh: LANDING_ANSWERS,
  moves: [
    { text: 'stop', to: 'stopped', from: ['active'], icon: IconPlayerPause },
    { text: 'activate', to: 'active', from: ['stopped', 'deleted'], icon: IconPlayerPlay },
    { text: 'delete', to: 'deleted', from: ['active', 'stopped'], icon: IconTrash, danger: true },
  ],
  // what was let in does not wait again
  mayReturn: (earlier, status) => !(earlier === 'moderation' && status === 'active'),
  // visitors of running offers notice at once
  ask: (landings: readonly Landing[], _status, words) => {
    const used = landings.filter((one) => one.status === 'active' && one.active_offers > 0)
    const [first, second] = used
    if (first === undefined) return null
    const [text, count] = second === undefined ? ['used.text', first.active_offers] : ['used.many', used.length]
    const names = used.slice(0, 3).map(({ name }) => name)
    const name = names.join(', ') + (used.length > 3 ? ' …' : '')
    return {
      title: words('used.title', { name }),
      text: words(text, { count, number: integer(count) }),
      action: words('used.action'),
      danger: true,
    }
  },
})

const LANDING_COLUMNS: Columns<Landing, 'landing'> = [
  idColumn(),
  text('name', { sort: true, width: 190, card: 'title' }),
  column<Landing, 'page'>('page', {
    width: 76,
    card: 'field',
    cell: (one) => <PageLink of={one} brief />,
    csv: ({ url }) => url,
  }),
  column<Landing, 'advertiser'>('advertiser', {
    sort: true,
    width: 145,
    cell: ({ advertiser }, t) => advertiser?.name ?? <span className="ohma-soft">{t('anyAdvertiser')}</span>,
    csv: ({ advertiser }) => advertiser?.name,
  }),
  choice('type', landingType.options, { sort: true }),
  status(LANDING_STATUS, { sort: true }),
  count('offers', { sort: true, card: 'field' }),
  column<Landing, 'check'>('check', {
    sort: true,
    width: 165,
    card: 'field',
    cell: (one) => <LandingCheck of={one} />,
    csv: (one) => one.check_error || one.check_status,
  }),
  constant('language', 'languages', { sort: true, width: 120, hidden: true }),
  choice('privacy', landingPrivacy.options, { sort: true, hidden: true }),
  copied('url', { sort: true, width: 220, hidden: true }),
  tags('tags', { hidden: true }),
  text('proposed_by', { sort: true, width: 130, hidden: true }),
  column<Landing, 'reason'>('reason', {
    sort: true,
    width: 140,
    cell: ({ reason }) => (reason === '' ? UNKNOWN : <span title={reason}>{reason}</span>),
    csv: ({ reason }) => reason,
  }),
  moment('checked_at', { sort: true, hidden: true }),
  moment('created_at', { sort: true, hidden: true }),
]

/** Landings of all offers: what waits for a decision, what works, what stands where. */
export function LandingList() {
  const { t } = useTranslation('landing')
  const { languages } = useConstants()
  const { actionsFor, dialog } = useLandingActions()
  const list = useList(landingApi.list, {
    name: 'landing',
    columns: useColumns('landing', LANDING_COLUMNS),
    rowKey: (landing) => landing.uuid,
    leftOut: { status: 'deleted' },
    sort: { column: 'id', direction: 'desc' },
    filters: {
      search: searchFilter(t('search')),
      status: choiceFilter(t('status'), useStatusOptions(LANDING_STATUS)),
      type: choiceFilter(
        t('type'),
        landingType.options.map((value) => ({ value, label: t(`type.${value}`) })),
      ),
      language: choiceFilter(t('language'), languages),
      tag: textsFilter(t('tags')),
      offer_uuid: referenceFilter(t('offer'), offerApi.options),
      advertiser_uuid: referenceFilter(t('advertiser'), advertiserApi.options),
      privacy: choiceFilter(
        t('privacy'),
        landingPrivacy.options.map((value) => ({ value, label: t(`privacy.${value}`) })),
      ),
      reachable: choiceFilter(
        t('check'),
        REACHABLE.map((value) => ({ value, label: t(`reachable.${value}`) })),
      ),
    },
  })
  const add = <AddButton to="landingCreate" label={t('add')} />
  return (
    <>
      <ListPage
        list={list}
        title={t('title')}
        actions={add}
        empty={{ icon: <IconLayout size={26} stroke={1.6} aria-hidden />, title: t('empty.title'), text: t('empty.text'), action: add }}
        rowHref={({ uuid }) => screenHref('landingEdit', { uuid })}
        rowActions={actionsFor}
        bulkActions={<StatusMenu list={list} of={LANDING_STATUS} />}
        exportName="landings"
      />
      {dialog}
    </>
  )
}

/** What can be done with one landing, for its row and its page; `dialog` belongs somewhere on the screen. */
export function useLandingActions(): { actionsFor: (one: Landing) => RowAction[]; dialog: ReactNode } {
  const { t } = useTranslation('landing')
  const mayWrite = useCan()('landing.write')
  const { actionsFor } = useStatus(LANDING_STATUS)
  const [rejected, setRejected] = useState<Landing>()
  const undo = useSave(landingApi.undo, {
    invalidate: LANDING_ANSWERS,
    onSuccess: ({ changed }) => {
      if (changed === 0) notify.error(t('notUndone'))
    },
  })
  const decide = useSave(landingApi.decide, {
    invalidate: LANDING_ANSWERS,
    onSuccess: (_answer, { body }) => offerUndo(t('approved'), () => undo.mutate({ body: { uuids: body.uuids } })),
  })

  return {
    actionsFor: (one) => [
      ...(mayWrite && one.status === 'moderation'
        ? [
            {
              id: 'approve',
              label: t('approve'),
              icon: <IconCheck size={16} aria-hidden />,
              onClick: () => decide.mutate({ body: { uuids: [one.uuid], approve: true } }),
            },
            { id: 'reject', label: t('reject'), icon: <IconX size={16} aria-hidden />, onClick: () => setRejected(one) },
          ]
        : []),
      ...(mayWrite ? actionsFor(one) : []),
    ],
    dialog: rejected !== undefined && <RejectLanding landing={rejected} onClose={() => setRejected(undefined)} />,
  }
}

/** Asks for the reason, then turns a landing down. */
function RejectLanding({ landing, onClose }: { landing: { uuid: string; name: string }; onClose: () => void }) {
  const { t } = useTranslation('landing')
  const form = useSaveForm({
    endpoint: landingApi.decide,
    initial: { reason: '' },
    toInput: ({ reason }) => ({ body: { uuids: [landing.uuid], approve: false, reason } }),
    invalidate: LANDING_ANSWERS,
    savedText: t('rejected'),
    onSaved: onClose,
  })
  return (
    <DialogForm of={form} danger title={t('rejectAsk', { name: landing.name })} action={t('reject')} onClose={onClose}>
      <LongTextField of={form} name="reason" label={t('reason')} help={t('reasonHelp')} required />
    </DialogForm>
  )
}
