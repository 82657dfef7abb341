import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ticketTemplateApi, type TicketTemplate } from '#contract/network/ticket-template.ts'
import { query, useSave } from '#web/api/query.ts'
import { TemplateForm } from '#web/features/network/ticket/template-form.tsx'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { Modal } from '#web/kit/page/modal.tsx'

/** The answers that are given often: made, changed and removed by whoever answers tickets. */
export function TemplateList({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('ticket')
  const { data, error, refetch } = useQuery(query(ticketTemplateApi.list, {}, { quiet: true }))
  const [editing, setEditing] = useState<TicketTemplate | 'new'>()
  const remove = useSave(ticketTemplateApi.remove, { invalidate: [ticketTemplateApi.list] })
  const ask = async ({ uuid, title }: TicketTemplate) => {
    if (
      await confirm({
        title: t('template.remove', { title }),
        text: t('template.removeText'),
        action: t('template.removeAction'),
        danger: true,
      })
    )
      remove.mutate({ params: { uuid } })
  }
  if (editing !== undefined) return <TemplateForm template={editing === 'new' ? null : editing} onClose={() => setEditing(undefined)} />
  return (
    <Modal opened onClose={onClose} title={t('templates')} centered size={560}>
      <Stack gap="sm">
        <Text c="dimmed" fz={13.5}>
          {t('template.about')}
        </Text>
        {error !== null && <ErrorState what={t('template.failed')} error={error} onRetry={() => void refetch()} />}
        {data?.list.map((template) => (
          <Group key={template.uuid} justify="space-between" wrap="nowrap">
            <div style={{ minWidth: 0 }}>
              <Text fw={550} truncate>
                {template.title}
              </Text>
              <Text c="dimmed" fz={13} truncate>
                {template.body}
              </Text>
            </div>
            <Group gap={6} wrap="nowrap">
              <Button size="compact-sm" variant="default" onClick={() => setEditing(template)}>
                {t('template.edit')}
              </Button>
              <Button size="compact-sm" variant="subtle" color="red" onClick={() => void ask(template)}>
                {t('template.removeAction')}
              </Button>
            </Group>
          </Group>
        ))}
        <Button onClick={() => setEditing('new')}>{t('template.new')}</Button>
      </Stack>
    </Modal>
  )
}
