import { useTranslation } from '#web/i18n/use-translation.ts'
import { LineValue, TONES, useLineName, type Line } from '#web/features/network/system/line-words.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import classes from '#web/features/network/system/system.module.css'

/** Lines of the system page: name, figure, state, and beneath what is not well what to do about it. */
export function LineList({ lines }: { lines: readonly Line[] }) {
  const { t, i18n } = useTranslation('system')
  const nameOf = useLineName()
  return (
    <ul className={classes.lines}>
      {lines.map((line) => {
        const advice = [`advice.${line.id}.${line.problem}`, `advice.${line.problem}`].find((key) => i18n.exists(key, { ns: 'system' }))
        return (
          <li key={`${line.id} ${line.subject}`} className={classes.entry}>
            <span className={classes.name}>{nameOf(line)}</span>
            <span className={classes.value}>
              <LineValue of={line} />
            </span>
            {isUntried(line) ? (
              <StatusBadge tone="muted" label={t('state.none')} />
            ) : (
              <StatusBadge tone={TONES[line.state]} label={t(`state.${line.state}`)} />
            )}
            {advice !== undefined && (
              <p className={classes.advice}>
                {t(advice as 'advice.silent')}
                {line.detail !== '' && <span className={classes.detail}>{line.detail}</span>}
              </p>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** What nobody has done yet, or cannot be done, is neither good nor bad. */
function isUntried({ state, problem }: Line): boolean {
  return state === 'ok' && problem !== null
}
