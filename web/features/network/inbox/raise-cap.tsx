import { Button, Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { InboxRow } from '#contract/network/inbox.ts'
import { toUnits } from '#contract/money/amount.ts'
import { capChange, decimalPlaces, finerText } from '#contract/offers/offer-cap.ts'
import { capAmount, capTitle } from '#web/cap-words.ts'
import classes from '#web/features/network/inbox/inbox.module.css'
import { decimalsOf } from '#web/format.ts'
import { fieldText } from '#web/i18n/language.ts'
import { decimalText } from '#web/kit/fields/decimal.ts'

type RaiseCapProps = {
  cap: NonNullable<InboxRow['cap']>
  offer: string
  onClose: () => void
  onRaise: (limit: string, resume: boolean) => void
}

/** Asks in the row for a higher limit, and whether an offer it paused goes on: Enter raises the cap, Esc leaves it. */
export function RaiseCap({ cap, offer, onClose, onRaise }: RaiseCapProps) {
  const { t } = useTranslation('inboxRow')
  const [typed, setTyped] = useState(cap.limit)
  const [refused, setRefused] = useState(false)
  const [resumes, setResumes] = useState(cap.paused)
  const { period, scope, measure, limit: expected } = cap
  const limit = decimalText(typed)
  // what was approved late may stand above the limit: an offer that goes on needs room above that
  const least = resumes && toUnits(cap.used) > toUnits(expected) ? cap.used : expected
  const mistake = (() => {
    if (!capChange.safeParse({ period, scope, measure, limit, expected }).success || toUnits(limit) <= toUnits(least))
      return t('notAbove', { limit: capAmount(cap, least, cap.currency) })
    const most = decimalsOf(cap.currency)
    return measure === 'payout' && decimalPlaces(limit) > most ? fieldText(finerText(most)) : undefined
  })()
  return (
    // the keys of the list are not those of its field
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      className={classes.raise}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (mistake === undefined) onRaise(limit, resumes)
        else setRefused(true)
      }}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Escape') onClose()
      }}
    >
      <TextInput
        ref={chooseAll}
        size="xs"
        aria-label={t('newLimit', { offer, cap: capTitle(cap) })}
        inputMode={measure === 'payout' ? 'decimal' : 'numeric'}
        autoComplete="off"
        value={typed}
        error={refused ? mistake : undefined}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {cap.paused && (
        <Checkbox size="xs" label={t('resume')} checked={resumes} onChange={(event) => setResumes(event.currentTarget.checked)} />
      )}
      <Button type="submit" size="compact-sm" className={classes.verdict}>
        {t('raise')}
      </Button>
      <Button size="compact-sm" variant="default" className={classes.verdict} onClick={onClose}>
        {t('cancel')}
      </Button>
    </form>
  )
}

function chooseAll(input: HTMLInputElement | null): void {
  input?.focus()
  input?.select()
}
