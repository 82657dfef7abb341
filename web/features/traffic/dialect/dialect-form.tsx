import { Alert, Button, List, Select, Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { BLANK_DIALECT, DIALECT_METHODS, dialectApi, PRESET_KINDS, type Dialect } from '#contract/traffic/dialect.ts'
import { useConstants } from '#web/api/constants.ts'
import type { DialectOf, DialectValues, Presets, StoredDialect } from '#web/features/traffic/dialect/dialect-values.ts'
import { newInPreset, numbersOfAll, updatedBy } from '#web/features/traffic/dialect/mapping.ts'
import { DialectNames } from '#web/features/traffic/dialect/dialect-names.tsx'
import { DialectWords } from '#web/features/traffic/dialect/dialect-words.tsx'
import { MultiSelectField } from '#web/kit/fields/multi-select-field.tsx'
import { PasswordField } from '#web/kit/fields/password-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { Moment } from '#web/kit/show/moment.tsx'
import type english from './dialect.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    dialect: typeof english
  }
}

type Props = { advertiser: DialectOf; stored: StoredDialect; presets: Presets }

const NONE = 'none'
const OWN = 'own'
const HEADERS = ['x-shopify-hmac-sha256', 'x-wc-webhook-signature', 'x-signature', 'x-postback-signature'] as const

/** How the advertiser's system reports: chosen among those that are known, and then changed as this one differs. */
export function DialectForm({ advertiser, stored, presets }: Props) {
  const { t } = useTranslation('dialect')
  const { t: conversion } = useTranslation('conversion')
  const { currency } = useConstants()
  const form = useSaveForm({
    endpoint: dialectApi.update,
    record: stored,
    valuesOf: ({ dialect }) => valuesOf(dialect),
    toInput: (values, { version }) => ({
      params: { uuid: advertiser.uuid },
      body: { version, dialect: dialectOf(values), secret: values.secret === '' ? null : values.secret },
    }),
    invalidate: [dialectApi.get],
  })
  const choose = (system: string | null) => {
    const chosen = presets.find(({ id }) => id === system)
    if (chosen !== undefined) form.form.setValues({ ...valuesOf(chosen.dialect), secret: form.values.secret })
    else if (system === OWN) form.form.setValues({ ...form.values, system: OWN, dialect: { ...form.values.dialect, preset: '' } })
    else form.form.setValues({ ...valuesOf(null), secret: form.values.secret })
  }
  const { system } = form.values
  const preset = presets.find(({ id }) => id === system)
  const news = newInPreset(dialectOf(form.values), preset?.dialect)
  const update = () => {
    if (preset !== undefined) form.form.setFieldValue('dialect', updatedBy(form.values.dialect, preset.dialect))
  }
  return (
    <PageForm of={form} label={t('title')} action={t('save')}>
      <FormSection title={t('title')} text={t('text')}>
        <Select
          label={t('system')}
          description={t('systemHelp')}
          data={[
            { value: NONE, label: t('system.none') },
            { value: OWN, label: t('system.own') },
            ...PRESET_KINDS.map((kind) => ({
              group: t(`kind.${kind}`),
              items: presets.filter((one) => one.kind === kind).map(({ id, title }) => ({ value: id, label: title })),
            })),
          ]}
          value={system}
          onChange={choose}
          allowDeselect={false}
          searchable
          checkIconPosition="right"
          maxDropdownHeight={320}
          data-wide
        />
        {news !== null && (
          <Alert variant="light" color="yellow" title={t('news')} data-wide>
            <Text fz={14}>{t('newsText', { system: preset?.title ?? '' })}</Text>
            <List fz={14} mt={6}>
              {news.paths.map((path) => (
                <List.Item key={path}>
                  <code>{path}</code> – {t('path.one')}
                </List.Item>
              ))}
              {news.names.map(({ name, means }) => (
                <List.Item key={name}>
                  <code>{name}</code> – {t(`means.${means}`)}
                </List.Item>
              ))}
              {news.words.map(({ word, status, goal }) => (
                <List.Item key={`word ${word}`}>
                  <code>{word}</code> – {status === null ? goal : conversion(`status.${status}`)}
                </List.Item>
              ))}
            </List>
            <Button mt={10} variant="default" onClick={update}>
              {t('news.update')}
            </Button>
          </Alert>
        )}
        {stored.changed !== null && (
          <Text fz={13} c="dimmed" data-wide>
            {t('changed', { version: stored.version, name: stored.changed.by || t('somebody') })} <Moment at={stored.changed.at} />
          </Text>
        )}
        {system !== NONE && (
          <>
            <TextField of={form} name="dialect.path" label={t('path')} help={t('pathHelp')} />
            <MultiSelectField
              of={form}
              name="dialect.methods"
              label={t('methods')}
              options={DIALECT_METHODS.map((value) => ({ value, label: value }))}
              required
            />
          </>
        )}
      </FormSection>
      {system !== NONE && (
        <>
          <FormSection title={t('names')} text={t('namesText')}>
            <DialectNames of={form} />
            <SelectField
              of={form}
              name="dialect.others"
              label={t('others')}
              options={(['ask', 'pass'] as const).map((value) => ({ value, label: t(`others.${value}`) }))}
              help={t('othersHelp')}
            />
            <TextField of={form} name="dialect.list" label={t('list')} help={t('listHelp')} />
          </FormSection>
          <FormSection title={t('words')} text={t('wordsText')}>
            <DialectWords of={form} goals={stored.goals} />
          </FormSection>
          <FormSection title={t('amounts')}>
            <SelectField
              of={form}
              name="dialect.numbers"
              label={t('numbers')}
              options={numbersOfAll(stored.dialect ?? BLANK_DIALECT).map((value) => ({
                value,
                label: t(value === 'minor' ? 'numbers.minorNamed' : `numbers.${value}`),
              }))}
              required
            />
            <SelectField of={form} name="dialect.currency" label={t('currency')} options={currency} unset={t('currency.offer')} />
          </FormSection>
          <FormSection title={t('signature')} text={t('signatureText')}>
            <SelectField
              of={form}
              name="header"
              label={t('header')}
              options={HEADERS.map((value) => ({ value, label: value }))}
              unset={t('header.none')}
            />
            {form.values.header !== null && (
              <>
                <SelectField
                  of={form}
                  name="encoding"
                  label={t('encoding')}
                  options={(['base64', 'hex'] as const).map((value) => ({ value, label: t(`encoding.${value}`) }))}
                  required
                />
                <PasswordField
                  of={form}
                  name="secret"
                  label={t('secret')}
                  help={t(stored.has_secret ? 'secret.kept' : 'secret.none')}
                  autoComplete="new-password"
                />
              </>
            )}
          </FormSection>
        </>
      )}
    </PageForm>
  )
}

function valuesOf(dialect: Dialect | null): DialectValues {
  return {
    system: dialect === null ? NONE : dialect.preset || OWN,
    dialect: dialect ?? BLANK_DIALECT,
    header: dialect?.signature?.header ?? null,
    encoding: dialect?.signature?.encoding ?? 'base64',
    secret: '',
  }
}

function dialectOf({ system, dialect, header, encoding }: DialectValues): Dialect | null {
  if (system === NONE) return null
  const named = HEADERS.find((one) => one === header)
  return { ...dialect, signature: named === undefined ? null : { header: named, encoding } }
}
