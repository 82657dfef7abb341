import { Button } from '@mantine/core'
import { IconCheck, IconLock, IconUsers, IconX } from '@tabler/icons-react'
import { useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ACCESS_STATUSES, offerApi } from '#contract/offers/offer.ts'
import { accessColumns, type AccessRow } from '#web/features/offers/offer/detail/access-columns.tsx'
import { DecideAccess, useDecideAccess, type Refusal } from '#web/features/offers/offer/detail/decide-access.tsx'
import { choiceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { screenHref, useCan } from '#web/shell/access.ts'

type AccessListProps = {
  /** Whose entries they are. */
  of: { offer: string; affiliate?: never } | { affiliate: string; offer?: never }
  mayWrite: boolean
  title: string
  /** Why nobody is listed. */
  empty: string
  actions?: ReactNode
  exportName: string
}

/** Who asked for an offer, has it or lost it, or the same of one affiliate; staff decide one by one or for many. */
export function AccessList({ of, mayWrite, title, empty, actions, exportName }: AccessListProps) {
  const { t } = useTranslation('offer')
  const can = useCan()
  const other = of.offer === undefined ? 'offer' : 'affiliate'
  const decide = useDecideAccess()
  const [refusing, setRefusing] = useState<{ rows: readonly AccessRow[]; status: Refusal } | undefined>()
  const list = useList(offerApi.accessList, {
    name: `${other}-access`,
    columns: useMemo(() => accessColumns(t, other), [t, other]),
    rowKey: (row) => row[other].uuid,
    sort: { column: 'requested_at', direction: 'desc' },
    filters: {
      search: searchFilter(t(other === 'offer' ? 'access.searchOffer' : 'access.search')),
      status: choiceFilter(
        t('status'),
        ACCESS_STATUSES.map((value) => ({ value, label: t(`access.${value}`) })),
      ),
    },
    fixed: of.offer === undefined ? { affiliate_uuid: [of.affiliate] } : { offer_uuid: [of.offer] },
  })
  const done = () => list.select(new Set())
  const approve = async (rows: readonly AccessRow[]) => {
    await decide(rows, 'approved', '')
    done()
  }
  // an affiliate of somebody else has no name here and no page
  const hrefOf = (row: AccessRow) =>
    other === 'offer'
      ? screenHref('offerDetailDirect', { uuid: row.offer.uuid })
      : can('affiliate.write') && row.affiliate.name !== ''
        ? screenHref('affiliateEdit', { uuid: row.affiliate.uuid })
        : undefined
  return (
    <>
      <ListPage
        inner
        list={list}
        title={title}
        actions={actions}
        empty={{ icon: <IconUsers size={26} stroke={1.6} aria-hidden />, title: t('access.empty.title'), text: empty, action: actions }}
        rowHref={hrefOf}
        rowActions={(row) =>
          !mayWrite || !row.editable
            ? []
            : [
                ...(row.status === 'approved'
                  ? []
                  : [
                      {
                        id: 'access.approve',
                        label: t('access.approve'),
                        icon: <IconCheck size={16} aria-hidden />,
                        onClick: () => void approve([row]),
                      },
                    ]),
                ...(row.status === 'rejected'
                  ? []
                  : [
                      {
                        id: 'access.reject',
                        label: t('access.reject'),
                        icon: <IconX size={16} aria-hidden />,
                        danger: true,
                        onClick: () => setRefusing({ rows: [row], status: 'rejected' }),
                      },
                    ]),
                ...(row.status === 'blocked'
                  ? []
                  : [
                      {
                        id: 'access.block',
                        label: t('access.block'),
                        icon: <IconLock size={16} aria-hidden />,
                        danger: true,
                        onClick: () => setRefusing({ rows: [row], status: 'blocked' }),
                      },
                    ]),
              ]
        }
        bulkActions={
          mayWrite && (
            <>
              <Button size="compact-sm" variant="light" onClick={() => void approve(list.chosen())}>
                {t('access.approve')}
              </Button>
              <Button
                size="compact-sm"
                variant="light"
                color="red"
                onClick={() => setRefusing({ rows: list.chosen(), status: 'rejected' })}
              >
                {t('access.reject')}
              </Button>
            </>
          )
        }
        exportName={exportName}
      />
      {refusing && (
        <DecideAccess
          rows={refusing.rows}
          status={refusing.status}
          onClose={() => {
            setRefusing(undefined)
            done()
          }}
        />
      )}
    </>
  )
}
