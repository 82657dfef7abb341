import { Alert, List, Stack, Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { DialectOf, Presets, StoredDialect } from '#web/features/traffic/dialect/dialect-values.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { CopyField } from '#web/kit/show/copy-field.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { useRuntime } from '#web/shell/runtime.ts'

type Props = { advertiser: DialectOf; stored: StoredDialect; presets: Presets }

const OWN_QUERY = 'click_id={click_id}&status=approved&amount={amount}&txn_id={order_id}'

/** An address as the value of a parameter: our click id is put in when somebody clicks, what stays encoded is for the other system. */
export function calledBack(address: string): string {
  return encodeURIComponent(address).replace('%7Bclick_id%7D', '{click_id}')
}

/** The address to hand over for each goal, in the macros of the advertiser's system. */
export function GoalAddresses({ advertiser, stored, presets }: Props) {
  const { t } = useTranslation('dialect')
  const { tracking_url } = useRuntime()
  const preset = presets.find(({ id }) => id === stored.dialect?.preset)
  const query = preset === undefined ? OWN_QUERY : preset.query
  const token = advertiser.postback_auth === 'ip' ? '' : `token=${advertiser.postback_token}`
  const addressFor = (goal: string | null, secret = token) => {
    const named = goal === null ? query : `${query.replace(/(^|&)goal=[^&]*/, '')}&goal=${goal}`
    return `${tracking_url}/postback?${[named, secret].filter((part) => part !== '').join('&')}`.replace('?&', '?')
  }
  const isCalledBack = preset?.link.includes('{postback}') === true
  /** What goes into the link of an offer: of a system that is told there whom to call, a parameter for each call. */
  const linksOf = (link: string) =>
    (isCalledBack ? link.split('&') : [link]).flatMap((part) => {
      if (!part.includes('{postback}')) return part
      const goals = part.includes('EVENT_TOKEN') ? stored.goals.map(({ code }) => code) : [null]
      // whoever follows a link can read what stands in it: no token
      return goals.map((goal) => part.replace('{postback}', calledBack(addressFor(goal, ''))))
    })
  return (
    <Panel title={t('addresses')} text={t('addressesText')}>
      <Stack gap={12}>
        {preset === undefined && <Text fz={13}>{t('choose')}</Text>}
        {preset !== undefined && (
          <Text fz={13}>
            {preset.title}:{' '}
            {preset.seen_at === null ? (
              t('fromDocumentation')
            ) : (
              <>
                {t('seen')} <Moment at={preset.seen_at} />
              </>
            )}
          </Text>
        )}
        {preset !== undefined && (
          <div>
            {linksOf(preset.link).map((text) => (
              <CopyField key={text} label={t('link')} text={text} />
            ))}
            <Text fz={13} c="dimmed" mt={4}>
              {t('linkText', { system: preset.title })}
              {isCalledBack && ` ${t('linkEvents')}`}
            </Text>
          </div>
        )}
        {isCalledBack && token !== '' && (
          <Alert variant="light" color="var(--ohma-waiting)" title={t('linkOpen')}>
            <Text fz={14}>{t('linkOpenText', { system: preset?.title ?? '' })}</Text>
          </Alert>
        )}
        {query === '' ? (
          <>
            <CopyField label={t('address')} text={`${tracking_url}/postback${token === '' ? '' : `?${token}`}`} />
            <Text fz={13} c="dimmed">
              {t('webhook')}
            </Text>
            {preset !== undefined && preset.topics.length > 0 && (
              <Text fz={13}>
                {t('topics')}{' '}
                {preset.topics.map((topic, index) => (
                  <span key={topic}>
                    {index > 0 && ', '}
                    <code>{topic}</code>
                  </span>
                ))}
              </Text>
            )}
            {preset?.id === 'shopify' && <Text fz={13}>{t('topics.secret')}</Text>}
            {preset?.id === 'woocommerce' && <Text fz={13}>{t('topics.woo')}</Text>}
          </>
        ) : (
          <>
            <CopyField label={t('address')} text={addressFor(null)} />
            {stored.goals
              .filter(({ code }) => stored.goals.length > 1 || code !== stored.goals[0]?.code)
              .map(({ code, title }) => (
                <CopyField
                  key={code}
                  label={t('addressOf', { goal: title === code ? code : `${title} (${code})` })}
                  text={addressFor(code)}
                />
              ))}
          </>
        )}
        {preset !== undefined && query !== '' && !/(^|&)txn_id=/.test(query) && (
          <Alert variant="light" title={t('note.transactions', { system: preset.title })}>
            <Text fz={14}>{t('note.transactionsText')}</Text>
          </Alert>
        )}
        {preset?.id === 'everflow' && (
          <Alert variant="light" title={t('note.everflow')}>
            <Text fz={14}>{t('note.everflowText')}</Text>
          </Alert>
        )}
        <List fz={13} c="dimmed" spacing={4}>
          <List.Item>{t('about.goal')}</List.Item>
          <List.Item>{t('about.amount')}</List.Item>
          <List.Item>{t('about.braces')}</List.Item>
        </List>
      </Stack>
    </Panel>
  )
}
