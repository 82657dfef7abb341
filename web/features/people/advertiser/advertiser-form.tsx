import { Button, Paper, Stack, Text, Title } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { advertiserApi, advertiserInput, blankAdvertiser, type advertiserDetail } from '#contract/people/advertiser.ts'
import { managerApi } from '#contract/people/manager.ts'
import { valuesOf } from '#contract/shape.ts'
import { useConstants } from '#web/api/constants.ts'
import { useSave } from '#web/api/query.ts'
import { ADVERTISER_STATUS } from '#web/features/people/advertiser/advertiser-list.tsx'
import { PostbackFields } from '#web/features/people/advertiser/advertiser-postback.tsx'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { ContactFields } from '#web/kit/fields/contact-fields.tsx'
import { CountryField } from '#web/kit/fields/country-field.tsx'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { CreatePage } from '#web/kit/form/create-page.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm, type SaveForm } from '#web/kit/form/use-save-form.ts'
import type { ReferenceRow } from '#web/kit/list/filter.ts'
import { DetailPage } from '#web/kit/page/detail-page.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { UrlTabs } from '#web/kit/page/url-tabs.tsx'
import { ContactLinks } from '#web/kit/show/contact-links.tsx'
import { CopyField } from '#web/kit/show/copy-field.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { useStatusOptions } from '#web/kit/status/use-status.tsx'
import { useGo } from '#web/shell/access.ts'
import { useRuntime } from '#web/shell/runtime.ts'

type Values = z.output<typeof advertiserInput>
type AdvertiserDetail = z.output<typeof advertiserDetail>

/** Makes an advertiser, then shows it with the postback address to hand over. */
export function AdvertiserCreate() {
  const { t } = useTranslation('advertiser')
  const go = useGo()
  const form = useSaveForm({
    endpoint: advertiserApi.create,
    initial: blankAdvertiser,
    toInput: (values) => ({ body: values }),
    invalidate: [advertiserApi.list],
    savedText: t('created.toast'),
    onSaved: ({ uuid }) => go('advertiserEdit', { uuid }, { replace: true }),
  })
  return (
    <CreatePage of={form} title={t('new')} action={t('create')} onCancel={() => go('advertisers')}>
      <Fields of={form} />
    </CreatePage>
  )
}

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
              <span key="added">
                {t('addedFact')} <Moment at={advertiser.created_at} />
              </span>,
              <ContactLinks key="contacts" contacts={{ ...advertiser.contacts, email: advertiser.email }} />,
            ]}
          />
          <UrlTabs
            label={advertiser.name}
            tabs={[
              { id: 'profile', label: t('tab.profile'), content: <Profile advertiser={advertiser} /> },
              { id: 'postback', label: t('tab.postback'), content: <Postback advertiser={advertiser} /> },
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
      <Fields of={form} manager={advertiser.manager} />
    </PageForm>
  )
}

/** The fields of an advertiser, for creating and editing alike. */
function Fields({ of, manager = null }: { of: SaveForm<Values>; manager?: ReferenceRow | null }) {
  const { t } = useTranslation('advertiser')
  const { currency } = useConstants()
  return (
    <>
      <FormSection title={t('section.account')}>
        <TextField of={of} name="name" label={t('name')} required />
        <TextField of={of} name="email" label={t('email')} type="email" />
        <SelectField
          of={of}
          name="status"
          label={t('status')}
          options={useStatusOptions(ADVERTISER_STATUS)}
          help={t('statusHelp')}
          required
        />
        <ReferenceField of={of} name="manager_uuid" label={t('manager')} endpoint={managerApi.options} chosen={manager} />
        <SelectField of={of} name="currency" label={t('currency')} options={currency} required />
      </FormSection>
      <PostbackFields of={of} />
      <FormSection title={t('section.company')} text={t('section.companyText')}>
        <TextField of={of} name="company.name" label={t('companyName')} />
        <TextField of={of} name="company.vat_id" label={t('vatId')} />
        <TextField of={of} name="company.registration_number" label={t('registrationNumber')} />
        <CountryField of={of} name="company.country" label={t('country')} />
        <TextField of={of} name="company.address" label={t('address')} wide />
        <TextField of={of} name="company.city" label={t('city')} />
        <TextField of={of} name="company.postal_code" label={t('postalCode')} />
      </FormSection>
      <FormSection title={t('section.contact')}>
        <ContactFields of={of} />
      </FormSection>
      <FormSection title={t('section.internal')}>
        <LongTextField of={of} name="notes" label={t('notes')} wide />
      </FormSection>
    </>
  )
}

/** The address an advertiser calls when a visitor did what is paid for, ready to hand over; and its secret. */
function Postback({ advertiser }: { advertiser: AdvertiserDetail }) {
  const { t } = useTranslation('advertiser')
  const renew = useSave(advertiserApi.renewToken, { invalidate: [advertiserApi.get] })
  const needsToken = advertiser.postback_auth !== 'ip'
  // no goal: each offer has a default one of its own
  const address = `${useRuntime().tracking_url}/postback?click_id={click_id}&status=approved&amount={amount}&txn_id={order_id}${needsToken ? `&token=${advertiser.postback_token}` : ''}`

  const ask = async () => {
    const sure = await confirm({ title: t('renew.title'), text: t('renew.text'), action: t('renew.action'), danger: true })
    if (sure) renew.mutate({ params: { uuid: advertiser.uuid } })
  }
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
        <CopyField label={t('postback.token')} text={advertiser.postback_token} />
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          loading={renew.isPending}
          onClick={() => void ask()}
          style={{ alignSelf: 'start' }}
        >
          {t('renew.action')}
        </Button>
      </Stack>
    </Paper>
  )
}
