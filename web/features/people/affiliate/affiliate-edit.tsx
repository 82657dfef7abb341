import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { affiliateApi, affiliateInput, type affiliateDetail } from '#contract/people/affiliate.ts'
import { valuesOf } from '#contract/shape.ts'
import { AFFILIATE_STATUS, useAffiliateActions } from '#web/features/people/affiliate/affiliate-columns.tsx'
import { AffiliateForm } from '#web/features/people/affiliate/affiliate-form.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { DetailPage } from '#web/kit/page/detail-page.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { UrlTabs } from '#web/kit/page/url-tabs.tsx'
import { ContactLinks } from '#web/kit/show/contact-links.tsx'
import { Country } from '#web/kit/show/country.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { RowMenu } from '#web/kit/table/row-menu.tsx'
import { useCan } from '#web/shell/access.ts'
import { actAs } from '#web/shell/session.ts'

type AffiliateDetail = z.output<typeof affiliateDetail>

/** One affiliate: who it is at the top, everything that can be changed beneath. */
export function AffiliateEdit() {
  const { t } = useTranslation('affiliate')
  return (
    <DetailPage screen="affiliateEdit" endpoint={affiliateApi.get} failed={t('failed')} uuidOf={({ uuid }) => uuid}>
      {(affiliate) => (
        <>
          <Header affiliate={affiliate} />
          <UrlTabs label={affiliate.name} tabs={[{ id: 'profile', label: t('tab.profile'), content: <Profile affiliate={affiliate} /> }]} />
        </>
      )}
    </DetailPage>
  )
}

function Header({ affiliate }: { affiliate: AffiliateDetail }) {
  const { t } = useTranslation('affiliate')
  const can = useCan()
  const { actionsFor, dialog } = useAffiliateActions()
  const mayAct = can('affiliate.act_as') && affiliate.status === 'active'
  return (
    <>
      <PageHeader
        title={affiliate.name}
        id={affiliate.id}
        status={<Status of={AFFILIATE_STATUS} value={affiliate.status} />}
        facts={[
          affiliate.manager?.name ?? t('noManager'),
          ...(affiliate.country ? [<Country key="country" code={affiliate.country} />] : []),
          <span key="created">
            {t('since')} <Moment at={affiliate.created_at} />
          </span>,
          <ContactLinks key="contacts" contacts={{ ...affiliate.contacts, email: affiliate.email }} />,
        ]}
        actions={
          <>
            <RowMenu size="md" actions={actionsFor(affiliate).filter((action) => action.label !== t('actAs'))} />
            {mayAct && (
              <Button leftSection={<IconEye size={16} aria-hidden />} onClick={() => void actAs(affiliate.uuid)}>
                {t('actAs')}
              </Button>
            )}
          </>
        }
      />
      {dialog}
    </>
  )
}

function Profile({ affiliate }: { affiliate: AffiliateDetail }) {
  const { t } = useTranslation('affiliate')
  const form = useSaveForm({
    endpoint: affiliateApi.update,
    record: affiliate,
    valuesOf: (stored) => valuesOf(affiliateInput, stored),
    toInput: (values, { version }) => ({ params: { uuid: affiliate.uuid }, body: { ...values, version } }),
    invalidate: [affiliateApi.list, affiliateApi.get],
  })
  return (
    <PageForm of={form} label={affiliate.name} action={t('save')}>
      <AffiliateForm of={form} manager={affiliate.manager} />
    </PageForm>
  )
}
