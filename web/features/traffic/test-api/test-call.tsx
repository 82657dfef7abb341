import { Alert, Anchor, Autocomplete, Button, Group, Select, SimpleGrid, TextInput } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { CONVERSION_STATUSES } from '#contract/traffic/conversion.ts'
import { postbackApi } from '#contract/traffic/postback.ts'
import type { TestCallAnswer } from '#contract/traffic/test-call.ts'
import { messagesOf } from '#web/api/call-error.ts'
import { query, useSave } from '#web/api/query.ts'
import type { TestedClick, TestLink } from '#web/features/traffic/test-api/use-test-click.ts'
import { errorText, fieldText } from '#web/i18n/language.ts'
import { Facts } from '#web/kit/page/facts.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { RawText } from '#web/kit/show/raw-text.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { ScreenLink } from '#web/shell/screen-link.tsx'

const SAID = ['status', 'amount', 'currency', 'txn_id'] as const

/** The third step: what the advertiser would report of the click, how it is read and answered. Nothing is booked. */
export function TestCall({ link, click }: { link: TestLink | null; click: TestedClick | undefined }) {
  const { t } = useTranslation('testApi')
  const [said, setSaid] = useState({ goal: '', status: 'approved', amount: '', currency: '', txn_id: '' })
  const offer = useQuery({ ...query(offerApi.get, { params: { uuid: link?.offer ?? '' } }, { quiet: true }), enabled: link !== null })
  const send = useSave(postbackApi.testCall, { form: true, invalidate: [postbackApi.list] })
  const clickId = click?.kind === 'test' ? click.click_id : null
  if (link === null || clickId === null)
    return (
      <Panel title={t('call.title')}>
        <p className="ohma-soft">{t('call.first')}</p>
      </Panel>
    )

  const put = (name: keyof typeof said, value: string) => setSaid({ ...said, [name]: value })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send.mutate({ body: { click_id: clickId, ...said } })
  }
  const errors = send.error?.fields ?? {}
  const errorOf = (name: string) => errors[name] && fieldText(errors[name])
  return (
    <Panel title={t('call.title')} text={t('call.text')}>
      {click?.reason !== '' && <Alert color="var(--ohma-waiting)">{t('call.ofRefused')}</Alert>}
      <form aria-label={t('call.title')} onSubmit={submit}>
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
          <Select
            label={t('call.goal')}
            placeholder={t('call.goalNone')}
            clearable
            data={(offer.data?.goals ?? []).map(({ code, title }) => ({ value: code, label: `${title} · ${code}` }))}
            error={errorOf('goal')}
            value={said.goal || null}
            onChange={(goal) => put('goal', goal ?? '')}
          />
          {SAID.map((name) =>
            name === 'status' ? (
              <Autocomplete
                key={name}
                label={t('call.status')}
                description={t('call.statusHelp')}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                data={[...CONVERSION_STATUSES]}
                filter={({ options }) => options}
                maxLength={64}
                error={errorOf(name)}
                value={said.status}
                onChange={(status) => put('status', status)}
              />
            ) : (
              <TextInput
                key={name}
                label={t(`call.${name}`)}
                placeholder={name === 'currency' ? offer.data?.currency : undefined}
                maxLength={name === 'txn_id' ? 255 : name === 'currency' ? 16 : 64}
                error={errorOf(name)}
                value={said[name]}
                onChange={(event) => put(name, event.currentTarget.value)}
              />
            ),
          )}
        </SimpleGrid>
        <Button type="submit" mt="md" loading={send.isPending} leftSection={<IconSend size={16} aria-hidden />}>
          {t('call.send')}
        </Button>
      </form>
      {send.error && Object.keys(errors).every((name) => name === 'click_id') && (
        <Alert color="var(--ohma-bad)" role="alert">
          {errorOf('click_id') ?? messagesOf(send.error, errorText).join(' ')}
        </Alert>
      )}
      <div role="status">{send.data && <Answer of={send.data} />}</div>
      <Anchor component={ScreenLink} to="statisticPostbacks">
        {t('call.log')}
      </Anchor>
    </Panel>
  )
}

function Answer({ of: { sent, http_status: status, answer, reason, detail, understood } }: { of: TestCallAnswer }) {
  const { t } = useTranslation('testApi')
  const { t: log } = useTranslation('postbackLog')
  const { t: conversion } = useTranslation('conversion')
  // reasons the file does not know stay as they are
  const why = reason && log(`reason.${reason}` as 'reason.click_id_missing', { defaultValue: reason })
  return (
    <div style={{ display: 'grid', gap: 10 }}>
      <Group gap="4px 12px">
        <StatusBadge tone={understood === null ? 'bad' : 'good'} label={t(understood === null ? 'call.refused' : 'call.understood')} />
        <span>HTTP {status}</span>
        {why !== '' && <span>{detail === '' ? why : log('reasonOf', { reason: why, detail })}</span>}
      </Group>
      {understood !== null && (
        <>
          <p className="ohma-soft">{t('call.would')}</p>
          <Facts
            of={[
              [t('call.goal'), `${understood.goal.title} · ${understood.goal.code}`],
              [t('call.status'), conversion(`status.${understood.status}`)],
              [
                t('call.amount'),
                understood.amount === null ? (
                  t('call.ofOffer')
                ) : (
                  <Money key="amount" amount={understood.amount} currency={understood.currency} />
                ),
              ],
            ]}
          />
        </>
      )}
      <h3>{t('call.sent')}</h3>
      <RawText>{`GET ${sent}`}</RawText>
      <h3>{t('call.answer')}</h3>
      <RawText>{answer}</RawText>
    </div>
  )
}
