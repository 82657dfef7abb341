import { Button, Stack } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { productApi, type ProductDetail } from '#contract/leads/product.ts'
import { query } from '#web/api/query.ts'
import { AccountFields } from '#web/features/leads/product/account-fields.tsx'
import { HealthBadge } from '#web/features/leads/product/health-badge.tsx'
import { healthQuery } from '#web/features/leads/product/health-query.ts'
import { ProductBreaker } from '#web/features/leads/product/product-breaker.tsx'
import { ProductFields } from '#web/features/leads/product/product-fields.tsx'
import { ProductOpening } from '#web/features/leads/product/product-opening.tsx'
import { ProductPrices } from '#web/features/leads/product/product-prices.tsx'
import { termBody, termMistakes, termValues, toldCredentials } from '#web/features/leads/product/product-values.ts'
import { PRODUCT_STATUS } from '#web/features/leads/product/product-list.tsx'
import { ProductHealth } from '#web/features/leads/product/product-health.tsx'
import { SHOW_PRODUCT } from '#web/features/leads/product/show-product.ts'
import { ProductReady } from '#web/features/leads/product/product-ready.tsx'
import { PullConsole } from '#web/features/leads/product/pull-console.tsx'
import { TestConsole } from '#web/features/leads/product/test-console.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { useStatus } from '#web/kit/status/use-status.tsx'
import { RowMenu } from '#web/kit/table/row-menu.tsx'

/** One product: its account, what it takes, and the console that sends it a test lead. */
export function ProductEdit({ uuid, onBack }: { uuid: string; onBack: () => void }) {
  const { t } = useTranslation('product')
  const { actionsFor } = useStatus(PRODUCT_STATUS)
  const stored = useQuery(query(productApi.get, { params: { uuid } }))
  return (
    <Stack gap={16}>
      <div>
        <Button variant="subtle" size="compact-md" leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={onBack}>
          {t('back')}
        </Button>
      </div>
      <QueryPage query={stored} failed={t('failed')}>
        {(product) => (
          <Stack gap={20}>
            <PageHeader
              title={product.title}
              inner
              id={product.id}
              status={<State of={product} />}
              facts={[
                t('integrationVersion', { name: product.integration.name, number: product.version_number }),
                product.ready ? t('ready.yes') : <ProductReady key="ready" of={product} />,
              ]}
              actions={<RowMenu size="md" actions={actionsFor(product)} />}
            />
            <ProductHealth uuid={product.uuid} />
            {product.status !== 'archived' && <TestConsole product={product} />}
            <ProductForm product={product} />
            {product.status !== 'archived' && <PullConsole product={product} />}
          </Stack>
        )}
      </QueryPage>
    </Stack>
  )
}

/** Where it stands to whoever sends it leads: an active one may be full, at rest or closed, and its test says nothing of that. */
function State({ of: { uuid, status } }: { of: ProductDetail }) {
  const { data, isError } = useQuery(healthQuery(uuid))
  const [health] = data?.list ?? []
  if (status === 'archived' || isError) return <Status of={PRODUCT_STATUS} value={status} />
  return health && <HealthBadge of={health} />
}

function ProductForm({ product }: { product: ProductDetail }) {
  const { t } = useTranslation('product')
  const form = useSaveForm({
    endpoint: productApi.update,
    record: product,
    valuesOf: ({ title, host, geos, time_zone, notes, credentials, version_number, ...terms }) => ({
      title,
      host,
      geos,
      time_zone,
      notes,
      ...termValues(terms),
      version_number: String(version_number),
      credentials: Object.fromEntries(credentials.map(({ key, value }) => [key, value])),
    }),
    check: (values) => termMistakes(values, t('hours.wrong')),
    toInput: ({ version_number, credentials: typed, title, host, geos, time_zone, notes, ...terms }, { version, credentials }) => ({
      params: { uuid: product.uuid },
      body: {
        title,
        host,
        geos,
        time_zone,
        notes,
        ...termBody(terms),
        version,
        version_number: Number(version_number),
        credentials: toldCredentials(credentials, typed),
      },
    }),
    invalidate: SHOW_PRODUCT,
  })
  const numbers = [...new Set([product.version_number, product.newest ?? product.version_number])]
  return (
    <PageForm of={form} label={product.title} action={t('save')}>
      <FormSection title={t('itself')} text={t('itselfText')}>
        <ProductFields of={form} />
        {numbers.length > 1 && (
          <SelectField
            of={form}
            name="version_number"
            label={t('version')}
            options={numbers.map((number) => ({ value: String(number), label: t('versionNumber', { number }) }))}
            help={t('versionHelp')}
          />
        )}
      </FormSection>
      <ProductPrices of={form} type={product.type} />
      <ProductOpening of={form} />
      <ProductBreaker of={form} />
      {product.credentials.length > 0 && (
        <FormSection title={t('account')} text={t('accountText')}>
          <AccountFields of={form} credentials={product.credentials} />
        </FormSection>
      )}
    </PageForm>
  )
}
