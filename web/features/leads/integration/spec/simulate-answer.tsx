import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { integrationApi } from '#contract/leads/integration.ts'
import type { ResponseSpec } from '#contract/leads/integration-spec.ts'
import { useSave } from '#web/api/query.ts'
import { callReasonWords } from '#web/call-reason.ts'
import { wordsOf } from '#web/kit/status/status-look.ts'
import { OutcomeBadge } from '#web/outcome-badge.tsx'

/** What an answer would come to by what stands in the form now, without asking anybody. */
export function SimulateAnswer({ response }: { response: () => ResponseSpec }) {
  const { t } = useTranslation('integration')
  const [status, setStatus] = useState('200')
  const [body, setBody] = useState('')
  const simulate = useSave(integrationApi.simulate, { invalidate: [] })
  const judged = simulate.data
  return (
    <Stack gap={10} data-wide role="group" aria-label={t('simulate')}>
      <Text fz={14} fw={600}>
        {t('simulate')}
      </Text>
      <Group align="flex-start" gap={12}>
        <TextInput
          label={t('simulate.status')}
          inputMode="numeric"
          value={status}
          onChange={(event) => setStatus(event.currentTarget.value)}
          w={130}
        />
        <Textarea
          label={t('simulate.body')}
          value={body}
          onChange={(event) => setBody(event.currentTarget.value)}
          autosize
          minRows={2}
          maxRows={12}
          maxLength={256_000}
          placeholder={'{"success": false, "message": "Duplicate"}'}
          style={{ flex: '1 1 300px' }}
        />
      </Group>
      <Group gap={12}>
        <Button
          variant="default"
          loading={simulate.isPending}
          disabled={!/^[1-5]\d\d$/.test(status)}
          onClick={() => simulate.mutate({ body: { response: response(), answer: { status: Number(status), headers: {}, body } } })}
        >
          {t('simulate.run')}
        </Button>
        {judged !== undefined && (
          <span role="status">
            <OutcomeBadge outcome={judged.outcome} />{' '}
            {judged.rule === null ? t('simulate.noRule') : t('simulate.rule', { number: judged.rule + 1 })}
            {judged.reason !== '' && `: ${callReasonWords(judged.reason, wordsOf(t))}`}
          </span>
        )}
      </Group>
      {judged !== undefined &&
        Object.entries(judged.extracted).map(([what, text]) => (
          <Text key={what} fz={13}>
            {t(`extract.${what}` as 'extract.external_id')}: <code>{text}</code>
          </Text>
        ))}
    </Stack>
  )
}
