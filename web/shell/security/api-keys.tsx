import { Alert, Button, Checkbox, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { apiKeyApi } from '#contract/people/api-key.ts'
import { query, useSave } from '#web/api/query.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { CopyField } from '#web/kit/show/copy-field.tsx'
import { notify } from '#web/notify.ts'
import { CallHelp } from './call-help.tsx'
import { KeyForm } from './key-form.tsx'
import { KeyList } from './key-list.tsx'

/** The own API keys: those there are, a new one, and how to call with it. `onBusy` hears whether a key is shown that will not be again. */
export function ApiKeys({ email, onBusy }: { email: string; onBusy?: (busy: boolean) => void }) {
  const { t } = useTranslation('security')
  const { data, error, refetch } = useQuery(query(apiKeyApi.own, {}))
  const [making, setMaking] = useState(false)
  const [made, setMade] = useState<string>()
  const revoke = useSave(apiKeyApi.revoke, { invalidate: [apiKeyApi.own], onSuccess: () => notify.success(t('keys.revoked')) })
  const show = (key: string | undefined) => {
    setMade(key)
    setMaking(false)
    onBusy?.(key !== undefined)
  }
  if (error) return <ErrorState what={t('keys.failed')} error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={96} />
  if (made !== undefined) return <MadeKey value={made} onKept={() => show(undefined)} />
  if (making) {
    return (
      <KeyForm
        email={email}
        offered={data.offered}
        secondFactor={data.second_factor}
        onMade={({ key }) => show(key)}
        onCancel={() => setMaking(false)}
      />
    )
  }
  return (
    <Stack gap="md" align="stretch">
      <Text c="dimmed">{t('keys.about')}</Text>
      <KeyList
        keys={data.list}
        empty={t('keys.none')}
        busy={revoke.isPending ? revoke.variables.params.uuid : undefined}
        onRevoke={(uuid) => revoke.mutate({ params: { uuid } })}
      />
      <Button onClick={() => setMaking(true)} style={{ alignSelf: 'flex-start' }}>
        {t('keys.make')}
      </Button>
      {data.list.length > 0 && <CallHelp />}
    </Stack>
  )
}

/** A key, shown this once: who says that it is kept goes on. */
function MadeKey({ value, onKept }: { value: string; onKept: () => void }) {
  const { t } = useTranslation('security')
  const [kept, setKept] = useState(false)
  return (
    <Stack gap="md">
      <Alert variant="light" color="yellow" p="sm" role="status">
        {t('keys.once')}
      </Alert>
      <CopyField label={t('keys.key')} text={value} onCopied={() => setKept(true)} />
      <CallHelp apiKey={value} />
      <Checkbox label={t('keys.kept')} checked={kept} onChange={(event) => setKept(event.currentTarget.checked)} />
      <Button onClick={onKept} disabled={!kept} style={{ alignSelf: 'flex-end' }}>
        {t('codes.done')}
      </Button>
    </Stack>
  )
}
