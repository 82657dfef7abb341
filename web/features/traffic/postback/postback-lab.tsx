import { Alert, Button, Code, Group, Select, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { conversionApi } from '#contract/traffic/conversion.ts'
import { ownPostbackApi } from '#contract/traffic/postback.ts'
import { CallError } from '#web/api/call-error.ts'
import { query, useSave } from '#web/api/query.ts'
import { MacroHelp } from '#web/features/traffic/postback/macro-help.tsx'
import { useDeliveryWords } from '#web/delivery-words.ts'
import { money } from '#web/format.ts'
import { fieldText } from '#web/i18n/language.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { CopyField } from '#web/kit/show/copy-field.tsx'

/** Tries an address on a conversion: what its macros become, whether it can be reached, and what it answers. */
export function PostbackLab() {
  const { t } = useTranslation('postback')
  const words = useDeliveryWords()
  const [typed, setTyped] = useState<string>()
  const saved = useQuery(query(ownPostbackApi.list, {})).data?.list ?? []
  // the one that is in use is what people come to try
  const url = typed ?? saved[0]?.url ?? ''
  const method = saved.find((one) => one.url === url)?.method ?? 'GET'
  const [conversion, setConversion] = useState<string | null>(null)
  const conversions = useQuery(query(conversionApi.list, { body: { count: 50 } }))
  const dry = useSave(ownPostbackApi.dryRun, { form: true })
  const send = useSave(ownPostbackApi.send, { form: true })
  const trial = { url, method, ...(conversion === null ? {} : { conversion_uuid: conversion }) }
  const failed = [dry.error, send.error].find((error) => error instanceof CallError)
  return (
    <Panel title={t('lab.title')} text={t('lab.text')}>
      {saved.length > 0 && (
        <Select
          label={t('lab.saved')}
          data={[...new Set(saved.map((one) => one.url))]}
          placeholder={t('lab.savedNone')}
          clearable
          value={saved.some((one) => one.url === url) ? url : null}
          onChange={(chosen) => setTyped(chosen ?? '')}
        />
      )}
      <Textarea
        label={t('url')}
        autosize
        minRows={2}
        value={url}
        error={failed?.fields['url']}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <MacroHelp />
      <Select
        label={t('lab.conversion')}
        description={t('lab.conversionHelp')}
        clearable
        searchable
        data={(conversions.data?.list ?? []).map((one) => ({
          value: one.uuid,
          label: `${one.id} · ${one.offer.name} · ${money(one.payout, one.currency, { exact: true })}`,
        }))}
        value={conversion}
        onChange={setConversion}
      />
      <Group gap="sm">
        <Button variant="default" loading={dry.isPending} disabled={url === ''} onClick={() => dry.mutate({ body: trial })}>
          {t('lab.dryRun')}
        </Button>
        <Button loading={send.isPending} disabled={url === ''} onClick={() => send.mutate({ body: trial })}>
          {t('lab.send')}
        </Button>
      </Group>
      {dry.data && (
        <>
          <CopyField label={t('lab.expanded')} text={dry.data.url} />
          {!dry.data.reachable && <Alert color="red">{fieldText(dry.data.problem)}</Alert>}
        </>
      )}
      {send.data && (
        <Alert
          color={send.data.error === '' ? 'green' : 'red'}
          title={send.data.http_status === null ? words(send.data.error) : `HTTP ${send.data.http_status} · ${send.data.duration_ms} ms`}
        >
          <Code block>{send.data.response || t('lab.noText')}</Code>
        </Alert>
      )}
    </Panel>
  )
}
