import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { secondFactorApi } from '#contract/people/second-factor.ts'
import { PersonAddresses } from '#web/features/people/security/person-addresses.tsx'
import { PersonKeys } from '#web/features/people/security/person-keys.tsx'
import { SignInList } from '#web/shell/security/sign-in-list.tsx'
import { query, useSave } from '#web/api/query.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { notify } from '#web/notify.ts'

/** How somebody else signs in, and what staff may do for them when they cannot. */
export function PersonSecurity({ uuid, name, staff }: { uuid: string; name: string; staff: boolean }) {
  const { t } = useTranslation('security')
  return (
    <Stack maw={820}>
      <PersonFactor uuid={uuid} name={name} />
      <PersonKeys uuid={uuid} name={name} />
      {staff && <PersonAddresses uuid={uuid} />}
      <Panel title={t('history.title')}>
        <SignInList of={uuid} />
      </Panel>
    </Stack>
  )
}

function PersonFactor({ uuid, name }: { uuid: string; name: string }) {
  const { t } = useTranslation('security')
  const { data, error, refetch } = useQuery(query(secondFactorApi.of, { params: { uuid } }))
  const reset = useSave(secondFactorApi.reset, {
    invalidate: [secondFactorApi.of],
    onSuccess: () => notify.success(t('person.resetDone')),
  })
  const ask = async () => {
    const agreed = await confirm({
      title: t('person.resetTitle', { name }),
      text: t('person.resetText'),
      action: t('person.reset'),
      danger: true,
    })
    if (agreed) reset.mutate({ params: { uuid } })
  }
  return (
    <Panel title={t('factor.title')}>
      {error && <ErrorState what={t('person.failed')} error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={80} />}
      {data && !data.on && <Text c="dimmed">{t('person.none', { name })}</Text>}
      {data?.on && (
        <Stack gap="sm" align="flex-start">
          <StatusBadge tone="good" label={t('factor.on')} />
          <Text c="dimmed">
            {t('factor.since')} <Moment at={data.since} /> · {t('factor.codesLeft', { count: data.recovery_codes_left })}
          </Text>
          <Button variant="default" c="var(--ohma-bad)" loading={reset.isPending} onClick={() => void ask()}>
            {t('person.reset')}
          </Button>
        </Stack>
      )}
    </Panel>
  )
}
