import { Button, Group, Stack, Text } from '@mantine/core'
import { IconDownload, IconTrash, IconUserDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { contactExportApi, type ContactExport } from '#contract/leads/contact-export.ts'
import { REVEAL_REASONS, type RevealReason } from '#contract/leads/reveal.ts'
import { userSessionApi } from '#contract/leads/user-session.ts'
import { query, useSave } from '#web/api/query.ts'
import { dateTime, integer } from '#web/format.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { download } from '#web/kit/list/export/run-export.ts'
import { Moment } from '#web/kit/show/moment.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import classes from '#web/features/leads/user-session/export-contacts.module.css'

type Asked = { asked: Readonly<Record<string, unknown>>; rows: number }

/** The contacts of the leads a list shows, as a file: asked for with a reason, made in the background, for who asked and for a day. */
export function ExportContacts(asked: Asked) {
  const { t } = useTranslation('userSession')
  const [open, setOpen] = useState(false)
  // what was asked for joins the files: the form begins anew for the next one
  const [round, setRound] = useState(0)
  return (
    <>
      <Button variant="default" size="xs" leftSection={<IconUserDown size={14} aria-hidden />} onClick={() => setOpen(true)}>
        {t('contacts')}
      </Button>
      {open && <ExportDialog key={round} {...asked} onAsked={() => setRound(round + 1)} onClose={() => setOpen(false)} />}
    </>
  )
}

function ExportDialog({ asked, rows, onAsked, onClose }: Asked & { onAsked: () => void; onClose: () => void }) {
  const { t } = useTranslation('userSession')
  const found = useQuery({
    ...query(contactExportApi.list, {}),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.list.some((one) => one.state === 'waiting') ? 1000 : false),
  })
  const { most, left, list } = found.data ?? { most: undefined, left: 0, list: [] }
  const form = useSaveForm({
    endpoint: contactExportApi.create,
    initial: { reason: null as RevealReason | null, note: '' },
    // filters are those of the list; what nobody chose is refused by the schema, at the field
    toInput: ({ reason, note }) => ({ body: { ...asked, reason, note } }) as unknown as CallInput<typeof contactExportApi.create>,
    invalidate: [contactExportApi.list, userSessionApi.detail],
    savedText: t('contacts.asked'),
    onSaved: onAsked,
  })
  const why =
    most === 0
      ? t('contacts.closed')
      : most !== undefined && rows > left
        ? t('contacts.over', { rows: integer(rows), left: integer(left), most: integer(most) })
        : undefined
  return (
    <DialogForm
      of={form}
      title={t('contacts.title')}
      text={t('contacts.text')}
      action={t('contacts.ask', { count: rows, rows: integer(rows) })}
      why={why}
      size={540}
      outcome={why ?? (most === undefined ? undefined : t('contacts.left', { left: integer(left), most: integer(most) }))}
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
      {found.error && <Text c="red">{t('contacts.failed')}</Text>}
      {list.length > 0 && (
        <Stack gap={6} component="section" aria-label={t('contacts.files')}>
          <Text fw={600} fz={14}>
            {t('contacts.files')}
          </Text>
          <ul className={classes.files}>
            {list.map((one) => (
              <File key={one.uuid} of={one} />
            ))}
          </ul>
        </Stack>
      )}
    </DialogForm>
  )
}

const TONES = { waiting: 'info', ready: 'good', refused: 'bad', failed: 'bad', deleted: 'muted' } as const

function File({ of }: { of: ContactExport }) {
  const { t } = useTranslation('userSession')
  const zone = useZone()
  const save = useSave(contactExportApi.file, {
    invalidate: [contactExportApi.list],
    onSuccess: (bytes) => download(`contacts-${of.created_at.slice(0, 10)}.csv`, [new Uint8Array(bytes)], 'text/csv'),
  })
  const remove = useSave(contactExportApi.remove, { invalidate: [contactExportApi.list] })
  const params = { uuid: of.uuid }
  return (
    <li>
      <div>
        <Group gap="2px 10px">
          <StatusBadge tone={TONES[of.state]} label={t(`contactsState.${of.state}`)} />
          <span className="ohma-number">{t('contacts.rows', { count: of.rows, rows: integer(of.rows) })}</span>
          <span className="ohma-soft">
            <Moment at={of.created_at} />
          </span>
        </Group>
        <Text fz={13} c="dimmed" className="ohma-wrap">
          {t(`revealReason.${of.reason}`)} · {of.note}
          {of.state === 'ready' && of.expires_at !== null && ` · ${t('contacts.until', { at: dateTime(of.expires_at, zone) })}`}
        </Text>
      </div>
      {of.state === 'ready' && (
        <Group gap={6} wrap="nowrap">
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconDownload size={14} aria-hidden />}
            loading={save.isPending}
            onClick={() => save.mutate({ params })}
          >
            {t('contacts.download')}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            aria-label={t('contacts.delete')}
            title={t('contacts.delete')}
            loading={remove.isPending}
            onClick={() => remove.mutate({ params })}
          >
            <IconTrash size={14} aria-hidden />
          </Button>
        </Group>
      )}
    </li>
  )
}
