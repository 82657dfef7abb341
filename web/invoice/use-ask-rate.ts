import { useTranslation } from '#web/i18n/use-translation.ts'
import { useNavigate } from 'react-router'
import { ERRORS } from '#contract/errors.ts'
import { CallError } from '#web/api/call-error.ts'
import { day } from '#web/format.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { screenHref, useCan } from '#web/shell/access.ts'

/** Where a document was refused because VAT cannot be told in the national currency, leads whoever keeps the rates to them. False where that was not why. */
export function useAskRate(): (error: unknown) => Promise<boolean> {
  const { t } = useTranslation('ledger')
  const can = useCan()
  const navigate = useNavigate()
  return async (error) => {
    if (!(error instanceof CallError) || !error.has(ERRORS.rate_missing.code)) return false
    const { currency = '', day: on = '' } = error.values
    if (!can('currency.rate')) return true
    const text = t('rateMissing.text', { currency, day: day(on) })
    if (await confirm({ title: t('rateMissing.ask'), text, action: t('rateMissing.open') }))
      void navigate(`${screenHref('settingsGeneral')}?tab=currencies&month=${on.slice(0, 7)}`)
    return true
  }
}
