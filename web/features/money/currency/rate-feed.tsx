import { Button, Group, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { RATE_FEEDS, rateFeedApi, rateTableApi } from '#contract/money/currency-rate.ts'
import { currencyRateApi } from '#contract/money/currency.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { query, refetchInbox, useSave } from '#web/api/query.ts'
import { useDeliveryWords } from '#web/delivery-words.ts'
import { day as dayText } from '#web/format.ts'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { SettingForm } from '#web/setting-form.tsx'

const RATES = [rateTableApi.feedState, rateTableApi.month, rateTableApi.history, currencyRateApi.list]

/** Where rates are fetched from day by day, and what came of it last. */
export function RateFeed() {
  const { t } = useTranslation('currency')
  return (
    <QueryPage query={useQuery(query(rateFeedApi.read, {}))} failed={t('feed.failed')}>
      {(feed) => <FeedForm feed={feed} />}
    </QueryPage>
  )
}

function FeedForm({ feed }: { feed: CallOutput<typeof rateFeedApi.read> }) {
  const { t } = useTranslation('currency')
  const form = useSaveForm({
    endpoint: rateFeedApi.update,
    record: feed,
    valuesOf: ({ feed: from, url }) => ({ feed: from as string, url }),
    // a word of the contract: the box holds no other
    toInput: ({ feed: from, url }, { version }) => ({ body: { feed: from as 'none', url: from === 'url' ? url : '', version } }),
    invalidate: [rateFeedApi.read, ...RATES],
  })
  const { feed: chosen } = form.values
  return (
    <SettingForm of={form} section="rate-feed" label={t('feed.title')} changed={feed.changed}>
      <FormSection title={t('feed.title')} text={t('feed.text')}>
        <SelectField
          of={form}
          name="feed"
          label={t('feed.from')}
          help={chosen === 'ecb' || chosen === 'nbu' ? t('feed.documented') : undefined}
          options={RATE_FEEDS.map((value) => ({ value, label: t(`feed.${value}`) }))}
        />
        {chosen === 'url' && <TextField of={form} name="url" label={t('feed.address')} help={t('feed.addressHelp')} required />}
        {feed.feed !== 'none' && <State />}
      </FormSection>
    </SettingForm>
  )
}

function State() {
  const { t } = useTranslation('currency')
  const client = useQueryClient()
  const words = useDeliveryWords()
  const { data } = useQuery({ ...query(rateTableApi.feedState, {}), refetchInterval: 15_000 })
  const fetchNow = useSave(rateTableApi.fetchNow, { invalidate: RATES, onSuccess: () => void refetchInbox(client) })
  if (data === undefined) return null
  const { last, last_ok_at, next_at } = data
  const failed = last !== null && last.problem !== ''
  return (
    <Group justify="space-between" align="flex-start" role="status">
      <div>
        <Text size="sm" c={failed ? 'red' : undefined}>
          {last === null && t('feed.notYet')}
          {last !== null && !failed && t('feed.ok', { count: last.changed, day: last.day === null ? '' : dayText(last.day) })}
          {failed &&
            t('feed.problem', {
              why: t(`feed.problem.${last.problem}` as 'feed.problem.base_missing', { defaultValue: words(last.problem) }),
            })}
        </Text>
        {last !== null && (
          <Text size="sm" c="dimmed">
            {t('feed.at')} <Moment at={last.at} />
            {failed && last_ok_at !== null && (
              <>
                {' · '}
                {t('feed.lastOk')} <Moment at={last_ok_at} />
              </>
            )}
            {next_at !== null && (
              <>
                {' · '}
                {t('feed.next')} <Moment at={next_at} />
              </>
            )}
          </Text>
        )}
        {last !== null && last.without.length > 0 && (
          <Text size="sm" c="dimmed">
            {t('feed.without', { currencies: last.without.join(', ') })}
          </Text>
        )}
      </div>
      <Button variant="default" size="xs" loading={fetchNow.isPending} onClick={() => fetchNow.mutate({})}>
        {t('feed.now')}
      </Button>
    </Group>
  )
}
