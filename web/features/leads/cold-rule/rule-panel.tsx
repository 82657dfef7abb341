import { Alert, Button, Group, Stack, Tabs } from '@mantine/core'
import { IconFlask } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { coldRuleApi, type ColdRuleDetail, type ColdRuleRow } from '#contract/leads/cold-rule.ts'
import { query, useSave } from '#web/api/query.ts'
import { Counted } from '#web/features/leads/cold-rule/counted.tsx'
import { RULES_CHANGED } from '#web/features/leads/cold-rule/rules-changed.ts'
import { COLD_RULE_STATUS } from '#web/features/leads/cold-rule/rule-status.ts'
import { actionWords, audienceWords, triggerWords } from '#web/features/leads/cold-rule/rule-words.ts'
import { RunLog } from '#web/features/leads/cold-rule/run-log.tsx'
import { isCurrent } from '#web/features/leads/cold-rule/use-rule-actions.tsx'
import type { RuleState } from '#web/features/leads/cold-rule/use-rule-turn.ts'
import { VersionList } from '#web/features/leads/cold-rule/version-list.tsx'
import { integer } from '#web/format.ts'
import { Facts } from '#web/kit/page/facts.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { SidePanel } from '#web/kit/page/side-panel.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { wordsOf } from '#web/kit/status/status-look.ts'
import type { RowAction } from '#web/kit/table/column.ts'
import { useCan } from '#web/shell/access.ts'

type PanelProps = {
  uuid: string
  among: readonly ColdRuleRow[]
  actionsFor: (rule: RuleState) => RowAction[]
  onShow: (uuid: string) => void
  onClose: () => void
}

/** One rule: what it does, its dry run, what it has done, and what was changed. */
export function RulePanel({ uuid, among, actionsFor, onShow, onClose }: PanelProps) {
  const { t } = useTranslation('coldRule')
  const found = useQuery(query(coldRuleApi.get, { params: { uuid } }, { quiet: true }))
  const title = found.data?.title ?? among.find((one) => one.uuid === uuid)?.title ?? t('one')
  return (
    <SidePanel size={860} title={title} open={uuid} among={among.map((one) => one.uuid)} onShow={onShow} onClose={onClose}>
      <QueryPage query={found} failed={t('failed')}>
        {(rule) => <Rule key={rule.uuid} of={rule} actions={actionsFor(rule)} />}
      </QueryPage>
    </SidePanel>
  )
}

function Rule({ of, actions }: { of: ColdRuleDetail; actions: readonly RowAction[] }) {
  const { t } = useTranslation('coldRule')
  const can = useCan()
  return (
    <Stack gap="lg" miw={0}>
      <Standing of={of} />
      {actions.length > 0 && (
        <Group gap="xs">
          {actions.map(({ id, label, icon, danger, disabled, onClick }) => (
            <Button
              key={id}
              size="compact-md"
              variant={id === 'activate' ? 'filled' : 'default'}
              {...(danger === true && { color: 'red', variant: 'light' })}
              disabled={disabled === true}
              leftSection={icon}
              onClick={onClick}
            >
              {label}
            </Button>
          ))}
        </Group>
      )}
      <Tabs defaultValue={of.live_number === null || !isCurrent(of) ? 'dry' : 'runs'} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="runs">{t('runs')}</Tabs.Tab>
          {can('cold.write') && of.status !== 'archived' && <Tabs.Tab value="dry">{t('dryRun')}</Tabs.Tab>}
          <Tabs.Tab value="versions">{t('versions')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="runs">
          <RunLog uuid={of.uuid} />
        </Tabs.Panel>
        <Tabs.Panel value="dry">
          <DryRun of={of} />
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <VersionList of={of} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}

function Standing({ of }: { of: ColdRuleDetail }) {
  const { t } = useTranslation('coldRule')
  const words = wordsOf(t)
  const { settings, names, week } = of
  return (
    <Stack gap="sm" miw={0}>
      <Group gap={10}>
        <StatusBadge tone={COLD_RULE_STATUS.tones[of.status]} label={t(`status.${of.status}`)} />
        {of.live_number !== null && <span className="ohma-soft">{t('version.inForce', { number: of.live_number })}</span>}
      </Group>
      {of.status === 'paused' && of.pause_reason !== '' && (
        <Alert color={of.pause_reason === 'failing' ? 'var(--ohma-bad)' : 'var(--ohma-waiting)'}>
          {t(`pause_reason.${of.pause_reason}`)}
        </Alert>
      )}
      {of.status !== 'archived' && !isCurrent(of) && (
        <Alert color="var(--ohma-waiting)">{t(of.tried ? 'version.tried' : 'version.untried', { number: of.number })}</Alert>
      )}
      <Facts
        of={[
          [t('step.when'), triggerWords(settings.trigger, words)],
          [t('step.who'), audienceWords(settings.audience, names, words)],
          [t('step.then'), actionWords(settings, names, words)],
          [
            t('limitsShort'),
            t('limitsWords', { run: integer(settings.per_run), day: integer(settings.per_day), days: integer(settings.within_days) }),
          ],
          [
            t('next_run_at'),
            of.next_run_at === null ? t(of.status === 'active' ? 'never' : 'notYet') : <Moment key="next" at={of.next_run_at} />,
          ],
          [t('week'), t('week.words', { queued: integer(week.queued), sent: integer(week.sent), accepted: integer(week.accepted) })],
        ]}
      />
    </Stack>
  )
}

/** Counts and logs whom the latest version would take: without it nothing is started. */
function DryRun({ of }: { of: ColdRuleDetail }) {
  const { t } = useTranslation('coldRule')
  const trying = useSave(coldRuleApi.dryRun, { invalidate: RULES_CHANGED })
  return (
    <Stack gap="md" miw={0}>
      <p className="ohma-soft">{t('dryRun.text', { number: of.number })}</p>
      <div>
        <Button
          leftSection={<IconFlask size={16} aria-hidden />}
          loading={trying.isPending}
          onClick={() => trying.mutate({ params: { uuid: of.uuid } })}
        >
          {t('dryRun.action', { number: of.number })}
        </Button>
      </div>
      {trying.data !== undefined && <Counted of={trying.data} by={of.settings.trigger.kind} />}
    </Stack>
  )
}
