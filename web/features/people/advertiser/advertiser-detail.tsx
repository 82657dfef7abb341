import { Anchor, Button, Paper, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
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
import { CopyField } from '#web/kit/show/copy-field.tsx'
import { Country } from '#web/kit/show/country.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { useStatus } from '#web/kit/status/use-status.tsx'
import { Performance } from '#web/performance/performance.tsx'
import { useCan } from '#web/shell/access.ts'
import { useRuntime } from '#web/shell/runtime.ts'

type Advertiser = z.output<typeof advertiserDetail>

/** One advertiser: how its offers are doing, its record, and how it reports results; `more` are the tabs of other features. */
export function AdvertiserDetail({ more }: { more: (advertiser: Advertiser) => UrlTab[] }) {
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
            status={<Status of={ADVERTISER_STATUS} value={advertiser.status} />}
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
          <UrlTabs
            label={advertiser.name}
            tabs={[
              { id: 'overview', label: t('tab.overview'), content: <Overview advertiser={advertiser} /> },
              { id: 'edit', label: t('edit'), content: <AdvertiserEdit advertiser={advertiser} /> },
              { id: 'postback', label: t('tab.postback'), content: <Postback advertiser={advertiser} /> },
              ...more(advertiser),
            ]}
          />
        </>
      )}
    </DetailPage>
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

/** The address an advertiser calls when a visitor did what is paid for, ready to hand over; and its secret. */
function Postback({ advertiser }: { advertiser: Advertiser }) {
  const { t } = useTranslation('advertiser')
  const needsToken = advertiser.postback_auth !== 'ip'
  // no goal: each offer has a default one of its own
  const address = `${useRuntime().tracking_url}/postback?click_id={click_id}&status=approved&amount={amount}&txn_id={order_id}${needsToken ? `&token=${advertiser.postback_token}` : ''}`

  return (
    <Paper withBorder p="lg" maw={1080}>
      <Stack gap="md">
        <div>
          <Title order={2} size="h4">
            {t('postback.title')}
          </Title>
          <Text size="sm" c="dimmed" mt={4}>
            {t('postback.text')}
          </Text>
        </div>
        <CopyField label={t('postback.address')} text={address} />
        <Text size="sm" c="dimmed">
          {t('postback.parameters')}
        </Text>
        <Text size="sm" c="dimmed">
          {t(advertiser.no_status_approved ? 'postback.noStatusApproved' : 'postback.noStatusPending')}
        </Text>
        <Text size="sm" c="dimmed">
          {t('postback.auth', { what: t(`auth.${advertiser.postback_auth}`) })}
        </Text>
        <AdvertiserToken advertiser={advertiser} />
      </Stack>
    </Paper>
  )
}
