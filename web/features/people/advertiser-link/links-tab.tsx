import { Alert, Button, Group, Paper, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { advertiserLinkApi } from '#contract/people/advertiser-link.ts'
import { query, useSave } from '#web/api/query.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { CopyField } from '#web/kit/show/copy-field.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { Until } from '#web/kit/show/until.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import type english from './advertiser-link.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    advertiserLink: typeof english
  }
}

const DAYS = ['30', '90', '180', '366'] as const
const TONES = { open: 'good', expired: 'muted', revoked: 'muted' } as const

/** Makes and ends links by which an advertiser sees results of the own offers. */
export function LinksTab({ advertiser }: { advertiser: string }) {
  const { t } = useTranslation('advertiserLink')
  const [made, setMade] = useState<string>()
  const [round, setRound] = useState(0)
  return (
    <Paper withBorder p="lg" maw={1080}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('text')}
        </Text>
        <MakeForm key={round} advertiser={advertiser} onMade={(link) => (setMade(link), setRound(round + 1))} />
        {made !== undefined && (
          <Alert role="status" variant="light" p="sm">
            {t('made')}
            <CopyField label={t('link')} text={made} />
          </Alert>
        )}
        <Links advertiser={advertiser} />
      </Stack>
    </Paper>
  )
}

function MakeForm({ advertiser, onMade }: { advertiser: string; onMade: (link: string) => void }) {
  const { t } = useTranslation('advertiserLink')
  const form = useSaveForm({
    endpoint: advertiserLinkApi.create,
    initial: { name: '', days: '90' },
    toInput: ({ name, days }) => ({ body: { advertiser_uuid: advertiser, name, days: Number(days) } }),
    invalidate: [advertiserLinkApi.list],
    savedText: '',
    onSaved: ({ link }) => onMade(link),
  })
  return (
    <form onSubmit={form.submit} noValidate aria-label={t('make')}>
      <Group align="end" gap="sm">
        <TextField of={form} name="name" label={t('name')} required />
        <SelectField
          of={form}
          name="days"
          label={t('days')}
          options={DAYS.map((value) => ({ value, label: t(`days.${value}`) }))}
          required
        />
        <Button type="submit" loading={form.saving}>
          {t('make')}
        </Button>
      </Group>
    </form>
  )
}

function Links({ advertiser }: { advertiser: string }) {
  const { t } = useTranslation('advertiserLink')
  const found = useQuery(query(advertiserLinkApi.list, { body: { advertiser_uuid: advertiser } }))
  const revoke = useSave(advertiserLinkApi.revoke, { invalidate: [advertiserLinkApi.list] })
  if (found.isError) return <ErrorState what={t('failed')} error={found.error} onRetry={() => void found.refetch()} />
  if (found.data === undefined) return <Skeleton height={60} />
  if (found.data.list.length === 0) return <Text c="dimmed">{t('none')}</Text>
  const ask = async (uuid: string, name: string) => {
    const sure = await confirm({ title: t('revoke.title', { name }), text: t('revoke.text'), action: t('revoke'), danger: true })
    if (sure) revoke.mutate({ params: { uuid } })
  }
  return (
    <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
      {found.data.list.map(({ uuid, name, by, expires_at, last_opened_at, state }) => (
        <Group component="li" key={uuid} justify="space-between" gap="sm">
          <div>
            <Group gap={8}>
              <Text fw={600}>{name}</Text>
              <StatusBadge tone={TONES[state]} label={t(`state.${state}`)} />
            </Group>
            <Text size="sm" c="dimmed">
              {by !== '' && `${by} · `}
              {t('until')} <Until at={expires_at} /> · {last_opened_at === null ? t('neverOpened') : t('lastOpened')}{' '}
              {last_opened_at !== null && <Moment at={last_opened_at} />}
            </Text>
          </div>
          {state === 'open' && (
            <Button variant="default" size="compact-md" aria-label={`${t('revoke')}: ${name}`} onClick={() => void ask(uuid, name)}>
              {t('revoke')}
            </Button>
          )}
        </Group>
      ))}
    </Stack>
  )
}
