import { ActionIcon, Button, Group, Menu, Switch, Text, Textarea } from '@mantine/core'
import { IconTemplate } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type ClipboardEvent, type DragEvent } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ERRORS } from '#contract/errors.ts'
import { ticketTemplateApi } from '#contract/network/ticket-template.ts'
import { LONGEST_MESSAGE, ticketApi, type Ticket } from '#contract/network/ticket.ts'
import { authApi } from '#contract/people/auth.ts'
import { CallError } from '#web/api/call-error.ts'
import { call } from '#web/api/call.ts'
import { invalidate, query } from '#web/api/query.ts'
import { newKey } from '#web/features/network/ticket/new-key.ts'
import { AttachButton } from '#web/features/network/ticket/attach-button.tsx'
import { DraftFiles } from '#web/features/network/ticket/draft-files.tsx'
import classes from '#web/features/network/ticket/ticket.module.css'
import { useFiles } from '#web/features/network/ticket/use-files.ts'
import { useRemembered } from '#web/kit/remembered.ts'
import { useCan } from '#web/shell/access.ts'
import { useRuntime } from '#web/shell/runtime.ts'

type TicketComposerProps = { ticket: Ticket; seen: string | null; onMoved: (key: string) => void }

/** Where one answers: what was typed is kept for each ticket until it is sent, whatever fails. Ctrl Enter sends. */
export function TicketComposer({ ticket, seen, onMoved }: TicketComposerProps) {
  const { t } = useTranslation('ticket')
  const client = useQueryClient()
  const staff = useCan()('ticket.manage')
  const [draft = '', setDraft] = useRemembered(`ticket.${ticket.uuid}`, isText)
  const [internal, setInternal] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const [over, setOver] = useState(false)
  const box = useRef<HTMLTextAreaElement>(null)
  const { files, sending, add, remove, clear } = useFiles()
  // tried again, the same words are the same message; other words are another one
  const attempt = useRef({ what: '', key: '' })

  const send = async (close = false) => {
    const body = draft.trim()
    if (busy || sending || (body === '' && files.length === 0)) return
    const uuids = files.flatMap(({ uuid }) => uuid ?? [])
    const what = JSON.stringify([body, uuids, internal, close])
    if (attempt.current.what !== what) attempt.current = { what, key: newKey() }
    setBusy(true)
    setProblem('')
    try {
      const input = { key: attempt.current.key, body, files: uuids, internal, close, seen: staff ? seen : null }
      const { uuid, id } = await call(ticketApi.answer, { params: { uuid: ticket.uuid }, body: input }, { quiet: true })
      attempt.current = { what: '', key: '' }
      setDraft(undefined)
      clear()
      if (uuid !== ticket.uuid) onMoved(String(id))
    } catch (error) {
      const overtaken = error instanceof CallError && error.has(ERRORS.conflict.code)
      setProblem(overtaken ? t('overtaken') : t('notSent', { why: error instanceof Error ? error.message : '' }))
    }
    setBusy(false)
    await invalidate(client, [ticketApi.list, ticketApi.get, ticketApi.messages, ticketApi.figures])
    box.current?.focus()
  }
  const onPaste = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files]
    if (pasted.length === 0) return
    event.preventDefault()
    add(pasted)
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    add([...event.dataTransfer.files])
  }
  const late = ticket.closed_at !== null
  return (
    // files are dropped anywhere on it; all of it can be done by its buttons too
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={classes.composer}
      data-internal={internal || undefined}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      {late && (
        <Text fz={13} c="dimmed">
          {t('closedHint')}
        </Text>
      )}
      <Textarea
        ref={box}
        aria-label={t(internal ? 'writeNote' : 'write')}
        placeholder={t(internal ? 'writeNote' : 'write')}
        autosize
        minRows={2}
        maxRows={10}
        maxLength={LONGEST_MESSAGE}
        error={problem || undefined}
        value={draft}
        onChange={(event) => setDraft(event.currentTarget.value === '' ? undefined : event.currentTarget.value)}
        onPaste={onPaste}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          void send()
        }}
      />
      <DraftFiles files={files} onRemove={remove} />
      <Group justify="space-between" gap="xs">
        <Group gap={6}>
          <AttachButton onAdd={add} />
          {staff && (
            <Templates
              ticket={ticket}
              onChoose={(text) => setDraft((draft === '' ? text : `${draft}\n${text}`).slice(0, LONGEST_MESSAGE))}
            />
          )}
          {staff && (
            <Switch size="sm" label={t('noteSwitch')} checked={internal} onChange={(event) => setInternal(event.currentTarget.checked)} />
          )}
        </Group>
        <Group gap={6}>
          {staff && !internal && ticket.status !== 'closed' && (
            <Button variant="default" disabled={busy || sending} onClick={() => void send(true)}>
              {t('sendAndClose')}
            </Button>
          )}
          <Button loading={busy} disabled={sending} onClick={() => void send()}>
            {t(internal ? 'addNote' : 'send')}
          </Button>
        </Group>
      </Group>
    </div>
  )
}

/** The answers that are given often, filled with what this ticket is about. */
function Templates({ ticket, onChoose }: { ticket: Ticket; onChoose: (text: string) => void }) {
  const { t } = useTranslation('ticket')
  const { partner_title } = useRuntime()
  const { data } = useQuery(query(ticketTemplateApi.list, {}, { quiet: true }))
  const me = useQuery(query(authApi.me, {}, { quiet: true }))
  const values: Readonly<Record<string, string>> = {
    affiliate: ticket.affiliate?.name ?? '',
    number: String(ticket.id),
    subject: ticket.subject,
    offer: ticket.offer?.name ?? '',
    me: me.data?.name ?? '',
    network: partner_title,
  }
  const list = data?.list ?? []
  return (
    <Menu shadow="md" width={260}>
      <Menu.Target>
        <ActionIcon size={34} variant="default" aria-label={t('useTemplate')} disabled={list.length === 0}>
          <IconTemplate size={17} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {list.map(({ uuid, title, body }) => (
          <Menu.Item key={uuid} onClick={() => onChoose(body.replace(/\{([a-z]+)\}/g, (_whole, name: string) => values[name] ?? ''))}>
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
