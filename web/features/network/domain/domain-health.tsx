import { Button, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { domainApi, type domainDetail } from '#contract/network/domain.ts'
import { useSave } from '#web/api/query.ts'
import { DomainChecks } from '#web/features/network/domain/domain-checks.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { notify } from '#web/notify.ts'

/** What the last look found, and a button to look now. */
export function DomainHealth({ of: domain }: { of: z.output<typeof domainDetail> }) {
  const { t } = useTranslation('domain')
  const check = useSave(domainApi.check, {
    invalidate: [domainApi.list, domainApi.get],
    onSuccess: ({ status }) =>
      status === 'failing' || status === 'pending' ? notify.error(t(`looked.${status}`)) : notify.success(t('looked.fine')),
  })
  return (
    <Panel
      title={t('health')}
      actions={
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconRefresh size={14} aria-hidden />}
          loading={check.isPending}
          onClick={() => check.mutate({ params: { uuid: domain.uuid } })}
        >
          {t('look')}
        </Button>
      }
    >
      {domain.checked_at !== null && (
        <Text fz={13} c="dimmed">
          {t('checked_at')}: <Moment at={domain.checked_at} />
          {domain.failing_since !== null && (
            <>
              {' · '}
              {t('failing_since')}: <Moment at={domain.failing_since} />
            </>
          )}
        </Text>
      )}
      <DomainChecks checks={domain.checks} pending={domain.verified_at === null} />
      {domain.certificate === 'acme' && domain.certificate_error !== '' && (
        <Text fz={13} c="red" style={{ overflowWrap: 'anywhere' }}>
          {t('certificateError', { error: domain.certificate_error })}
        </Text>
      )}
    </Panel>
  )
}
