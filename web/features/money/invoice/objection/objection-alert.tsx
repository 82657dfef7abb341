import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconMessageExclamation } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { InvoiceDetail } from '#contract/money/invoice.ts'
import { objectionApi } from '#contract/money/objection.ts'
import { query, useSave } from '#web/api/query.ts'
import { SHOW_INVOICES } from '#web/features/money/invoice/use-invoice-actions.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { notify } from '#web/notify.ts'
import { useCan } from '#web/shell/access.ts'

/** What the affiliate objects to, and the way to answer; of a waiting invoice without any, until when it may. */
export function ObjectionAlert({ invoice }: { invoice: InvoiceDetail }) {
  const { t } = useTranslation('invoice')
  const can = useCan()
  const [answers, setAnswers] = useState(false)
  const found = useQuery(query(objectionApi.list, { params: { uuid: invoice.uuid } }, { quiet: true }))
  if (invoice.status !== 'waiting' || found.data === undefined) return null
  const asked = found.data.list.find(({ state }) => state === 'open')
  if (asked === undefined)
    return found.data.until === null ? null : (
      <Text fz={13} c="dimmed" mb="md">
        {t('objection.theyMay')} <Moment at={found.data.until} />. {t('objection.silence')}
      </Text>
    )
  return (
    <>
      <Alert
        color="orange"
        icon={<IconMessageExclamation size={18} aria-hidden />}
        title={t('objection.open', { name: asked.made_by })}
        mb="md"
      >
        <Stack gap={8}>
          <Text fz={14} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {asked.reason}
          </Text>
          <Text fz={13} c="dimmed">
            <Moment at={asked.at} /> · {t('objection.openText')}
          </Text>
          {can('billing.write') && (
            <Group gap={8}>
              <Button size="compact-sm" onClick={() => setAnswers(true)}>
                {t('objection.answer')}
              </Button>
            </Group>
          )}
        </Stack>
      </Alert>
      {answers && <AnswerDialog invoice={invoice} reason={asked.reason} onClose={() => setAnswers(false)} />}
    </>
  )
}

function AnswerDialog({ invoice, reason, onClose }: { invoice: InvoiceDetail; reason: string; onClose: () => void }) {
  const { t } = useTranslation('invoice')
  const id = useId()
  const [answer, setAnswer] = useState('')
  const save = useSave(objectionApi.answer, {
    invalidate: [...SHOW_INVOICES, objectionApi.list],
    onSuccess: () => {
      notify.success(t('done'))
      onClose()
    },
  })
  const submit = (event?: { preventDefault(): void }) => {
    event?.preventDefault()
    if (answer.trim() !== '') save.mutate({ params: { uuid: invoice.uuid }, body: { revision: invoice.revision, answer: answer.trim() } })
  }
  return (
    <DialogForm
      of={{ id, submit, saving: save.isPending, dirty: answer !== '', problems: [], reload: undefined }}
      title={t('objection.answerTitle', { name: invoice.affiliate.name })}
      text={reason}
      action={t('objection.answer')}
      onClose={onClose}
    >
      <Textarea
        label={t('objection.answerLabel')}
        description={t('objection.answerHelp')}
        required
        maxLength={1000}
        autosize
        minRows={3}
        value={answer}
        onChange={(event) => setAnswer(event.currentTarget.value)}
      />
    </DialogForm>
  )
}
