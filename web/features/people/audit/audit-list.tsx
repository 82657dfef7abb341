import { Text } from '@mantine/core'
import { IconArrowRight, IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useMemo } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import { auditApi, type AuditEntry } from '#contract/people/audit.ts'
import { query } from '#web/api/query.ts'
import { AuditPanel } from '#web/features/people/audit/audit-panel.tsx'
import classes from '#web/features/people/audit/audit.module.css'
import { actionName, changeText, changeWords, entityName } from '#web/features/people/audit/change-words.ts'
import { thingOf, whoOf } from '#web/features/people/audit/entry-words.ts'
import { UNKNOWN } from '#web/format.ts'
import { DAYS, daysToMoments, rawDaysFilter } from '#web/kit/list/days.ts'
import { choiceFilter, referenceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'
import { Moment } from '#web/kit/show/moment.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import type { Column } from '#web/kit/table/column.ts'
import { SettingsPage } from '#web/shell/settings-page.tsx'

/** /settings/personal: who changed what in the network, found by person, thing, action, text and day, and exported. */
export function AuditList() {
  const { t } = useTranslation('audit')
  const zone = useZone()
  const { open, hrefOf, show, close } = usePanelAddress('entry')
  const words = useQuery(query(auditApi.words, {})).data
  const list = useList(auditApi.list, {
    name: 'audit',
    columns: useAuditColumns(),
    rowKey: (row) => row.id,
    sort: { column: 'at', direction: 'desc' },
    live: true,
    loadedInOwnOrder: true,
    otherKeys: ['entry'],
    filters: {
      search: searchFilter(t('search')),
      [DAYS]: rawDaysFilter(t('at')),
      person_uuid: referenceFilter(t('person'), auditApi.people),
      entity: choiceFilter(
        t('entity'),
        byLabel(words?.entities, (value) => entityName(t, value)),
      ),
      action: choiceFilter(
        t('action'),
        byLabel(words?.actions, (value) => actionName(t, value)),
      ),
    },
    toBody: (body) => daysToMoments(body, zone),
  })
  const rows = list.rows ?? []
  return (
    <SettingsPage wide>
      <Text c="dimmed" fz={14} maw={760} mb="sm">
        {t('intro')}
      </Text>
      <ListPage
        inner
        list={list}
        title={t('title')}
        empty={{ icon: <IconHistory size={26} stroke={1.6} aria-hidden />, title: t('empty.title'), text: t('empty.text') }}
        rowHref={({ id }) => hrefOf(id)}
        rowActions={undefined}
        exportName="activity-log"
      />
      {open !== null && (
        <AuditPanel
          entry={rows.find(({ id }) => id === open)}
          loading={list.rows === undefined}
          open={open}
          among={rows.map(({ id }) => id)}
          onShow={show}
          onClose={close}
          onAll={({ entity, entity_id }) => list.go({ filters: { entity: [entity], search: [entity_id] } })}
        />
      )}
    </SettingsPage>
  )
}

/** A row tells what kind of change it was; all of it stands in the panel. */
function ChangeLine({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation('audit')
  const { hrefOf } = usePanelAddress('entry')
  const lines = changeWords(t, entry, useZone())
  if (lines.length === 0) return UNKNOWN
  return (
    <>
      <span className={`ohma-clip ${classes.short}`}>
        {lines.slice(0, 4).map(({ field, before, after }, index) => (
          // two fields may be called the same
          // oxlint-disable-next-line react/no-array-index-key
          <Fragment key={index}>
            {index > 0 && '; '}
            {field}: {shortened(before.join(', '))}
            {before.length > 0 && <IconArrowRight size={14} role="img" aria-label="→" style={{ margin: '0 4px', verticalAlign: -2 }} />}
            {shortened(after.join(', '))}
          </Fragment>
        ))}
      </span>
      {/* a card shows three lines; all of it stands in the panel */}
      <Link to={hrefOf(entry.id)} className={classes.all}>
        {t('showAll')}
      </Link>
    </>
  )
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

function byLabel(values: readonly string[] = [], label: (value: string) => string) {
  return values.map((value) => ({ value, label: label(value) })).toSorted((a, b) => a.label.localeCompare(b.label))
}

function useAuditColumns(): Column<AuditEntry>[] {
  const { t } = useTranslation('audit')
  const zone = useZone()
  return useMemo(
    () => [
      {
        id: 'at',
        header: t('at'),
        whole: true,
        card: 'field',
        sort: 'at',
        cell: (row) => <Moment at={row.at} log />,
        csv: (row) => row.at,
      },
      {
        id: 'actor',
        header: t('actor'),
        width: 190,
        card: 'field',
        cell: (row) => whoOf(t, row),
        csv: (row) => [whoOf(t, row), row.key].filter(Boolean).join(', '),
      },
      { id: 'action', header: t('action'), width: 170, card: 'field', cell: (row) => actionName(t, row.action), csv: (row) => row.action },
      { id: 'thing', header: t('thing'), width: 230, card: 'title', cell: (row) => thingOf(t, row), csv: (row) => thingOf(t, row) },
      {
        id: 'change',
        header: t('change'),
        width: 420,
        card: 'field',
        cell: (row) => <ChangeLine entry={row} />,
        csv: (row) => changeText(t, row, zone),
      },
      { id: 'address', header: t('address'), width: 130, cell: (row) => row.address || UNKNOWN, csv: (row) => row.address },
    ],
    [t, zone],
  )
}
