import { ActionIcon, Button } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import type { Say } from '#web/i18n/use-translation.ts'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { paymentSettingApi, type PaymentSystem } from '#contract/money/payment.ts'
import { useSave } from '#web/api/query.ts'
import { money } from '#web/format.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { LastChange } from '#web/last-change.tsx'
import { notify } from '#web/notify.ts'
import { SystemForm } from './system-form.tsx'
import classes from './payment.module.css'

type Settings = CallOutput<typeof paymentSettingApi.settings>
const MOST = 30

/** The payment systems in the order they are offered, each with what it pays; one is changed in a panel of its own. */
export function SystemList({ settings }: { settings: Settings }) {
  const { t } = useTranslation('payment')
  const [open, setOpen] = useState<number>()
  const { systems } = settings
  const { changed: _changed, ...kept } = settings
  const save = useSave(paymentSettingApi.updateSettings, {
    invalidate: [paymentSettingApi.settings],
    onSuccess: () => notify.success(t('savedList')),
  })
  const put = (next: PaymentSystem[]) => save.mutate({ body: { ...kept, systems: next } })
  const move = (place: number, by: number) => {
    const next = [...systems]
    const [moved] = next.splice(place, 1)
    if (moved !== undefined) next.splice(place + by, 0, moved)
    put(next)
  }
  const remove = async (place: number) => {
    const { name = '' } = systems[place] ?? {}
    const sure = { title: t('removeTitle', { name }), text: t('removeText'), action: t('remove'), danger: true }
    if (await confirm(sure)) put(systems.filter((_other, other) => other !== place))
  }
  return (
    <>
      <Panel
        title={t('systems')}
        text={t('systemsText')}
        actions={
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={systems.length >= MOST}
            onClick={() => setOpen(systems.length)}
          >
            {t('add')}
          </Button>
        }
      >
        {systems.length === 0 && <p className="ohma-soft">{t('noneYet')}</p>}
        <ol className={classes.methods}>
          {systems.map((system, place) => (
            <li key={system.code} className={classes.method}>
              <div className={classes.about}>
                <div className={classes.name}>
                  {system.name}
                  {!system.active && <StatusBadge tone="muted" label={t('off')} />}
                </div>
                <div className="ohma-soft">{t('pays', { amounts: minimumsOf(system) })}</div>
                <div className="ohma-soft">{feeWords(t, system)}</div>
              </div>
              <div className={classes.acts}>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('upOf', { name: system.name })}
                  disabled={place === 0 || save.isPending}
                  onClick={() => move(place, -1)}
                >
                  <IconArrowUp size={16} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('downOf', { name: system.name })}
                  disabled={place === systems.length - 1 || save.isPending}
                  onClick={() => move(place, 1)}
                >
                  <IconArrowDown size={16} aria-hidden />
                </ActionIcon>
                <Button size="compact-sm" variant="default" aria-label={t('editOf', { name: system.name })} onClick={() => setOpen(place)}>
                  {t('edit')}
                </Button>
                <ActionIcon
                  variant="subtle"
                  color="red"
                  aria-label={t('removeOf', { name: system.name })}
                  disabled={save.isPending}
                  onClick={() => void remove(place)}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              </div>
            </li>
          ))}
        </ol>
      </Panel>
      <LastChange of={{ kind: 'setting', part: 'payments' }} title={t('title')} known={settings.changed} />
      {open !== undefined && <SystemForm settings={settings} place={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

/** `50.00 USD · 2,000.00 UAH`, a currency without a minimum of its own by its code alone. */
function minimumsOf({ currencies, minimums }: PaymentSystem): string {
  return currencies.map((currency) => (minimums[currency] === undefined ? currency : money(minimums[currency], currency))).join(' · ')
}

function feeWords(t: Say<'payment'>, system: PaymentSystem): string {
  const { fee_fixed, fee_percent, fee_by } = system
  const parts = [...(Number(fee_percent) === 0 ? [] : [`${fee_percent} %`]), ...(Number(fee_fixed) === 0 ? [] : [fee_fixed])]
  return parts.length === 0 ? t('noFee') : `${t('fee', { amount: parts.join(' + ') })}, ${t(`feeOf.${fee_by}`)}`
}
