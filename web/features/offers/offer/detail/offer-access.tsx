import { Button } from '@mantine/core'
import { IconCheck, IconLock, IconUserPlus, IconUsers, IconX } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ACCESS_STATUSES, offerApi } from '#contract/offers/offer.ts'
import { accessColumns, type AccessRow } from '#web/features/offers/offer/detail/access-columns.tsx'
import { AddAffiliates } from '#web/features/offers/offer/detail/add-affiliates.tsx'
import { DecideAccess, useDecideAccess, type Refusal } from '#web/features/offers/offer/detail/decide-access.tsx'
import type { OfferDetail } from '#web/features/offers/offer/form/offer-values.ts'
import { choiceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { useCan } from '#web/shell/access.ts'

/** Who asked for an offer, has it or lost it; staff decide one by one or for many. */
export function OfferAccess({ offer }: { offer: OfferDetail }) {
  const { t } = useTranslation('offer')
  const mayWrite = useCan()('offer.write') && offer.editable
  const decide = useDecideAccess()
  const [refusing, setRefusing] = useState<{ rows: readonly AccessRow[]; status: Refusal } | undefined>()
  const [adding, setAdding] = useState(false)
  const list = useList(offerApi.accessList, {
    name: 'offer-access',
    columns: useMemo(() => accessColumns(t), [t]),
    rowKey: (row) => row.affiliate.uuid,
    sort: { column: 'requested_at', direction: 'desc' },
    filters: {
      search: searchFilter(t('access.search')),
      status: choiceFilter(
        t('status'),
        ACCESS_STATUSES.map((value) => ({ value, label: t(`access.${value}`) })),
      ),
    },
    fixed: { offer_uuid: [offer.uuid] },
  })
  const done = () => list.select(new Set())
  const approve = async (rows: readonly AccessRow[]) => {
    await decide(rows, 'approved', '')
    done()
  }
  const add = mayWrite && (
    <Button variant="default" leftSection={<IconUserPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
      {t('access.add')}
    </Button>
  )
  return (
    <>
      <ListPage
        inner
        list={list}
        title={t('access.title')}
        actions={add}
        empty={{
          icon: <IconUsers size={26} stroke={1.6} aria-hidden />,
          title: t('access.empty.title'),
          text: t(`access.empty.${offer.privacy}`),
          action: add,
        }}
        rowHref={undefined}
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
        exportName={`offer-${offer.id}-access`}
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
      {adding && <AddAffiliates uuid={offer.uuid} onClose={() => setAdding(false)} />}
    </>
  )
}
