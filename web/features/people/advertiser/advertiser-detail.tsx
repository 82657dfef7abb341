import { Alert, Anchor, Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import type { z } from 'zod'
import { advertiserApi, type advertiserDetail } from '#contract/people/advertiser.ts'
import { UNKNOWN } from '#web/format.ts'
import { AdvertiserToken } from '#web/features/people/advertiser/advertiser-token.tsx'
import { AdvertiserEdit } from '#web/features/people/advertiser/advertiser-form.tsx'
import { ADVERTISER_STATUS } from '#web/features/people/advertiser/advertiser-list.tsx'
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
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { useStatus } from '#web/kit/status/use-status.tsx'
import { Performance } from '#web/performance/performance.tsx'
import { useCan } from '#web/shell/access.ts'

type Advertiser = z.output<typeof advertiserDetail>

/** One advertiser: how its offers are doing, its record, and how it reports results; `postback` and `more` are what other features show of it. */
export function AdvertiserDetail({
  postback,
  more,
}: {
  postback: (advertiser: Advertiser) => ReactNode
  more: (advertiser: Advertiser) => UrlTab[]
}) {
  const { t } = useTranslation('advertiser')
  const readsOffers = useCan()('offer.read')
  const { actionsFor } = useStatus(ADVERTISER_STATUS)
  return (
    <DetailPage screen="advertiserEdit" endpoint={advertiserApi.get} failed={t('failed')} uuidOf={({ uuid }) => uuid}>
      {(advertiser) => (
        <>
          <PageHeader
            title={advertiser.name}
            id={advertiser.id}
            status={
              <>
                <Status of={ADVERTISER_STATUS} value={advertiser.status} />
                {advertiser.credit_blocked && <StatusBadge tone="bad" label={t('creditUsed')} />}
              </>
            }
            facts={[
              advertiser.manager?.name ?? t('noManager'),
              readsOffers ? (
                <Anchor component={Link} key="offers" fz="inherit" to="?tab=offers">
                  {t('offersCount', { count: advertiser.offers })}
                </Anchor>
              ) : (
                t('offersCount', { count: advertiser.offers })
              ),
              advertiser.currency,
              <span key="added">
                {t('addedFact')} <Moment at={advertiser.created_at} />
              </span>,
              <ContactLinks key="contacts" contacts={{ ...advertiser.contacts, email: advertiser.email }} />,
            ]}
            actions={<PageActions primary={advertiser.status === 'active' ? undefined : 'activate'} actions={actionsFor(advertiser)} />}
          />
          {advertiser.credit_blocked && <CreditUsed />}
          <UrlTabs
            label={advertiser.name}
            tabs={[
              { id: 'overview', label: t('tab.overview'), content: <Overview advertiser={advertiser} /> },
              { id: 'edit', label: t('edit'), content: <AdvertiserEdit advertiser={advertiser} /> },
              { id: 'postback', label: t('tab.postback'), content: <Postback advertiser={advertiser}>{postback(advertiser)}</Postback> },
              ...more(advertiser),
            ]}
          />
        </>
      )}
    </DetailPage>
  )
}

/** What follows from a used up credit, and the way out. */
function CreditUsed() {
  const { t } = useTranslation('advertiser')
  const can = useCan()
  return (
    <Alert color="var(--ohma-bad)" role="note" title={t('creditUsed')}>
      {t('creditUsed.text')}{' '}
      <Anchor
        component={Link}
        to={can('billing.pay') ? '?tab=billing&receipt=new' : '?tab=billing'}
        size="sm"
        c="inherit"
        underline="always"
      >
        {t(can('billing.pay') ? 'creditUsed.book' : 'creditUsed.owes')}
      </Anchor>
    </Alert>
  )
}

function Overview({ advertiser }: { advertiser: Advertiser }) {
  const { t } = useTranslation('advertiser')
  const readsOffers = useCan()('offer.read')
  const { company } = advertiser
  const address = [company.address, company.postal_code, company.city].filter(Boolean).join(', ')
  return (
    <Stack>
      <Performance
        of={{ is: 'advertiser', uuid: advertiser.uuid }}
        next={
          readsOffers && (
            <Button component={Link} to="?tab=offers" variant="default">
              {t('toOffers')}
            </Button>
          )
        }
      />
      <PageColumns>
        <Panel title={t('section.company')}>
          <Facts
            of={[
              [t('companyName'), company.name || UNKNOWN],
              [t('vatId'), company.vat_id || UNKNOWN],
              [t('registrationNumber'), company.registration_number || UNKNOWN],
              [t('address'), address || UNKNOWN],
              [t('country'), <Country key="country" code={company.country} />],
            ]}
          />
        </Panel>
        <Panel title={t('section.postbacks')}>
          <Facts
            of={[
              [t('auth'), t(`auth.${advertiser.postback_auth}`)],
              [t('allowedIps'), advertiser.allowed_ips.join(', ') || UNKNOWN],
              [t('words'), advertiser.postback_words.map(({ word }) => word).join(', ') || UNKNOWN],
              [t('notes'), advertiser.notes || UNKNOWN],
            ]}
          />
        </Panel>
      </PageColumns>
    </Stack>
  )
}

/** How an advertiser reports, and its secret. */
function Postback({ advertiser, children }: { advertiser: Advertiser; children: ReactNode }) {
  const { t } = useTranslation('advertiser')
  return (
    <Stack maw={1080}>
      {children}
      <Panel title={t('postback.token')}>
        <Text size="sm" c="dimmed">
          {t('postback.auth', { what: t(`auth.${advertiser.postback_auth}`) })}{' '}
          {t(advertiser.no_status_approved ? 'postback.noStatusApproved' : 'postback.noStatusPending')}
        </Text>
        <AdvertiserToken advertiser={advertiser} />
      </Panel>
    </Stack>
  )
}
