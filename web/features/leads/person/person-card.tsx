import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { personApi, type PersonCard as Card } from '#contract/leads/person.ts'
import { query } from '#web/api/query.ts'
import { ErasePerson } from '#web/features/leads/person/erase-person.tsx'
import { ExportPerson } from '#web/features/leads/person/export-person.tsx'
import { RectifyPerson } from '#web/features/leads/person/rectify-person.tsx'
import { RestrictPerson } from '#web/features/leads/person/restrict-person.tsx'
import { Notices } from '#web/features/leads/person/notices.tsx'
import { dateTime } from '#web/format.ts'
import { Facts } from '#web/kit/page/facts.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { Country } from '#web/kit/show/country.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { useZone } from '#web/kit/show/zone.tsx'

const DIALOGS = { export: ExportPerson, rectify: RectifyPerson, restrict: RestrictPerson, erase: ErasePerson } as const
type Dialog = keyof typeof DIALOGS

/** All that is held of somebody, masked, and what may be done with it. */
export function PersonCard({ uuid }: { uuid: string }) {
  const { t } = useTranslation('person')
  const { t: session } = useTranslation('userSession')
  const zone = useZone()
  /** Whoever sent the lead wrote it: what is no moment is shown as it was told. */
  const saidAt = (text: string) => (Number.isNaN(Date.parse(text)) ? text : dateTime(text, zone))
  const found = useQuery(query(personApi.get, { params: { uuid } }, { quiet: true }))
  return (
    <QueryPage query={found} failed={t('failed')}>
      {(card) => (
        <Stack>
          <Who of={card} />
          {card.notices.length > 0 && (
            <Panel title={t('recipientsToTell')} text={t('toTell.text')}>
              <Notices of={card.notices} />
            </Panel>
          )}
          <Held
            title={t('sessions')}
            rows={card.sessions_list.map(({ id, received_at, offer, affiliate, consent_at }) => ({
              at: received_at,
              text: `${id} · ${offer} · ${affiliate}`,
              more: consent_at === '' ? t('noConsent') : t('consentAt', { at: saidAt(consent_at) }),
            }))}
          />
          <Held
            title={t('recipients')}
            rows={card.recipients.map(({ at, advertiser, product, status, external_id }) => ({
              at,
              text: `${advertiser} · ${product}`,
              // words the file does not know stay as they are
              more: [session(`send.${status}` as 'status', { defaultValue: status }), external_id].filter(Boolean).join(' · '),
            }))}
          />
          <Held
            title={t('lists')}
            rows={card.lists.map(({ added_at, title, removed_at }) => ({
              at: added_at,
              text: title,
              more: removed_at === null ? '' : t('removed'),
            }))}
          />
          <Held title={t('reveals')} rows={card.reveals.map(({ at, by, note }) => ({ at, text: by, more: note }))} />
        </Stack>
      )}
    </QueryPage>
  )
}

function Who({ of }: { of: Card }) {
  const { t } = useTranslation('person')
  const [open, setOpen] = useState<Dialog>()
  const facts: [string, ReactNode][] = [
    [t('name'), of.name],
    [t('email'), of.email],
    [t('phone'), of.phone],
    [t('country'), of.country === '' ? '' : <Country key="country" code={of.country} />],
    [t('firstSeen'), <Moment key="first" at={of.first_seen_at} />],
    [t('lastSeen'), <Moment key="last" at={of.last_seen_at} />],
    [t('optOut'), of.erased_at === null ? <CopyText key="out" text={of.opt_out_url} /> : ''],
    [t('suppressed'), of.suppressed_at === null ? '' : <Moment key="suppressed" at={of.suppressed_at} />],
    [t('restricted'), of.restricted_at === null ? '' : <Moment key="restricted" at={of.restricted_at} />],
  ]
  const Shown = open === undefined ? undefined : DIALOGS[open]
  return (
    <Panel title={`${t('one')} ${of.id}`} {...(of.erased_at === null && { text: t('masked') })}>
      {of.erased_at !== null && (
        <Alert color="gray" variant="light">
          {t('erased')} <Moment at={of.erased_at} />
        </Alert>
      )}
      <Facts of={facts.filter(([, value]) => value !== '')} />
      {of.erased_at === null && (
        <Group gap="xs">
          {(['export', 'rectify', 'restrict', 'erase'] as const).map((one) => (
            <Button
              key={one}
              size="compact-md"
              variant={one === 'erase' ? 'light' : 'default'}
              {...(one === 'erase' && { color: 'red' })}
              onClick={() => setOpen(one)}
            >
              {t(one === 'restrict' && of.restricted_at !== null ? 'unrestrict' : one)}
            </Button>
          ))}
        </Group>
      )}
      {Shown !== undefined && <Shown of={of} onClose={() => setOpen(undefined)} />}
    </Panel>
  )
}

type Row = { at: string; text: string; more: string }

function Held({ title, rows }: { title: string; rows: readonly Row[] }) {
  if (rows.length === 0) return null
  return (
    <Panel title={`${title} · ${rows.length}`}>
      <Stack gap={6} mah={320} style={{ overflowY: 'auto' }} tabIndex={0} role="group" aria-label={title}>
        {rows.map(({ at, text, more }, index) => (
          <Group key={index} gap="2px 12px" align="baseline">
            <Text fz={13} c="dimmed" miw={130}>
              <Moment at={at} />
            </Text>
            <Text fz={14} style={{ overflowWrap: 'anywhere' }}>
              {text} <span className="ohma-soft">{more}</span>
            </Text>
          </Group>
        ))}
      </Stack>
    </Panel>
  )
}
