import { Alert, Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { taxProfileApi } from '#contract/money/tax-profile.ts'
import { query, useSave } from '#web/api/query.ts'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { notify } from '#web/notify.ts'
import { PartyFields } from './party-fields.tsx'

type Own = CallOutput<typeof taxProfileApi.own>

/** What an affiliate says of itself for invoices, and its agreement to self-billing. */
export function OwnTaxProfile() {
  const { t } = useTranslation('document')
  return (
    <QueryPage query={useQuery(query(taxProfileApi.own, {}))} failed={t('failed')}>
      {(own) => (
        <Stack>
          <OwnForm own={own} />
          {own.self_billing && <Agreement own={own} />}
        </Stack>
      )}
    </QueryPage>
  )
}

function OwnForm({ own }: { own: Own }) {
  const { t } = useTranslation('document')
  const form = useSaveForm({
    endpoint: taxProfileApi.saveOwn,
    record: own,
    valuesOf: ({ name, address, postcode, town, country, vat_id, registration }) => ({
      name,
      address,
      postcode,
      town,
      country,
      vat_id,
      registration,
    }),
    toInput: (values, { version }) => ({ body: { ...values, version } }),
    invalidate: [taxProfileApi.own],
  })
  return (
    <PageForm of={form} label={t('own.title')} action={t('save')}>
      <FormSection title={t('own.title')} text={t('own.text')}>
        <PartyFields of={form} />
      </FormSection>
    </PageForm>
  )
}

function Agreement({ own }: { own: Own }) {
  const { t } = useTranslation('document')
  const agree = useSave(taxProfileApi.agree, { invalidate: [taxProfileApi.own], onSuccess: () => notify.success(t('own.agreed')) })
  return (
    <Panel title={t('selfBilling')} text={t('own.selfBilling')}>
      <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{own.agreement}</Text>
      {own.agreed_at !== null ? (
        <Text c="dimmed">
          {t('own.agreedAt')} <Moment at={own.agreed_at} />
        </Text>
      ) : own.missing.length > 0 ? (
        <Alert color="var(--ohma-waiting)" role="status">
          {t('own.missing', { fields: own.missing.map((name) => t(name as 'name')).join(', ') })}
        </Alert>
      ) : (
        <div>
          <Button
            loading={agree.isPending}
            disabled={own.agreement === ''}
            onClick={() => agree.mutate({ body: { agreement: own.agreement } })}
          >
            {t('own.agree')}
          </Button>
        </div>
      )}
    </Panel>
  )
}
