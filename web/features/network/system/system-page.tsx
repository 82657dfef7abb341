import { Anchor, Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { systemApi, type SystemLine } from '#contract/network/system.ts'
import { query } from '#web/api/query.ts'
import { Backups } from '#web/features/network/system/backups.tsx'
import { LineList } from '#web/features/network/system/line-list.tsx'
import { MailTest } from '#web/features/network/system/mail-test.tsx'
import { ProcessTable } from '#web/features/network/system/process-table.tsx'
import { SelfCheck } from '#web/features/network/system/self-check.tsx'
import { StorageTable } from '#web/features/network/system/storage-table.tsx'
import { TONES, useLineName } from '#web/features/network/system/line-words.tsx'
import { Facts } from '#web/kit/page/facts.tsx'
import { PageColumns } from '#web/kit/page/page-columns.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { ScreenLink } from '#web/shell/screen-link.tsx'

type Status = CallOutput<typeof systemApi.read>

const GROUPS = {
  clicks: ['tracker', 'ingester', 'lag', 'last_click', 'statistics'],
  conversions: ['outbox', 'last_postback', 'deliveries'],
  mail: ['mail', 'jobs'],
  domains: ['domain'],
  storage: ['storage'],
  backup: ['backup', 'trial'],
  books: ['self_check'],
  versions: ['places'],
} as const satisfies Record<string, readonly SystemLine[]>

/** /test: how the instance itself is, line by line, and what to do where it is not well. Asked again every ten seconds. */
export function SystemPage() {
  const { t } = useTranslation('system')
  const found = useQuery({ ...query(systemApi.read, {}, { quiet: true }), refetchInterval: 10_000 })
  const status = found.data
  return (
    <>
      <PageHeader
        title={t('title')}
        status={status && <StatusBadge tone={TONES[status.state]} label={t(`state.${status.state}`)} />}
        facts={status ? [<Checked key="at" at={status.at} />, <Summary key="summary" of={status} />] : []}
        actions={
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden />}
            loading={found.isFetching && !found.isPending}
            onClick={() => void found.refetch()}
          >
            {t('refresh')}
          </Button>
        }
      />
      <QueryPage query={found} failed={t('failed')}>
        {(of) => <Parts of={of} />}
      </QueryPage>
    </>
  )
}

function Checked({ at }: { at: string }) {
  const { t } = useTranslation('system')
  return (
    <span>
      {t('checked')} <Moment at={at} />
    </span>
  )
}

/** What is not well, by name. */
function Summary({ of }: { of: Status }) {
  const { t } = useTranslation('system')
  const nameOf = useLineName()
  const wrong = of.lines.filter(({ state }) => state !== 'ok')
  return wrong.length === 0 ? t('allWell') : t('notWell', { which: wrong.map(nameOf).join(', ') })
}

function Parts({ of }: { of: Status }) {
  const { t } = useTranslation('system')
  const linesOf = (group: keyof typeof GROUPS) => of.lines.filter(({ id }) => (GROUPS[group] as readonly SystemLine[]).includes(id))
  return (
    <>
      <PageColumns>
        <Panel title={t('group.clicks')}>
          <LineList lines={linesOf('clicks')} />
        </Panel>
        <Panel title={t('group.conversions')}>
          <LineList lines={linesOf('conversions')} />
        </Panel>
      </PageColumns>
      <PageColumns>
        <Panel title={t('group.books')} text={t('books.text')}>
          <LineList lines={linesOf('books')} />
          <SelfCheck runs={of.runs} />
        </Panel>
        <Panel title={t('group.mail')}>
          <LineList lines={linesOf('mail')} />
          <MailTest />
        </Panel>
      </PageColumns>
      <PageColumns>
        <Panel title={t('group.storage')}>
          <LineList lines={linesOf('storage')} />
          <StorageTable storage={of.storage} />
        </Panel>
        <Panel title={t('group.backup')}>
          <LineList lines={linesOf('backup')} />
          <Backups of={of} />
        </Panel>
      </PageColumns>
      {linesOf('domains').length > 0 && (
        <Panel
          title={t('group.domains')}
          actions={
            <Anchor component={ScreenLink} to="settingsDomains">
              {t('domain.settings')}
            </Anchor>
          }
        >
          <LineList lines={linesOf('domains')} />
        </Panel>
      )}
      <PageColumns>
        <Panel title={t('group.processes')}>
          <ProcessTable processes={of.processes} />
        </Panel>
        <Panel title={t('group.versions')}>
          <LineList lines={linesOf('versions')} />
          <Facts of={of.versions.map(({ part, version }) => [t(`version.${part}`), version || '–'])} />
        </Panel>
      </PageColumns>
    </>
  )
}
