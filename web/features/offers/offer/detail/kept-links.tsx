import { Anchor, Button, CloseButton, Group, Skeleton, Stack } from '@mantine/core'
import { IconArchive } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { keptLinkApi } from '#contract/offers/kept-link.ts'
import { query, useSave } from '#web/api/query.ts'
import { KeepLinks } from '#web/features/offers/offer/detail/keep-links.tsx'
import type { OfferDetail } from '#web/features/offers/offer/form/offer-values.ts'
import classes from '#web/features/offers/offer/detail/kept-links.module.css'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { Pager } from '#web/kit/list/pager.tsx'
import { SearchBox } from '#web/kit/list/search-box.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { screenHref } from '#web/shell/access.ts'

const PAGE = 5

/** The addresses of another tracker that lead to the offer, and the way to keep more. */
export function KeptLinks({ offer }: { offer: OfferDetail }) {
  const { t } = useTranslation('offer')
  const [keeping, setKeeping] = useState(false)
  const [{ page, search }, setAsked] = useState({ page: 1, search: '' })
  const setPage = (next: number) => setAsked({ page: next, search })
  const asked = { body: { offer_uuid: offer.uuid, count: PAGE, page, search } }
  const found = useQuery({ ...query(keptLinkApi.list, asked, { quiet: true }), placeholderData: keepPreviousData })
  const drop = useSave(keptLinkApi.drop, { invalidate: [keptLinkApi.list] })
  const ask = async (code: string, path: string) => {
    const sure = await confirm({
      title: t('kept.dropTitle'),
      text: (
        <>
          <code className={classes.path}>{path}</code>
          <br />
          {t('kept.dropText')}
        </>
      ),
      action: t('kept.dropAction'),
      danger: true,
    })
    // the last one of the last page takes the page along
    if (sure)
      drop.mutate({ body: { codes: [code] } }, { onSuccess: () => setPage(found.data?.list.length === 1 ? Math.max(1, page - 1) : page) })
  }
  const rows = found.data?.summary.rows ?? 0
  return (
    <Stack gap={10}>
      <h3>{t('kept.title')}</h3>
      <p className="ohma-soft">{t('kept.text')}</p>
      {found.isError && <ErrorState what={t('kept.failed')} error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <Skeleton height={36} />}
      {(rows > PAGE || search !== '') && (
        <SearchBox label={t('kept.search')} value={search} onSearch={(text) => setAsked({ page: 1, search: text })} />
      )}
      {found.isSuccess && rows === 0 && search !== '' && <p className="ohma-soft">{t('kept.nothing')}</p>}
      {rows > 0 && (
        <ul className={classes.list} aria-label={t('kept.title')}>
          {found.data?.list.map(({ code, path, affiliate, access, created_at }) => (
            <li key={code}>
              <div>
                <code className={classes.path}>{path}</code>
                <div className={classes.whose}>
                  <Anchor component={Link} to={screenHref('affiliateEdit', { uuid: affiliate.uuid })} size="sm">
                    {affiliate.name} · {affiliate.id}
                  </Anchor>
                  {!access && <StatusBadge tone="waiting" label={t('kept.noAccess')} />}
                  <span className="ohma-soft">
                    <Moment at={created_at} />
                  </span>
                </div>
              </div>
              <CloseButton
                size="lg"
                aria-label={`${t('kept.dropAction')}: ${path}`}
                disabled={drop.isPending && drop.variables.body.codes.includes(code)}
                onClick={() => void ask(code, path)}
              />
            </li>
          ))}
        </ul>
      )}
      {rows > PAGE && <Pager page={page} count={PAGE} rows={rows} onPage={setPage} />}
      <Group>
        <Button variant="default" leftSection={<IconArchive size={16} aria-hidden />} onClick={() => setKeeping(true)}>
          {t('kept.add')}
        </Button>
      </Group>
      {keeping && <KeepLinks offer={offer} onClose={() => setKeeping(false)} />}
    </Stack>
  )
}
