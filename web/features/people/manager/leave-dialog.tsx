import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { managerApi } from '#contract/people/manager.ts'
import { call } from '#web/api/call.ts'
import { invalidate } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import type { Leaver } from '#web/features/people/manager/use-leaving.tsx'
import { offerUndo } from '#web/kit/feedback/undo-toast.tsx'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { useCan } from '#web/shell/access.ts'

type Way = 'keep' | 'give' | 'nobody'
const REFRESH = [managerApi.list, managerApi.get, affiliateApi.list, affiliateApi.get, advertiserApi.list, advertiserApi.get]

/** Asks to whom goes what managers have who are blocked or deleted, and does both in one step; for a moment it can be taken back. */
export function LeaveDialog({
  rows,
  status,
  onClose,
}: {
  rows: readonly Leaver[]
  status: 'blocked' | 'deleted'
  onClose: (done: boolean) => void
}) {
  const { t } = useTranslation('manager')
  const client = useQueryClient()
  const seesAll = useCan()('setting.general')
  const sum = (of: 'affiliates' | 'advertisers' | 'team') => rows.reduce((all, row) => all + row[of], 0)
  const counts = { affiliates: integer(sum('affiliates')), advertisers: integer(sum('advertisers')), team: integer(sum('team')) }
  const hasAccounts = sum('affiliates') + sum('advertisers') > 0
  const hasTeam = sum('team') > 0
  const uuids = rows.map(({ uuid }) => uuid)
  const begin: Way = status === 'deleted' ? 'give' : 'keep'
  const form = useSaveForm({
    endpoint: managerApi.setStatus,
    initial: {
      accounts: begin,
      team: begin,
      hand_over: { manager_uuid: null as string | null, team_lead_uuid: null as string | null },
    },
    toInput: ({ accounts, team, hand_over }) => ({
      body: {
        uuids,
        status,
        hand_over: {
          ...(hasAccounts && accounts !== 'keep' && { manager_uuid: chosen(accounts, hand_over.manager_uuid) }),
          ...(hasTeam && team !== 'keep' && { team_lead_uuid: chosen(team, hand_over.team_lead_uuid) }),
        },
      },
    }),
    invalidate: REFRESH,
    savedText: '',
    onSaved: ({ changed }) => {
      onClose(true)
      const words = { count: changed, number: integer(changed), status: t(`status.${status}`) }
      offerUndo(t('statusChanged', words), () => {
        void call(managerApi.undo, { body: { uuids, status } })
          .catch(() => undefined) // the call has said why
          .then(() => invalidate(client, REFRESH))
      })
    },
  })
  const ways = (give: string, nobody: string) => [
    ...(status === 'blocked' ? [{ value: 'keep', label: t('leave.keep') }] : []),
    { value: 'give', label: give },
    { value: 'nobody', label: nobody },
  ]
  const words = { count: rows.length, number: integer(rows.length), name: rows[0]?.name ?? '' }
  return (
    <DialogForm
      of={form}
      title={t(status === 'blocked' ? 'leave.block' : 'leave.delete', words)}
      text={t('leave.text', counts)}
      action={t(status === 'blocked' ? 'block' : 'delete')}
      danger
      onClose={() => onClose(false)}
    >
      {hasAccounts && (
        <SelectField
          of={form}
          name="accounts"
          label={t('leave.accounts')}
          options={ways(t('leave.give'), t(seesAll ? 'leave.nobody' : 'leave.yourself'))}
          required
        />
      )}
      {hasAccounts && form.values.accounts === 'give' && (
        <ReferenceField
          of={form}
          name="hand_over.manager_uuid"
          label={t('leave.to')}
          endpoint={managerApi.options}
          help={t('leave.toHelp')}
          required
        />
      )}
      {hasTeam && (
        <SelectField of={form} name="team" label={t('leave.team')} options={ways(t('leave.giveTeam'), t('leave.nobodyTeam'))} required />
      )}
      {hasTeam && form.values.team === 'give' && (
        <ReferenceField of={form} name="hand_over.team_lead_uuid" label={t('leave.lead')} endpoint={managerApi.options} required />
      )}
    </DialogForm>
  )
}

/** Nobody chosen yet is no answer: the server's schema refuses it at the field. */
function chosen(way: Way, uuid: string | null): string | null {
  return way === 'nobody' ? null : (uuid ?? '')
}
