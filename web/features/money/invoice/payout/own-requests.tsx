import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import type { CallOutput } from '#contract/endpoint.ts'
import { ledgerApi } from '#contract/money/ledger.ts'
import { ownRequestApi } from '#contract/money/payout-request.ts'
import { query, useSave } from '#web/api/query.ts'
import { dateTime, money } from '#web/format.ts'
import { REQUEST_STATE } from '#web/features/money/invoice/payout/payout-words.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { notify } from '#web/notify.ts'
import { screenHref } from '#web/shell/access.ts'

const SHOWN = [ownRequestApi.options, ownRequestApi.list, ledgerApi.ownAccounts]
type Option = CallOutput<typeof ownRequestApi.options>['list'][number]

/** Asks to be paid what is available, in each currency, and what became of earlier requests. */
export function OwnRequests() {
  const { t } = useTranslation('request')
  const options = useQuery(query(ownRequestApi.options, {}))
  const requests = useQuery(query(ownRequestApi.list, { body: { count: 10 } }))
  return (
    <Panel title={t('request.title')} text={t('request.text')}>
      <QueryPage query={options} failed={t('problem.request_open')}>
        {({ list }) => {
          const some = list.filter(({ available }) => !/^-|^0(\.0*)?$/.test(available))
          return some.length === 0 ? (
            <p className="ohma-soft">{t('request.nothing')}</p>
          ) : (
            <Stack gap={10} maw={560}>
              {/* what can be asked for first */}
              {some
                .toSorted((a, b) => Number(a.problem !== null) - Number(b.problem !== null))
                .map((one) => (
                  <Ask key={one.currency} option={one} />
                ))}
            </Stack>
          )
        }}
      </QueryPage>
      {requests.data !== undefined && requests.data.list.length > 0 && (
        <Stack gap={8} component="section" aria-label={t('own.requests')}>
          <h3>{t('own.requests')}</h3>
          {requests.data.list.map((one) => (
            <Group key={one.uuid} gap="sm">
              <Money amount={one.amount} currency={one.currency} />
              <Status of={REQUEST_STATE} value={one.state} />
              <Text fz={13} c="dimmed" component="span">
                <Moment at={one.decided_at ?? one.created_at} />
              </Text>
              {one.reason !== '' && <Text fz={13}>{one.reason}</Text>}
              {one.state === 'open' && <Withdraw uuid={one.uuid} sum={money(one.amount, one.currency)} />}
            </Group>
          ))}
        </Stack>
      )}
    </Panel>
  )
}

function Ask({ option: { currency, available, minimum, problem, locked_until } }: { option: Option }) {
  const { t } = useTranslation('request')
  const zone = useZone()
  const create = useSave(ownRequestApi.create, { invalidate: SHOWN, onSuccess: () => notify.success(t('request.toast')) })
  const sum = money(available, currency)
  const ask = async () => {
    const text = t('request.askText', { currency, sum })
    if (await confirm({ title: t('request.ask', { sum }), text, action: t('request'), careful: true }))
      create.mutate({ body: { currency } })
  }
  const words = { available: sum, minimum: money(minimum, currency), currency, time: dateTime(locked_until, zone) }
  return (
    <Group justify="space-between" gap="sm" wrap="nowrap">
      <div>
        <Text fw={600}>{sum}</Text>
        {problem !== null && (
          <Text fz={13} c="dimmed">
            {t(`problem.${problem}`, words)}{' '}
            {problem === 'no_method' && (
              <Anchor component={Link} fz="inherit" to={screenHref('settingsPaymentsOwn')}>
                {t('toSettings')}
              </Anchor>
            )}
          </Text>
        )}
      </div>
      {problem === null && (
        <Button variant="light" flex="none" aria-label={`${t('request')}: ${sum}`} loading={create.isPending} onClick={() => void ask()}>
          {t('request')}
        </Button>
      )}
    </Group>
  )
}

function Withdraw({ uuid, sum }: { uuid: string; sum: string }) {
  const { t } = useTranslation('request')
  const withdraw = useSave(ownRequestApi.withdraw, { invalidate: SHOWN, onSuccess: () => notify.success(t('withdrawn.toast')) })
  const ask = async () => {
    if (await confirm({ title: t('withdraw.ask'), text: t('withdraw.text', { sum }), action: t('withdraw'), careful: true }))
      withdraw.mutate({ params: { uuid } })
  }
  return (
    <Button size="compact-sm" variant="subtle" loading={withdraw.isPending} onClick={() => void ask()}>
      {t('withdraw')}
    </Button>
  )
}
