import { Anchor, Button, Stack } from '@mantine/core'
import { Fragment } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import type { z } from 'zod'
import { affiliateApi, type affiliateDetail } from '#contract/people/affiliate.ts'
import { useConstants } from '#web/api/constants.ts'
import { UNKNOWN } from '#web/format.ts'
import { AffiliateEdit } from '#web/features/people/affiliate/affiliate-form.tsx'
import { AFFILIATE_STATUS, useAffiliateActions } from '#web/features/people/affiliate/affiliate-list.tsx'
import { DetailPage } from '#web/kit/page/detail-page.tsx'
import { Facts } from '#web/kit/page/facts.tsx'
import { PageActions } from '#web/kit/table/page-actions.tsx'
import { PageColumns } from '#web/kit/page/page-columns.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { UrlTabs, type UrlTab } from '#web/kit/page/url-tabs.tsx'
import { ContactLinks } from '#web/kit/show/contact-links.tsx'
import { Country } from '#web/kit/show/country.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { TagList } from '#web/kit/show/tag-list.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { useCan } from '#web/shell/access.ts'
import { Performance } from '#web/performance/performance.tsx'

type Affiliate = z.output<typeof affiliateDetail>

/** One affiliate: who it is, how it is doing, and what can be changed; `more` are the tabs of other features. */
export function AffiliateDetail({ more }: { more: (affiliate: Affiliate) => UrlTab[] }) {
  const { t } = useTranslation('affiliate')
  return (
    <DetailPage screen="affiliateEdit" endpoint={affiliateApi.get} failed={t('failed')} uuidOf={({ uuid }) => uuid}>
      {(affiliate) => (
        <>
          <Header affiliate={affiliate} />
          <UrlTabs
            label={affiliate.name}
            tabs={[
              { id: 'overview', label: t('tab.overview'), content: <Overview affiliate={affiliate} /> },
              { id: 'edit', label: t('edit'), content: <AffiliateEdit affiliate={affiliate} /> },
              ...more(affiliate),
            ]}
          />
        </>
      )}
    </DetailPage>
  )
}

/** An address somebody named, in a tab of its own that learns nothing of the panel. */
function WebLink({ to }: { to: string }) {
  return (
    <Anchor href={/^https?:\/\//i.test(to) ? to : undefined} target="_blank" rel="noopener noreferrer nofollow">
      {to.replace(/^https?:\/\//i, '')}
    </Anchor>
  )
}

function Header({ affiliate }: { affiliate: Affiliate }) {
  const { t } = useTranslation('affiliate')
  const { actionsFor, dialog } = useAffiliateActions()
  const held = affiliate.balance.filter(({ available }) => !/^-?0(\.0*)?$/.test(available))
  const available = held.length > 0 ? held : [{ currency: affiliate.currency, available: '0' }]
  return (
    <>
      <PageHeader
        title={affiliate.name}
        id={affiliate.id}
        status={<Status of={AFFILIATE_STATUS} value={affiliate.status} />}
        facts={[
          affiliate.manager?.name ?? t('noManager'),
          ...(affiliate.country ? [<Country key="country" code={affiliate.country} />] : []),
          <span key="login">
            {t('last_login_at')}: <Moment at={affiliate.last_login_at} />
          </span>,
          <span key="balance">
            {t('available')}:{' '}
            {available.map((one, at) => (
              <Fragment key={one.currency}>
                {at > 0 && ', '}
                <Money amount={one.available} currency={one.currency} />
              </Fragment>
            ))}
          </span>,
          <ContactLinks key="contacts" contacts={{ ...affiliate.contacts, email: affiliate.email }} />,
        ]}
        actions={<PageActions primary={affiliate.status === 'moderation' ? 'approve' : 'actAs'} actions={actionsFor(affiliate)} />}
      />
      {dialog}
    </>
  )
}

function Overview({ affiliate }: { affiliate: Affiliate }) {
  const { t } = useTranslation('affiliate')
  const { traffic, verticals } = useConstants()
  const readsOffers = useCan()('offer.read')
  const labels = (values: readonly string[], known: readonly { value: string; label: string }[]) =>
    values.map((value) => known.find((one) => one.value === value)?.label ?? value).join(', ') || UNKNOWN
  return (
    <Stack>
      <Performance
        of={{ is: 'affiliate', uuid: affiliate.uuid }}
        next={
          readsOffers && (
            <Button component={Link} to="?tab=offers" variant="default">
              {t('toOffers')}
            </Button>
          )
        }
      />
      <PageColumns>
        <Panel title={t('section.account')}>
          <Facts
            of={[
              ...affiliate.balance.map(
                ({ currency, available, hold }) =>
                  [
                    t('balanceIn', { currency }),
                    <span key={currency}>
                      <Money amount={available} currency={currency} /> · {t('hold')}: <Money amount={hold} currency={currency} />
                    </span>,
                  ] as const,
              ),
              [t('currency'), affiliate.currency],
              [t('time_zone'), affiliate.time_zone.replaceAll('_', ' ')],
              [t('company'), affiliate.company || UNKNOWN],
              [t('website'), affiliate.website === '' ? UNKNOWN : <WebLink key="website" to={affiliate.website} />],
              [t('phone'), affiliate.phone || UNKNOWN],
              [t('created_at'), <Moment key="created" at={affiliate.created_at} />],
              [t('tags'), affiliate.tags.length > 0 ? <TagList key="tags" tags={affiliate.tags} /> : UNKNOWN],
              [t('notes'), affiliate.notes || UNKNOWN],
            ]}
          />
        </Panel>
        <Panel title={t('section.traffic')}>
          <Facts
            of={[
              [t('trafficSources'), labels(affiliate.traffic_sources, traffic)],
              [t('verticals'), labels(affiliate.verticals, verticals)],
              [t('geos'), affiliate.geos.length > 0 ? affiliate.geos.map((code) => <Country key={code} code={code} />) : UNKNOWN],
            ]}
          />
        </Panel>
      </PageColumns>
    </Stack>
  )
}
