import { Group, Stack } from '@mantine/core'
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import type { simulation } from '#contract/offers/offer.ts'
import type { OfferDetail } from '#web/features/offers/offer/form/offer-values.ts'
import { termsWords } from '#web/features/offers/offer/rule-words.ts'
import { useVerdictWords } from '#web/verdict-words.ts'
import { CopyField } from '#web/kit/show/copy-field.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import classes from '#web/features/offers/offer/detail/simulation-result.module.css'

type Check = 'malformed' // any key of its kind: the tracker's checks are texts on the wire

/** What a simulated click meets: the outcome, where it leads, each check, and what each goal would bring. */
export function SimulationResult({ result, offer }: { result: z.output<typeof simulation>; offer: OfferDetail }) {
  const { t } = useTranslation('offer')
  const { t: report } = useTranslation('report')
  const words = useVerdictWords()
  return (
    <Stack gap="sm" aria-live="polite">
      <Group gap="6px 12px">
        <StatusBadge tone={result.outcome === 'redirect' ? 'good' : 'bad'} label={t(`outcome.${result.outcome}`)} />
        {result.reason !== '' && <span>{report(`code.${result.reason}` as 'code.no_access', { defaultValue: '' })}</span>}
      </Group>
      {result.destination === null ? (
        <p className="ohma-soft">{t('simulator.noDestination')}</p>
      ) : (
        <CopyField label={t('simulator.destination')} text={result.destination} />
      )}
      {result.way !== null && <p className="ohma-soft">{t(`simulator.way.${result.way}`)}</p>}
      {result.landing !== null && (
        <p className="ohma-soft">
          {result.prelanding === null
            ? t('simulator.landing', { name: result.landing.name })
            : t('simulator.through', { before: result.prelanding.name, name: result.landing.name })}
        </p>
      )}
      <h3>{t('simulator.checks')}</h3>
      <ul className={classes.verdicts}>
        {result.verdicts.map(({ check, passed, detail }) => (
          <li key={check} data-failed={!passed || undefined}>
            {passed ? (
              <IconCircleCheck size={17} aria-label={t('simulator.passed')} />
            ) : (
              <IconCircleX size={17} aria-label={t('simulator.failed')} />
            )}
            <span>{t(`check.${check as Check}`)}</span>
            {detail !== null && <span className="ohma-soft">{words(detail)}</span>}
          </li>
        ))}
      </ul>
      {result.payouts.length > 0 && (
        <>
          <h3>{t('simulator.payouts')}</h3>
          <ul className={classes.verdicts}>
            {result.payouts.map((one) => (
              <li key={one.goal.uuid}>
                <span>{one.goal.title}</span>
                <span className="ohma-soft">
                  {one.rule === null
                    ? t('simulator.noRule')
                    : t('simulator.paid', {
                        payout: termsWords(t, one.payout_fixed, one.payout_percent, offer.currency),
                        revenue: termsWords(t, one.revenue_fixed, one.revenue_percent, offer.currency),
                        row: one.rule + 1,
                      })}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Stack>
  )
}
