import { Button } from '@mantine/core'
import { IconEye, IconPlus, IconWand } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useSearchParams } from 'react-router'
import { COLD_RULE_STATUSES, coldRuleApi, type ColdRuleNames, type ColdRuleRow } from '#contract/leads/cold-rule.ts'
import { ColdRuleCreate, ColdRuleEdit } from '#web/features/leads/cold-rule/cold-rule-form.tsx'
import { RulePanel } from '#web/features/leads/cold-rule/rule-panel.tsx'
import { COLD_RULE_STATUS } from '#web/features/leads/cold-rule/rule-status.ts'
import { RuleSwitch } from '#web/features/leads/cold-rule/rule-switch.tsx'
import { actionWords, audienceWords, skippedOf, skippedWords, triggerWords } from '#web/features/leads/cold-rule/rule-words.ts'
import { useRuleActions } from '#web/features/leads/cold-rule/use-rule-actions.tsx'
import { integer, UNKNOWN } from '#web/format.ts'
import { column, count, idColumn, moment, reference, status, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'
import { Moment } from '#web/kit/show/moment.tsx'
import { useCan } from '#web/shell/access.ts'
import { ScreenTabs } from '#web/shell/screen-tabs.tsx'

type Row = ColdRuleRow & { names: ColdRuleNames }

const COLUMNS: Columns<Row, 'coldRule'> = [
  idColumn(),
  text<'title', 'rule_title'>('title', { sort: true, width: 160, card: 'title', header: 'rule_title' }),
  status(COLD_RULE_STATUS, { sort: true }),
  column<Row, 'on'>('on', { whole: true, card: 'foot', cell: (row) => <RuleSwitch of={row} />, csv: null }),
  column<Row, 'trigger'>('trigger', {
    width: 130,
    card: 'field',
    cell: ({ settings }, t) => <span title={triggerWords(settings.trigger, t)}>{triggerWords(settings.trigger, t)}</span>,
    csv: ({ settings }, t) => triggerWords(settings.trigger, t),
  }),
  column<Row, 'audience'>('audience', {
    width: 180,
    card: 'field',
    cell: ({ settings, names }, t) => (
      <span title={audienceWords(settings.audience, names, t)}>{audienceWords(settings.audience, names, t)}</span>
    ),
    csv: ({ settings, names }, t) => audienceWords(settings.audience, names, t),
  }),
  column<Row, 'action'>('action', {
    width: 140,
    cell: ({ settings, names }, t) => <span title={actionWords(settings, names, t)}>{actionWords(settings, names, t)}</span>,
    csv: ({ settings, names }, t) => actionWords(settings, names, t),
  }),
  column<Row, 'last_run'>('last_run', {
    width: 150,
    hint: true,
    card: 'field',
    cell: ({ last_run: run }, t) =>
      run === null ? (
        UNKNOWN
      ) : (
        <span title={run.error === '' ? skippedWords(run.skipped, t) : t(`error.${run.error}`)}>
          {run.error === ''
            ? t('last.words', { matched: integer(run.matched), queued: integer(run.queued), skipped: integer(skippedOf(run.skipped)) })
            : t(`error.${run.error}`)}
          {' · '}
          <Moment at={run.at} />
        </span>
      ),
    csv: ({ last_run: run }) => (run === null ? '' : `${run.at} ${run.matched}/${run.queued}/${skippedOf(run.skipped)} ${run.error}`),
  }),
  moment('next_run_at', { sort: true }),
  column<Row, 'week'>('week', {
    width: 90,
    hint: true,
    card: 'field',
    cell: ({ week }) => `${integer(week.queued)} · ${integer(week.sent)} · ${integer(week.accepted)}`,
    csv: ({ week }) => `${week.queued}/${week.sent}/${week.accepted}`,
  }),
  count('waiting', { hidden: true, hint: true }),
  column<Row, 'priority'>('priority', {
    numeric: true,
    sort: true,
    hidden: true,
    cell: ({ settings }) => integer(settings.priority),
    csv: ({ settings }) => settings.priority,
  }),
  reference('owner', { hidden: true, width: 140 }),
  moment('created_at', { sort: true, hidden: true }),
]

/** /cold-api/rules: rules for a second sale; with `?create` or `?edit=` the form of one, with `?rule=` one over the list. */
export function ColdRules() {
  const [search, setSearch] = useSearchParams()
  const can = useCan()
  const edited = search.get('edit')
  const show = (uuid: string) => setSearch({ rule: uuid })
  if (can('cold.write') && search.has('create')) return <ColdRuleCreate onClose={() => setSearch({})} onSaved={show} />
  if (can('cold.write') && edited !== null) return <ColdRuleEdit uuid={edited} onClose={() => show(edited)} onSaved={show} />
  return <RuleTable onCreate={() => setSearch({ create: '' })} onEdit={(edit) => setSearch({ edit })} />
}

function RuleTable({ onCreate, onEdit }: { onCreate: () => void; onEdit: (uuid: string) => void }) {
  const { t } = useTranslation('coldRule')
  const can = useCan()
  const { actionsFor } = useRuleActions(onEdit)
  const { open, hrefOf, show, close } = usePanelAddress('rule')
  const create = can('cold.write') && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onCreate}>
      {t('create')}
    </Button>
  )
  const list = useList(coldRuleApi.list, {
    name: 'cold-rule',
    columns: useColumns('coldRule', COLUMNS),
    rowKey: ({ uuid }) => uuid,
    sort: { column: 'id', direction: 'desc' },
    filters: {
      search: searchFilter(t('search')),
      status: choiceFilter(
        t('status'),
        COLD_RULE_STATUSES.map((value) => ({ value, label: t(`status.${value}`) })),
      ),
    },
    leftOut: { status: 'archived' },
    otherKeys: ['rule'],
    live: true,
  })
  return (
    <>
      <PageHeader title={t('section')} tabs={<ScreenTabs below="/cold-api" label={t('section')} />} />
      <ListPage
        inner
        list={list}
        title={t('title')}
        actions={create}
        empty={{
          icon: <IconWand size={26} stroke={1.6} aria-hidden />,
          title: t('empty.title'),
          text: t('empty.text'),
          action: create,
        }}
        rowHref={({ uuid }) => hrefOf(uuid)}
        rowActions={(row) => [
          { id: 'open', label: t('open'), icon: <IconEye size={16} aria-hidden />, onClick: () => show(row.uuid) },
          ...actionsFor(row),
        ]}
        exportName="cold-rules"
      />
      {open !== null && <RulePanel uuid={open} among={list.rows ?? []} actionsFor={actionsFor} onShow={show} onClose={close} />}
    </>
  )
}
