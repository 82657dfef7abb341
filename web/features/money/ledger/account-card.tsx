import { Fragment } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { Money } from '#web/kit/show/money.tsx'
import type { Figure } from './figures.ts'
import classes from './ledger.module.css'

type AccountCardProps = {
  currency: string
  figures: readonly Figure[]
  isOpen: (figure: Figure) => boolean
  onOpen: (figure: Figure) => void
}

/** The figures of one currency; each opens its entries. */
export function AccountCard({ currency, figures, isOpen, onOpen }: AccountCardProps) {
  const { t } = useTranslation('ledger')
  return (
    <Panel title={currency}>
      <div>
        {figures.map((figure, index) => {
          const opensOurs = figure.ours === true && figures[index - 1]?.ours !== true
          const look = { ...(figure.part && { 'data-part': true }), ...(figure.main && { 'data-main': true }) }
          const shown = (
            <>
              <span>{figure.label}</span>
              <Money amount={figure.amount} currency={currency} />
            </>
          )
          const row =
            figure.kinds.length === 0 ? (
              <div key={figure.id} className={classes.figure} style={{ cursor: 'default', background: 'none' }} {...look}>
                {shown}
              </div>
            ) : (
              <button
                key={figure.id}
                type="button"
                className={classes.figure}
                aria-pressed={isOpen(figure)}
                aria-label={`${figure.label}, ${currency}`}
                onClick={() => onOpen(figure)}
                {...look}
              >
                {shown}
              </button>
            )
          return opensOurs ? (
            <Fragment key={figure.id}>
              <div className={classes.ours}>{t('inBooks')}</div>
              {row}
            </Fragment>
          ) : (
            row
          )
        })}
      </div>
    </Panel>
  )
}
