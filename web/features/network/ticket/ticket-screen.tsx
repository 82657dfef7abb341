import { Button, Group, Select, Text } from '@mantine/core'
import { IconMessages, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useSearchParams } from 'react-router'
import { TICKET_FIGURE_DAYS, ticketApi } from '#contract/network/ticket.ts'
import { query } from '#web/api/query.ts'
import { TicketConversation } from '#web/features/network/ticket/ticket-conversation.tsx'
import { TicketCreate } from '#web/features/network/ticket/ticket-form.tsx'
import { TicketList } from '#web/features/network/ticket/ticket-list.tsx'
import classes from '#web/features/network/ticket/ticket.module.css'
import { TemplateList } from '#web/features/network/ticket/template-list.tsx'
import { useTicketStream } from '#web/features/network/ticket/use-ticket-stream.ts'
import { useWaitWords } from '#web/features/network/ticket/wait-words.ts'
import { integer } from '#web/format.ts'
import { EmptyState } from '#web/kit/feedback/empty-state.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'
import { useCan } from '#web/shell/access.ts'
import { useSession } from '#web/shell/session.ts'

/** Tickets and what is said in one of them: side by side, on a phone one after the other. */
export function TicketScreen() {
  const { t } = useTranslation('ticket')
  const staff = useCan()('ticket.manage')
  const { acting } = useSession()
  const { open, show, close } = usePanelAddress('ticket')
  const [dialog, setDialog] = useState<'create' | 'templates'>()
  useTicketStream()
  return (
    <>
      <div className={classes.head} data-open={open !== null || undefined}>
        <PageHeader
          title={t('title')}
          actions={
            <>
              {staff && (
                <Button variant="default" onClick={() => setDialog('templates')}>
                  {t('templates')}
                </Button>
              )}
              {!acting && (
                <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setDialog('create')}>
                  {t('new')}
                </Button>
              )}
            </>
          }
        />
        {staff && <FirstAnswer />}
      </div>
      <div className={classes.panes} data-open={open !== null || undefined}>
        <TicketList open={open} />
        {open === null ? (
          <div className={classes.none}>
            <EmptyState icon={<IconMessages size={26} stroke={1.6} aria-hidden />} title={t('choose.title')} text={t('choose.text')} />
          </div>
        ) : (
          <TicketConversation key={open} of={open} onClose={close} onMoved={show} />
        )}
      </div>
      {dialog === 'create' && (
        <TicketCreate
          staff={staff}
          onClose={() => setDialog(undefined)}
          onMade={(uuid) => {
            setDialog(undefined)
            show(uuid)
          }}
        />
      )}
      {dialog === 'templates' && <TemplateList onClose={() => setDialog(undefined)} />}
    </>
  )
}

/** How long affiliates waited for a first answer in the last days. */
function FirstAnswer() {
  const { t } = useTranslation('ticket')
  const wait = useWaitWords()
  const [params, setParams] = useSearchParams()
  const days = TICKET_FIGURE_DAYS.find((one) => String(one) === params.get('days')) ?? 30
  const { data } = useQuery(query(ticketApi.figures, { body: { days } }, { quiet: true }))
  return (
    <Group gap="xs">
      <Text component="span" fz={13.5} c="dimmed">
        {t('firstAnswer')}{' '}
        <Text component="strong" fw={600} c="var(--ohma-text)">
          {data === undefined || data.median === null ? '–' : wait(data.median)}
        </Text>
        {data !== undefined &&
          ` · ${t('answered', { number: integer(data.answered) })} · ${t('unanswered', { number: integer(data.unanswered) })}`}
      </Text>
      <Select
        size="xs"
        w={130}
        aria-label={t('period')}
        allowDeselect={false}
        data={TICKET_FIGURE_DAYS.map((one) => ({ value: String(one), label: t('days', { count: one }) }))}
        value={String(days)}
        onChange={(value) =>
          setParams(
            (now) => {
              now.set('days', value ?? '30')
              return now
            },
            { replace: true },
          )
        }
      />
    </Group>
  )
}
