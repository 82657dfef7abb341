import { Button } from '@mantine/core'
import { IconCreditCard } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { MOST_METHODS, paymentMethodApi } from '#contract/money/payment.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { query } from '#web/api/query.ts'
import { exactTime, money } from '#web/format.ts'
import { EmptyState } from '#web/kit/feedback/empty-state.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import { useSession } from '#web/shell/session.ts'
import { MethodDialog } from './method-dialog.tsx'
import { ProofDialog } from './proof-dialog.tsx'
import { UnconfirmedDialog } from './unconfirmed-dialog.tsx'
import classes from './payment.module.css'

type Own = CallOutput<typeof paymentMethodApi.list>
type Method = Own['list'][number]
type Doing = { what: 'save'; method: Method | null } | { what: 'first' | 'remove'; method: Method }

/** Where affiliates are paid, the first one first. */
export function OwnMethods() {
  const { t } = useTranslation('payment')
  const found = useQuery(query(paymentMethodApi.list, {}))
  return (
    <QueryPage query={found} failed={t('failed')}>
      {(own) => <Methods own={own} />}
    </QueryPage>
  )
}

function Methods({ own }: { own: Own }) {
  const { t } = useTranslation('payment')
  const { acting } = useSession()
  const zone = useZone()
  const [doing, setDoing] = useState<Doing>()
  const { list, systems } = own
  const close = () => setDoing(undefined)
  // without a code nothing of it could be saved
  const isStopped = own.confirmed_by === 'nothing'
  const add = systems.length > 0 && !acting && list.length < MOST_METHODS && (
    <Button onClick={() => setDoing({ what: 'save', method: null })}>{t('own.add')}</Button>
  )
  return (
    <>
      <Panel title={t('own.methods')} actions={list.length > 0 ? add : undefined}>
        {acting && <p className="ohma-soft">{t('own.acting')}</p>}
        {systems.length === 0 && <p className="ohma-soft">{t('own.noSystems')}</p>}
        {list.length === 0 && systems.length > 0 && (
          <EmptyState
            icon={<IconCreditCard size={26} stroke={1.6} aria-hidden />}
            title={t('own.empty.title')}
            text={t('own.empty.text')}
            action={add}
          />
        )}
        {list.length > 0 && <p className="ohma-soft">{t('own.text')}</p>}
        <ol className={classes.methods}>
          {list.map((method, place) => (
            <li key={method.uuid} className={classes.method}>
              <div className={classes.about}>
                <div className={classes.name}>
                  {method.system_name}
                  {place === 0 && <StatusBadge tone="good" label={t('own.firstBadge')} />}
                  {!method.offered && <StatusBadge tone="bad" label={t('own.notOffered')} />}
                </div>
                <div className="ohma-number">{method.masked}</div>
                {method.locked_until !== null && (
                  <p className="ohma-soft">{t('own.locked', { time: exactTime(method.locked_until, zone) })}</p>
                )}
              </div>
              {!acting && (
                <>
                  {place > 0 && (
                    <Button size="compact-sm" variant="subtle" onClick={() => setDoing({ what: 'first', method })}>
                      {t('own.first')}
                    </Button>
                  )}
                  {systems.length > 0 && (
                    <Button size="compact-sm" variant="default" onClick={() => setDoing({ what: 'save', method })}>
                      {t('own.edit')}
                    </Button>
                  )}
                  <Button size="compact-sm" variant="subtle" c="var(--ohma-bad)" onClick={() => setDoing({ what: 'remove', method })}>
                    {t('own.remove')}
                  </Button>
                </>
              )}
            </li>
          ))}
        </ol>
      </Panel>
      <Panel title={t('own.terms')}>
        <p>
          {t(`schedule.${own.schedule}`)} · {t(`net.${own.net}`)}
        </p>
        <ul className="ohma-soft">
          {systems.map(({ code, name, minimums, currencies }) => (
            <li key={code}>
              {name}:{' '}
              {t('own.minimum', {
                // the one of the own currency, and all where it is not paid in that
                amounts: (currencies.includes(own.currency) ? [own.currency] : currencies)
                  .map((currency) => money(minimums[currency] ?? '0', currency))
                  .join(' / '),
              })}
            </li>
          ))}
        </ul>
      </Panel>
      {doing !== undefined && isStopped && <UnconfirmedDialog onClose={close} />}
      {doing?.what === 'save' && !isStopped && <MethodDialog own={own} method={doing.method} onClose={close} />}
      {(doing?.what === 'first' || doing?.what === 'remove') && !isStopped && (
        <ProofDialog own={own} method={doing.method} what={doing.what} onClose={close} />
      )}
    </>
  )
}
