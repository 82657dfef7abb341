import { IconSignature } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { legalApi, LEGAL_KINDS } from '#contract/network/legal.ts'
import { LANGUAGES } from '#web/i18n/language.ts'
import { choice, column, moment, reference, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { screenHref } from '#web/shell/access.ts'

type Acceptance = z.output<typeof legalApi.acceptances.response>['list'][number]

const COLUMNS: Columns<Acceptance, 'legalSettings'> = [
  reference('affiliate', { card: 'title', width: 200 }),
  choice('kind', LEGAL_KINDS, { card: 'field' }),
  column<Acceptance, 'language'>('language', {
    cell: ({ language }) => LANGUAGES.find(({ value }) => value === language)?.label ?? language,
    csv: ({ language }) => language,
  }),
  column<Acceptance, 'number'>('number', {
    numeric: true,
    cell: ({ version }) => version,
    csv: ({ version }) => String(version),
    card: 'field',
  }),
  moment('accepted_at', { sort: true, card: 'field' }),
  text('address'),
]

/** Who accepted which version of which text, when, and from which address. */
export function AcceptanceList() {
  const { t } = useTranslation('legalSettings')
  const list = useList(legalApi.acceptances, {
    name: 'acceptance',
    columns: useColumns('legalSettings', COLUMNS),
    rowKey: ({ id }) => String(id),
    sort: { column: 'accepted_at', direction: 'desc' },
    filters: {
      search: searchFilter(t('search')),
      kind: choiceFilter(
        t('kind'),
        LEGAL_KINDS.map((value) => ({ value, label: t(`kind.${value}`) })),
      ),
    },
  })
  return (
    <ListPage
      list={list}
      title={t('acceptances')}
      inner
      empty={{ icon: <IconSignature size={26} stroke={1.6} aria-hidden />, title: t('acceptances.none'), text: t('acceptances.noneText') }}
      rowHref={({ affiliate }) => `${screenHref('affiliateEdit', { uuid: affiliate.uuid })}?tab=application`}
      rowActions={undefined}
      exportName="legal-acceptances"
    />
  )
}
