import { Button, Group, Paper, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { productApi, type ProductDetail, type ProductTest } from '#contract/leads/product.ts'
import { query, useSave } from '#web/api/query.ts'
import { callReasonWords } from '#web/call-reason.ts'
import { MadeCalls } from '#web/features/leads/product/made-calls.tsx'
import { SHOW_PRODUCT } from '#web/features/leads/product/show-product.ts'
import { wordsOf } from '#web/kit/status/status-look.ts'
import { OutcomeBadge } from '#web/outcome-badge.tsx'
import { useCountryOptions } from '#web/kit/fields/country-field.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import classes from './product.module.css'

/** What may be told of the person; what is left empty is made up for the country. */
const FIELDS = ['lead.first_name', 'lead.last_name', 'lead.email', 'lead.phone', 'lead.ip', 'lead.language'] as const

/** Sends a test lead to the advertiser's system, once, and shows both sides of it and what was made of the answer. */
export function TestConsole({ product }: { product: ProductDetail }) {
  const { t } = useTranslation('product')
  const countries = useCountryOptions()
  const [country, setCountry] = useState(product.geos[0] ?? 'DE')
  const [typed, setTyped] = useState<Record<string, string>>({})
  const [number, setNumber] = useState(product.newest ?? product.version_number)
  const [shown, setShown] = useState<string>()
  const numbers = [...new Set([product.version_number, product.newest ?? product.version_number])]
  const test = useSave(productApi.test, {
    invalidate: [...SHOW_PRODUCT, productApi.tests],
    onSuccess: ({ uuid }) => setShown(uuid),
  })
  const earlier = useQuery(query(productApi.tests, { params: { uuid: product.uuid }, body: { count: 10 } }))
  const runs: ProductTest[] = earlier.data?.list ?? []
  const run = test.data?.uuid === shown ? test.data : runs.find(({ uuid }) => uuid === shown)
  const send = (event: FormEvent) => {
    event.preventDefault()
    // it may stand in a dialog of another form, which must not be sent by it
    event.stopPropagation()
    const values = Object.fromEntries(Object.entries(typed).filter(([, value]) => value.trim() !== ''))
    test.mutate({ params: { uuid: product.uuid }, body: { version_number: number, values, country } })
  }
  return (
    <Paper withBorder p={20} component="section" aria-label={t('test')}>
      <Stack gap={14}>
        <div>
          <h3 className={classes.title}>{t('test')}</h3>
          <p className="ohma-soft">{t(product.ready ? 'testText.ready' : 'testText')}</p>
        </div>
        <form onSubmit={send} aria-label={t('test')}>
          <div className={classes.fields}>
            <Select
              label={t('test.country')}
              data={countries}
              value={country}
              onChange={(value) => setCountry(value ?? country)}
              allowDeselect={false}
              searchable
              limit={60}
            />
            {FIELDS.map((name) => (
              <TextInput
                key={name}
                label={t(`field.${name}`)}
                placeholder={t('test.made')}
                maxLength={2000}
                autoComplete="off"
                value={typed[name] ?? ''}
                onChange={(event) => {
                  const { value } = event.currentTarget
                  setTyped((before) => ({ ...before, [name]: value }))
                }}
              />
            ))}
            {numbers.length > 1 && (
              <Select
                label={t('version')}
                data={numbers.map((value) => ({ value: String(value), label: t('versionNumber', { number: value }) }))}
                value={String(number)}
                onChange={(value) => setNumber(Number(value ?? number))}
                allowDeselect={false}
              />
            )}
          </div>
          <Group mt={14} gap={12}>
            <Button type="submit" loading={test.isPending} leftSection={<IconSend size={16} aria-hidden />}>
              {t('test.send')}
            </Button>
            <Text fz={13} c="dimmed" role="status">
              {test.isPending ? t('test.waiting') : t('test.real')}
            </Text>
          </Group>
        </form>
        {run !== undefined && <Result run={run} />}
        {runs.length > 0 && (
          <div role="group" aria-label={t('test.earlier')}>
            <Text fz={13} fw={600}>
              {t('test.earlier')}
            </Text>
            {runs.map(({ uuid, at, outcome, by, reason }) => (
              <Group key={uuid} gap={8} mt={6}>
                <Button
                  variant={uuid === shown ? 'light' : 'subtle'}
                  size="compact-sm"
                  aria-pressed={uuid === shown}
                  onClick={() => setShown(uuid)}
                >
                  <Moment at={at} />
                </Button>
                <OutcomeBadge outcome={outcome} />
                <Text fz={13} c="dimmed">
                  {[by, callReasonWords(reason, wordsOf(t))].filter((part) => part !== null && part !== '').join(' · ')}
                </Text>
              </Group>
            ))}
          </div>
        )}
      </Stack>
    </Paper>
  )
}

function Result({ run: { outcome, reason, extracted, calls } }: { run: ProductTest }) {
  const { t } = useTranslation('product')
  return (
    <Stack gap={10} role="group" aria-label={t('test.result')}>
      <div>
        <OutcomeBadge outcome={outcome} /> {callReasonWords(reason, wordsOf(t))}
      </div>
      {extracted.external_id !== undefined && <Text fz={13}>{t('test.id', { id: extracted.external_id })}</Text>}
      {extracted.redirect_url !== undefined && <Text fz={13}>{t('test.redirect', { url: extracted.redirect_url })}</Text>}
      <MadeCalls calls={calls} />
    </Stack>
  )
}
