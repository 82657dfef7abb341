import { Button, Group, Stack, Text } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { REVEAL_MINUTES, REVEAL_REASONS, REVEALED_FIELDS, revealApi, type RevealReason } from '#contract/leads/reveal.ts'
import { userSessionApi } from '#contract/leads/user-session.ts'
import { query } from '#web/api/query.ts'
import { dateTime } from '#web/format.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { Facts } from '#web/kit/page/facts.tsx'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { useZone } from '#web/kit/show/zone.tsx'

type Revealed = CallOutput<typeof revealApi.show>

/** The contacts of a lead: asked for with a reason, hidden again after some minutes. Draw it anew for each lead. */
export function RevealContacts({ uuid }: { uuid: string }) {
  const { t } = useTranslation('userSession')
  const [asking, setAsking] = useState(false)
  const [shown, setShown] = useState<Revealed | null>(null)
  useEffect(() => {
    if (shown === null) return undefined
    const hiding = setTimeout(() => setShown(null), REVEAL_MINUTES * 60_000)
    return () => clearTimeout(hiding)
  }, [shown])
  return (
    <>
      {shown === null ? (
        <Button
          variant="default"
          size="compact-sm"
          w="max-content"
          leftSection={<IconEye size={15} aria-hidden />}
          onClick={() => setAsking(true)}
        >
          {t('reveal')}
        </Button>
      ) : (
        <Contacts of={shown} onHide={() => setShown(null)} />
      )}
      {asking && (
        <RevealDialog
          uuid={uuid}
          onClose={() => setAsking(false)}
          onShown={(contacts) => {
            setAsking(false)
            setShown(contacts)
          }}
        />
      )}
    </>
  )
}

function Contacts({ of: { contacts, left, most }, onHide }: { of: Revealed; onHide: () => void }) {
  const { t } = useTranslation('userSession')
  return (
    <Stack gap={10} role="status">
      <Facts
        of={REVEALED_FIELDS.flatMap((name) =>
          contacts[name] === undefined ? [] : [[t(`contact.${name}`), <CopyText key={name} text={contacts[name]} />] as const],
        )}
      />
      <Group justify="space-between" gap="xs">
        <Text fz={13} c="dimmed">
          {t('reveal.shown', { count: REVEAL_MINUTES })} {t('reveal.left', { left, most })}
        </Text>
        <Button variant="default" size="compact-sm" leftSection={<IconEyeOff size={15} aria-hidden />} onClick={onHide}>
          {t('reveal.hide')}
        </Button>
      </Group>
    </Stack>
  )
}

type DialogProps = { uuid: string; onClose: () => void; onShown: (contacts: Revealed) => void }

function RevealDialog({ uuid, onClose, onShown }: DialogProps) {
  const { t } = useTranslation('userSession')
  const zone = useZone()
  const { data: quota } = useQuery({ ...query(revealApi.quota, {}), staleTime: 0 })
  const form = useSaveForm({
    endpoint: revealApi.show,
    initial: { reason: null as RevealReason | null, note: '' },
    // what nobody chose is refused by the schema, at the field
    toInput: ({ reason, note }) => ({ params: { uuid }, body: { reason: reason as RevealReason, note } }),
    invalidate: [userSessionApi.detail, revealApi.quota],
    savedText: '',
    onSaved: onShown,
  })
  return (
    <DialogForm
      of={form}
      title={t('reveal')}
      text={t('reveal.text')}
      action={t('reveal')}
      why={quota?.most === 0 ? t('reveal.closed') : undefined}
      onClose={onClose}
    >
      <SelectField
        of={form}
        name="reason"
        label={t('reveal.reason')}
        options={REVEAL_REASONS.map((value) => ({ value, label: t(`revealReason.${value}`) }))}
        required
      />
      <LongTextField of={form} name="note" label={t('reveal.note')} help={t('reveal.noteHelp')} rows={2} required />
      {quota !== undefined && quota.most > 0 && (
        <Text fz={13} c="dimmed">
          {/* a lead looked at within the day may be looked at again also when none is left */}
          {quota.next_at === null
            ? t('reveal.left', { left: quota.left, most: quota.most })
            : t('reveal.used', { most: quota.most, at: dateTime(quota.next_at, zone) })}
        </Text>
      )}
    </DialogForm>
  )
}
