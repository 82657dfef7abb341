import { useTranslation } from '#web/i18n/use-translation.ts'
import { BROKEN_AFTER } from '#contract/offers/offer-landing.ts'
import { Moment } from '#web/kit/show/moment.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'

type Check = { checked_at: string | null; check_status: number | null; check_error: string; failures: number }

/** Whether the page was there when it was last asked for: a badge, and why not. `full` adds when that was. */
export function LandingCheck({ of, full = false }: { of: Check; full?: boolean }) {
  const { t } = useTranslation('landing')
  if (of.checked_at === null) return <StatusBadge tone="muted" label={t('check.never')} />
  const why =
    of.check_error === ''
      ? `HTTP ${of.check_status ?? ''}`
      : t(`check.${of.check_error}` as 'check.failed', { defaultValue: of.check_error }) // a word the texts may not know
  const tone = of.failures === 0 ? 'good' : of.failures < BROKEN_AFTER ? 'waiting' : 'bad'
  return (
    <span title={why}>
      <StatusBadge tone={tone} label={of.failures === 0 ? t('check.works') : why} />
      {full && (
        <>
          {' '}
          {of.failures > 0 && t('check.inARow', { count: of.failures })} <Moment at={of.checked_at} />
        </>
      )}
    </span>
  )
}
