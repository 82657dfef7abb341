import { Alert, Button, Code, Group, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { conversionApi } from '#contract/traffic/conversion.ts'
import { ownPostbackApi } from '#contract/traffic/own-postback.ts'
import type { PostbackTrial } from '#contract/traffic/postback-message.ts'
import { CallError } from '#web/api/call-error.ts'
import { query, useSave } from '#web/api/query.ts'
import { useDeliveryWords } from '#web/delivery-words.ts'
import { SentParts } from '#web/features/traffic/postback/sent-parts.tsx'
import { money } from '#web/format.ts'
import { fieldText } from '#web/i18n/language.ts'
import { CopyField } from '#web/kit/show/copy-field.tsx'

/** Tries a message on a conversion: what its macros become, whether it can be reached, and what it answers. */
export function MessageTrial({ trial: typed }: { trial: PostbackTrial }) {
  const { t } = useTranslation('postback')
  const words = useDeliveryWords()
  const [conversion, setConversion] = useState<string | null>(null)
  const conversions = useQuery(query(conversionApi.list, { body: { count: 50 } }))
  const dry = useSave(ownPostbackApi.dryRun, { form: true })
  const send = useSave(ownPostbackApi.send, { form: true })
  const trial = { ...typed, conversion_uuid: conversion }
  const failed = [dry.error, send.error].find((error) => error instanceof CallError)
  const mistakes = Object.values(failed?.fields ?? {})
  return (
    <Stack gap="sm" miw={0}>
      <Select
        label={t('lab.conversion')}
        description={t('lab.conversionHelp')}
        clearable
        searchable
        data={(conversions.data?.list ?? []).map((one) => ({
          value: one.uuid,
          label: `${one.id} · ${one.offer.name} · ${money(one.payout, one.currency)}`,
        }))}
        value={conversion}
        onChange={setConversion}
      />
      <Group gap="sm">
        <Button
          variant="default"
          loading={dry.isPending}
          disabled={trial.url === ''}
          onClick={() => {
            send.reset()
            dry.mutate({ body: trial })
          }}
        >
          {t('lab.dryRun')}
        </Button>
        <Button
          variant="light"
          loading={send.isPending}
          disabled={trial.url === ''}
          onClick={() => {
            dry.reset()
            send.mutate({ body: trial })
          }}
        >
          {t('lab.send')}
        </Button>
      </Group>
      <div role="status">
        {mistakes.length > 0 && <Alert color="red">{mistakes.map(fieldText).join(' ')}</Alert>}
        {dry.data && <Expanded of={dry.data} />}
        {send.data && (
          <Alert
            color={send.data.error === '' ? 'green' : 'red'}
            title={send.data.http_status === null ? words(send.data.error) : `HTTP ${send.data.http_status} · ${send.data.duration_ms} ms`}
          >
            <Code block>{send.data.response || t('lab.noText')}</Code>
          </Alert>
        )}
      </div>
    </Stack>
  )
}

function Expanded({ of }: { of: CallOutput<typeof ownPostbackApi.dryRun> }) {
  const { t } = useTranslation('postback')
  const { t: late } = useTranslation('postbackMessage')
  const headers = Object.entries(of.headers).map(([name, value]) => ({ name, value }))
  return (
    <Stack gap="sm">
      {!of.reachable && <Alert color="red">{fieldText(of.problem)}</Alert>}
      <CopyField label={t('lab.expanded')} text={of.url} />
      <SentParts headers={headers} body={of.body ?? ''} />
      {of.sample && (
        <Text size="xs" c="dimmed">
          {late('sample')}
        </Text>
      )}
    </Stack>
  )
}
