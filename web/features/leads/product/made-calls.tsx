import { Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { MadeCall } from '#contract/leads/product.ts'
import { stepName } from '#web/lead-call-name.ts'
import { integer } from '#web/format.ts'
import { wordsOf } from '#web/kit/status/status-look.ts'
import classes from './product.module.css'

/** Calls as they went out, without secrets, beside what came back and the rules that fit. */
export function MadeCalls({ calls }: { calls: readonly MadeCall[] }) {
  const { t } = useTranslation('product')
  const { t: integration } = useTranslation('integration')
  return calls.map((call) => (
    <div key={call.step} className={classes.sides} role="group" aria-label={stepName(call.step, wordsOf(integration))}>
      <div>
        <Text fz={13} fw={600}>
          {stepName(call.step, wordsOf(integration))}
        </Text>
        {call.missing.length > 0 ? (
          <Text fz={13}>{t('call.missing', { names: call.missing.join(', ') })}</Text>
        ) : (
          <pre className={classes.code}>{textOf([`${call.method} ${call.url}`, ...call.headers.map(headerText)], call.body ?? '')}</pre>
        )}
      </div>
      <div>
        <Text fz={13} fw={600}>
          {call.answer === null ? t('call.none') : t('call.answer', { ms: integer(call.answer.duration_ms) })}
        </Text>
        {call.answer !== null && (
          <pre className={classes.code}>
            {call.answer.status === null
              ? t(`error.${call.answer.error}` as 'error.timed_out')
              : textOf([`HTTP ${call.answer.status}`, ...call.answer.headers.map(headerText)], call.answer.body)}
          </pre>
        )}
        {call.fits.length > 0 && (
          <Text fz={13}>
            {call.fits.map((fits, index) => (
              // rules are known by their place
              // oxlint-disable-next-line react/no-array-index-key
              <span key={index} className={classes.rule} data-fits={fits || undefined}>
                {t(index === call.rule ? 'rule.decides' : fits ? 'rule.fits' : 'rule.not', { number: index + 1 })}
              </span>
            ))}
          </Text>
        )}
      </div>
    </div>
  ))
}

function headerText({ name, value }: { name: string; value: string }): string {
  return `${name}: ${value}`
}

function textOf(head: readonly string[], body: string): string {
  return [...head, '', body].join('\n').trim()
}
