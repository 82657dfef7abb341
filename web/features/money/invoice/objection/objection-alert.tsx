import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconMessageExclamation } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { InvoiceDetail } from '#contract/money/invoice.ts'
import { objectionApi } from '#contract/money/objection.ts'
import { query } from '#web/api/query.ts'
import { dateTime } from '#web/format.ts'
import { SHOW_INVOICES } from '#web/features/money/invoice/show-invoices.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { Moment } from '#web/kit/show/moment.tsx'
import { useNow } from '#web/kit/show/use-now.ts'
import { useZone } from '#web/kit/show/zone.tsx'
import { useCan } from '#web/shell/access.ts'

/** What the affiliate objects to, and the way to answer; of a waiting invoice without any, until when it may. */
export function ObjectionAlert({ invoice }: { invoice: InvoiceDetail }) {
  const { t } = useTranslation('invoice')
  const can = useCan()
  const zone = useZone()
  const now = useNow()
  const [answers, setAnswers] = useState(false)
  const found = useQuery(query(objectionApi.list, { params: { uuid: invoice.uuid } }, { quiet: true }))
  if (invoice.status !== 'waiting' || found.data === undefined) return null
  const asked = found.data.list.find(({ state }) => state === 'open')
  if (asked === undefined)
    return found.data.until === null ? null : (
      <Text fz={13} c="dimmed" mb="md">
        {t(Date.parse(found.data.until) > now ? 'objection.theyMay' : 'objection.theyDidNot', { time: dateTime(found.data.until, zone) })}
      </Text>
    )
  return (
    <>
      <Alert
        color="var(--ohma-waiting)"
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
  const form = useSaveForm({
    endpoint: objectionApi.answer,
    initial: { answer: '' },
    toInput: ({ answer }) => ({ params: { uuid: invoice.uuid }, body: { revision: invoice.revision, answer } }),
    invalidate: [...SHOW_INVOICES, objectionApi.list],
    savedText: t('toast.answered'),
    onSaved: onClose,
  })
  return (
    <DialogForm
      of={form}
      title={t('objection.answerTitle', { name: invoice.affiliate.name })}
      text={reason}
      action={t('objection.answer')}
      onClose={onClose}
    >
      <LongTextField of={form} name="answer" label={t('objection.answerLabel')} help={t('objection.answerHelp')} required />
    </DialogForm>
  )
}
