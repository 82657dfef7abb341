import { Alert, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { ACTS, CORRECTIONS, taxProfileApi } from '#contract/money/tax-profile.ts'
import { VAT_CATEGORIES } from '#contract/money/vat.ts'
import { query } from '#web/api/query.ts'
import { countryName, UNKNOWN } from '#web/format.ts'
import { DayField } from '#web/kit/fields/day/day-field.tsx'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { Facts } from '#web/kit/page/facts.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { useCan } from '#web/shell/access.ts'

type Profile = CallOutput<typeof taxProfileApi.get>

/** How an affiliate is taxed: what it says, what is proposed, and what staff decide. */
export function TaxPanel({ affiliate }: { affiliate: string }) {
  const { t } = useTranslation('document')
  const can = useCan()
  return (
    <QueryPage query={useQuery(query(taxProfileApi.get, { params: { uuid: affiliate } }))} failed={t('failed')}>
      {(profile) => (
        <>
          <Panel title={t('staff.title')} text={t('staff.text')}>
            <Facts
              of={[
                [t('name'), profile.name || UNKNOWN],
                [t('address'), [profile.address, `${profile.postcode} ${profile.town}`.trim()].filter(Boolean).join(', ') || UNKNOWN],
                [t('country'), profile.country === null ? UNKNOWN : countryName(profile.country)],
                [t('vat_id'), profile.vat_id || UNKNOWN],
                [t('registration'), profile.registration || UNKNOWN],
                [t('selfBilling'), profile.agreed_at === null ? t('staff.notAgreed') : <Moment key="agreed" at={profile.agreed_at} />],
              ]}
            />
            {profile.agreed_at !== null && profile.missing.length > 0 && (
              <Alert color="var(--ohma-waiting)" role="status">
                {t('staff.missing', { fields: profile.missing.map((name) => t(name as 'name')).join(', ') })}
              </Alert>
            )}
          </Panel>
          {can('billing.approve') && <Decision affiliate={affiliate} profile={profile} />}
        </>
      )}
    </QueryPage>
  )
}

function Decision({ affiliate, profile }: { affiliate: string; profile: Profile }) {
  const { t } = useTranslation('document')
  const form = useSaveForm({
    endpoint: taxProfileApi.decide,
    record: profile,
    valuesOf: ({ vat_category, vat_rate, exemption, vies_day, corrections, act, act_post, act_name }) => ({
      vat_category: vat_category as Profile['vat_category'],
      vat_rate: vat_rate.replace(/\.?0+$/, ''),
      exemption,
      vies_day: vies_day as string | null,
      corrections: corrections as string | null,
      act: act as string | null,
      act_post,
      act_name,
    }),
    toInput: (values, { version }) => ({
      params: { uuid: affiliate },
      body: {
        ...values,
        corrections: values.corrections as Profile['corrections'],
        act: values.act as Profile['act'],
        vat_rate: values.vat_category === 'S' ? values.vat_rate || '0' : '0',
        version,
      },
    }),
    invalidate: [taxProfileApi.get],
  })
  const { category, reason } = profile.proposed
  return (
    <PageForm of={form} label={t('decide')} action={t('save')}>
      <FormSection title={t('decide')} text={t('decideText')}>
        <Text data-wide>
          {category === null ? t(`why.${reason}`) : t('proposed', { category: t(`category.${category}`), why: t(`why.${reason}`) })}
        </Text>
        <SelectField
          of={form}
          name="vat_category"
          label={t('vat_category')}
          options={VAT_CATEGORIES.map((value) => ({ value, label: t(`category.${value}`) }))}
          placeholder={t('undecided')}
        />
        {form.values.vat_category === 'S' && <NumberField of={form} name="vat_rate" label={t('vat_rate')} unit="%" />}
        {(form.values.vat_category === 'E' || form.values.vat_category === 'O') && (
          <TextField of={form} name="exemption" label={t('exemption')} help={t('exemptionHelp')} />
        )}
        <DayField of={form} name="vies_day" label={t('vies_day')} />
        <SelectField
          of={form}
          name="corrections"
          label={t('corrections')}
          help={t('correctionsHelp')}
          options={CORRECTIONS.map((value) => ({ value, label: t(`corrections.${value}`) }))}
          required
        />
        <SelectField
          of={form}
          name="act"
          label={t('act')}
          help={t('actHelp')}
          options={ACTS.map((value) => ({ value, label: t(`act.${value}`) }))}
          required
        />
        {form.values.act !== 'no' && (
          <>
            <TextField of={form} name="act_post" label={t('act_postTheirs')} />
            <TextField of={form} name="act_name" label={t('act_nameTheirs')} />
          </>
        )}
      </FormSection>
    </PageForm>
  )
}
