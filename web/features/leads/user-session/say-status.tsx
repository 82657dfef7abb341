import { Button } from '@mantine/core'
import { IconPhone } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { leadAuthorityApi } from '#contract/leads/authority.ts'
import { CALL_STATUSES, type CallStatus } from '#contract/leads/call-status.ts'
import { TAKEN_LEADS } from '#contract/leads/lead.ts'
import { userSessionApi, type UserSession } from '#contract/leads/user-session.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { useCan } from '#web/shell/access.ts'

const TAKEN: ReadonlySet<UserSession['status']> = new Set(TAKEN_LEADS)

/** Staff say what became of a lead in its advertiser's place. */
export function SayStatus({ session }: { session: UserSession }) {
  const { t } = useTranslation('userSession')
  const may = useCan()('conversion.decide')
  const [asking, setAsking] = useState(false)
  // who is not shown the advertiser has no word in its place
  if (!may || !TAKEN.has(session.status) || !session.advertiser) return null
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        w="max-content"
        leftSection={<IconPhone size={15} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {t('say')}
      </Button>
      {asking && <SayDialog session={session} onClose={() => setAsking(false)} />}
    </>
  )
}

function SayDialog({ session: { uuid, call_status }, onClose }: { session: UserSession; onClose: () => void }) {
  const { t } = useTranslation('userSession')
  const form = useSaveForm({
    endpoint: leadAuthorityApi.callStatus,
    initial: { call_status: null as CallStatus | null, reason: '' },
    // what nobody chose is refused by the schema, at the field
    toInput: ({ call_status: said, reason }) => ({
      params: { uuid },
      body: { call_status: said as CallStatus, reason, expected: call_status },
    }),
    invalidate: [userSessionApi.detail, userSessionApi.list],
    savedText: t('say.saved'),
    onSaved: onClose,
  })
  return (
    <DialogForm of={form} title={t('say')} text={t('say.text')} action={t('say')} onClose={onClose}>
      <SelectField
        of={form}
        name="call_status"
        label={t('call_status')}
        options={CALL_STATUSES.filter((value) => value !== call_status).map((value) => ({ value, label: t(`call.${value}`) }))}
        required
      />
      <LongTextField of={form} name="reason" label={t('say.reason')} help={t('say.reasonHelp')} rows={2} />
    </DialogForm>
  )
}
