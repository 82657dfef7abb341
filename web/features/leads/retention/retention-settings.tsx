import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { RETENTION_KINDS, retentionApi, retentionDaysApi, type Retention, type RetentionKind } from '#contract/leads/retention.ts'
import { query } from '#web/api/query.ts'
import { RetentionPreview } from '#web/features/leads/retention/retention-preview.tsx'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { typedNumberOrNull } from '#web/kit/fields/typed-number.ts'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { SettingForm } from '#web/setting-form.tsx'
import type english from './retention.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    retention: typeof english
  }
}

type Values = Record<RetentionKind, string>

/** After how many days people are forgotten, by the kind of their leads, and whom that would be tonight. */
export function RetentionSettings() {
  const { t } = useTranslation('retention')
  const found = useQuery(query(retentionDaysApi.read, {}))
  return (
    <QueryPage query={found} failed={t('failed')}>
      {(stored) => <RetentionForm of={stored} />}
    </QueryPage>
  )
}

function RetentionForm({ of }: { of: CallOutput<typeof retentionDaysApi.read> }) {
  const { t } = useTranslation('retention')
  const { t: integration } = useTranslation('integration')
  const form = useSaveForm({
    endpoint: retentionDaysApi.update,
    record: of,
    valuesOf: (stored) => each((kind) => stored[kind]?.toString() ?? '') satisfies Values,
    toInput: (values: Values, { version }) => ({ body: { ...daysIn(values), version } }),
    invalidate: [retentionDaysApi.read, retentionApi.preview],
  })
  return (
    <SettingForm of={form} section="retention" label={t('title')} changed={of.changed}>
      {/* above the fields: below them the bar that saves would cover it */}
      <RetentionPreview days={daysIn(form.values)} saved={daysIn(each((kind) => of[kind]?.toString() ?? ''))} />
      <FormSection title={t('title')} text={t('text')}>
        {RETENTION_KINDS.map((kind) => (
          <NumberField
            key={kind}
            of={form}
            name={kind}
            label={kind === 'file' ? t('file') : integration(`type.${kind}`)}
            placeholder={t('kept')}
            unit={t('days')}
            whole
          />
        ))}
      </FormSection>
    </SettingForm>
  )
}

function each<Value>(value: (kind: RetentionKind) => Value): Record<RetentionKind, Value> {
  return Object.fromEntries(RETENTION_KINDS.map((kind) => [kind, value(kind)])) as Record<RetentionKind, Value> // each kind once
}

/** What is typed, as it is sent; nothing = kept. */
function daysIn(values: Values): Retention {
  return each((kind) => typedNumberOrNull(values[kind]))
}
