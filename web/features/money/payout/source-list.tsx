import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { paymentSourceApi, SOURCE_KINDS, type PaymentSource } from '#contract/money/payout.ts'
import { invoiceApi } from '#contract/money/invoice.ts'
import { useConstants } from '#web/api/constants.ts'
import { query } from '#web/api/query.ts'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'

/** Bank accounts and wallets payments leave from. */
export function SourceList() {
  const { t } = useTranslation('payout')
  const found = useQuery(query(paymentSourceApi.list, {}))
  const [editing, setEditing] = useState<PaymentSource | 'new'>()
  return (
    <QueryPage query={found} failed={t('failed')}>
      {({ list }) => (
        <Panel
          title={t('sources')}
          text={t('sources.text')}
          actions={<Button onClick={() => setEditing('new')}>{t('sources.add')}</Button>}
        >
          <Stack gap={0} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
            {list.map((one) => (
              <li key={one.uuid} style={{ borderTop: '1px solid var(--ohma-line)', padding: '10px 0' }}>
                <Group justify="space-between" wrap="nowrap">
                  <div style={{ minWidth: 0 }}>
                    <Text fw={600}>{one.name}</Text>
                    <Text fz={13} c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                      {[
                        t(`kind.${one.kind}`),
                        one.holder,
                        one.iban,
                        one.currency ?? t('sources.any'),
                        ...(one.active ? [] : [t('sources.ended')]),
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </Text>
                  </div>
                  <Button
                    size="compact-sm"
                    variant="default"
                    style={{ flexShrink: 0 }}
                    onClick={() => setEditing(one)}
                    aria-label={`${t('sources.edit')}: ${one.name}`}
                  >
                    {t('sources.edit')}
                  </Button>
                </Group>
              </li>
            ))}
          </Stack>
          {editing !== undefined && <SourceDialog of={editing === 'new' ? null : editing} onClose={() => setEditing(undefined)} />}
        </Panel>
      )}
    </QueryPage>
  )
}

const BLANK = {
  name: '',
  kind: 'bank' as PaymentSource['kind'] | null,
  holder: '',
  iban: '',
  bic: '',
  currency: null as string | null,
  decimal_sign: '.' as PaymentSource['decimal_sign'] | null,
  active: true,
}

function SourceDialog({ of, onClose }: { of: PaymentSource | null; onClose: () => void }) {
  const { t } = useTranslation('payout')
  const { currency } = useConstants()
  const done = { invalidate: [paymentSourceApi.list, invoiceApi.sources], savedText: t('sources.saved'), onSaved: onClose }
  const initial =
    of === null
      ? BLANK
      : {
          name: of.name,
          kind: of.kind as PaymentSource['kind'] | null,
          holder: of.holder,
          iban: of.iban,
          bic: of.bic,
          currency: of.currency,
          decimal_sign: of.decimal_sign as PaymentSource['decimal_sign'] | null,
          active: of.active,
        }
  const body = (values: typeof BLANK) => ({
    ...values,
    kind: values.kind ?? ('other' as const),
    decimal_sign: values.decimal_sign ?? ('.' as const),
  })
  const create = useSaveForm({ endpoint: paymentSourceApi.create, initial, toInput: (values) => ({ body: body(values) }), ...done })
  const update = useSaveForm({
    endpoint: paymentSourceApi.update,
    initial,
    toInput: (values) => ({ params: { uuid: of?.uuid ?? '' }, body: { ...body(values), version: of?.version ?? 0 } }),
    ...done,
  })
  const form = of === null ? create : update
  return (
    <DialogForm of={form} title={of?.name ?? t('sources.add')} action={t('mark.do')} onClose={onClose}>
      <TextField of={form} name="name" label={t('sources.name')} required />
      <SelectField
        of={form}
        name="kind"
        label={t('sources.kind')}
        options={SOURCE_KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
        required
      />
      {form.values.kind === 'bank' && (
        <>
          <TextField of={form} name="holder" label={t('sources.holder')} />
          <TextField of={form} name="iban" label="IBAN" />
          <TextField of={form} name="bic" label="BIC" />
        </>
      )}
      {form.values.kind === 'paypal' && (
        <SelectField
          of={form}
          name="decimal_sign"
          label={t('sources.decimal')}
          help={t('sources.decimal.help')}
          options={[
            { value: '.', label: '1234.50' },
            { value: ',', label: '1234,50' },
          ]}
          required
        />
      )}
      <SelectField of={form} name="currency" label={t('sources.currency')} placeholder={t('sources.any')} options={currency} />
      <SwitchField of={form} name="active" label={t('sources.active')} />
    </DialogForm>
  )
}
