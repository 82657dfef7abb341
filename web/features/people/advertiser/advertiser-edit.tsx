import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { z } from 'zod'
import { advertiserApi, advertiserInput, type advertiserDetail } from '#contract/people/advertiser.ts'
import { valuesOf } from '#contract/shape.ts'
import { query } from '#web/api/query.ts'
import { AdvertiserForm } from '#web/features/people/advertiser/advertiser-form.tsx'
import { AdvertiserPostback } from '#web/features/people/advertiser/advertiser-postback.tsx'
import { AdvertiserStatusBadge } from '#web/features/people/advertiser/advertiser-status.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { DetailPage } from '#web/kit/page/detail-page.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { UrlTabs } from '#web/kit/page/url-tabs.tsx'
import { ContactLinks } from '#web/kit/show/contact-links.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { useGo } from '#web/shell/access.ts'

type AdvertiserDetail = z.output<typeof advertiserDetail>

/** One advertiser: its record, and how it reports results. */
export function AdvertiserEdit() {
  const { t } = useTranslation('advertiser')
  const { uuid = '' } = useParams()
  const go = useGo()
  const found = useQuery(query(advertiserApi.get, { params: { uuid } }))

  // links by number work; the address of the page carries the uuid
  const known = found.data?.uuid
  useEffect(() => {
    if (known !== undefined && known !== uuid) go('advertiserEdit', { uuid: known }, { replace: true })
  }, [known, uuid, go])

  return (
    <DetailPage query={found} failed={t('failed')}>
      {(advertiser) => (
        <>
          <PageHeader
            title={advertiser.name}
            id={advertiser.id}
            status={<AdvertiserStatusBadge status={advertiser.status} />}
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
              { id: 'profile', label: t('tab.profile'), content: <Profile key={advertiser.uuid} advertiser={advertiser} /> },
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
    initial: valuesOf(advertiserInput, advertiser),
    toInput: (values) => ({ params: { uuid: advertiser.uuid }, body: values }),
    invalidate: [advertiserApi.list, advertiserApi.get],
    onSaved: () => {},
  })
  return (
    <PageForm of={form} label={advertiser.name} action={t('save')}>
      <AdvertiserForm of={form} manager={advertiser.manager} />
    </PageForm>
  )
}
