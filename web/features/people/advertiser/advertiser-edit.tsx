import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { advertiserApi, advertiserInput, type advertiserDetail } from '#contract/people/advertiser.ts'
import { valuesOf } from '#contract/shape.ts'
import { AdvertiserForm } from '#web/features/people/advertiser/advertiser-form.tsx'
import { ADVERTISER_STATUS } from '#web/features/people/advertiser/advertiser-columns.tsx'
import { AdvertiserPostback } from '#web/features/people/advertiser/advertiser-postback.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { DetailPage } from '#web/kit/page/detail-page.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { UrlTabs } from '#web/kit/page/url-tabs.tsx'
import { ContactLinks } from '#web/kit/show/contact-links.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { Status } from '#web/kit/status/status.tsx'

type AdvertiserDetail = z.output<typeof advertiserDetail>

/** One advertiser: its record, and how it reports results. */
export function AdvertiserEdit() {
  const { t } = useTranslation('advertiser')
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
              t('offersCount', { count: advertiser.offers }),
              <span key="created">
                {t('since')} <Moment at={advertiser.created_at} />
              </span>,
              <ContactLinks key="contacts" contacts={{ ...advertiser.contacts, email: advertiser.email }} />,
            ]}
          />
          <UrlTabs
            label={advertiser.name}
            tabs={[
              { id: 'profile', label: t('tab.profile'), content: <Profile advertiser={advertiser} /> },
              { id: 'postback', label: t('tab.postback'), content: <AdvertiserPostback advertiser={advertiser} /> },
            ]}
          />
        </>
      )}
    </DetailPage>
  )
}

function Profile({ advertiser }: { advertiser: AdvertiserDetail }) {
  const { t } = useTranslation('advertiser')
  const form = useSaveForm({
    endpoint: advertiserApi.update,
    record: advertiser,
    valuesOf: (stored) => valuesOf(advertiserInput, stored),
    toInput: (values, { version }) => ({ params: { uuid: advertiser.uuid }, body: { ...values, version } }),
    invalidate: [advertiserApi.list, advertiserApi.get],
  })
  return (
    <PageForm of={form} label={advertiser.name} action={t('save')}>
      <AdvertiserForm of={form} manager={advertiser.manager} />
    </PageForm>
  )
}
