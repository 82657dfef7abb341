import { Anchor } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { productApi } from '#contract/leads/product.ts'
import { useZone } from '#web/kit/show/zone.tsx'
import { AccountFields } from '#web/features/leads/product/account-fields.tsx'
import { ProductBreaker } from '#web/features/leads/product/product-breaker.tsx'
import { ProductFields } from '#web/features/leads/product/product-fields.tsx'
import { ProductOpening } from '#web/features/leads/product/product-opening.tsx'
import { ProductPrices } from '#web/features/leads/product/product-prices.tsx'
import { blankTerms, termBody, termMistakes, termValues, toldCredentials } from '#web/features/leads/product/product-values.ts'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { useScreens } from '#web/shell/access.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'

export type Choice = CallOutput<typeof productApi.integrations>['list'][number]
type Props = {
  advertiser: { uuid: string; currency: string }
  /** The integration somebody comes from. */
  asked: Choice | undefined
  onMade: (uuid: string) => void
  onCancel: () => void
}

/** Makes a product: which system it is, where it answers, the account there. A test comes next. */
export function ProductCreate({ advertiser, asked, onMade, onCancel }: Props) {
  const { t } = useTranslation('product')
  const zone = useZone()
  const [chosen, setChosen] = useState(asked)
  const opensIntegrations = useScreens().has('settingsTestApiIntegrations')
  const credentials = (chosen?.credentials ?? []).map((one) => ({ ...one, set: false }))
  const form = useSaveForm({
    endpoint: productApi.create,
    initial: {
      title: asked?.name ?? '',
      host: '',
      geos: [] as string[],
      time_zone: zone,
      notes: '',
      ...termValues(blankTerms(advertiser.currency)),
      integration_uuid: asked?.uuid ?? (null as string | null),
      credentials: Object.fromEntries((asked?.credentials ?? []).map(({ key }) => [key, ''])),
    },
    check: (values) => termMistakes(values, t('hours.wrong')),
    toInput: ({ integration_uuid, credentials: typed, title, host, geos, time_zone, notes, ...terms }) => ({
      body: {
        title,
        host,
        geos,
        time_zone,
        notes,
        ...termBody(terms),
        advertiser_uuid: advertiser.uuid,
        integration_uuid: integration_uuid ?? '',
        credentials: toldCredentials(credentials, typed),
      },
    }),
    invalidate: [productApi.list],
    savedText: t('made'),
    onSaved: ({ uuid }) => onMade(uuid),
  })
  const choose = (choice: Choice) => {
    setChosen(choice)
    form.form.setFieldValue('credentials', Object.fromEntries(choice.credentials.map(({ key }) => [key, ''])))
    if (form.values.title === '') form.form.setFieldValue('title', choice.name)
  }
  return (
    <>
      <PageHeader title={t('new')} inner />
      <PageForm of={form} label={t('new')} action={t('create')} onCancel={onCancel}>
        <FormSection title={t('system')} text={t('systemText')}>
          <ReferenceField
            of={form}
            name="integration_uuid"
            label={t('integration')}
            endpoint={productApi.integrations}
            help={t('integrationHelp')}
            unfit={({ version_number }) => (version_number === null ? t('integrationUnpublished') : undefined)}
            {...(asked !== undefined && { chosen: asked })}
            onPick={choose}
            required
          />
          {opensIntegrations && (
            <Anchor component={ScreenLink} to="settingsTestApiIntegrations" size="sm">
              {t('integrationsOpen')}
            </Anchor>
          )}
        </FormSection>
        <FormSection title={t('itself')}>
          <ProductFields of={form} />
        </FormSection>
        {chosen !== undefined && <ProductPrices of={form} type={chosen.type} />}
        <ProductOpening of={form} />
        <ProductBreaker of={form} />
        {chosen !== undefined && credentials.length > 0 && (
          <FormSection title={t('account')} text={t('accountText')}>
            <AccountFields of={form} credentials={credentials} />
          </FormSection>
        )}
      </PageForm>
    </>
  )
}
