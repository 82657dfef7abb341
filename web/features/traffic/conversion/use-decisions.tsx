import { IconArrowBackUp, IconCheck, IconTrash, IconX } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Conversion } from '#web/features/traffic/conversion/conversion-life.ts'
import { Decline, NEXT, useDecide, type Decidable, type Decision } from '#web/features/traffic/conversion/decide.tsx'
import type { RowAction } from '#web/kit/table/column.ts'
import { useCan } from '#web/shell/access.ts'

const ICONS: Record<Decision, ReactNode> = {
  approved: <IconCheck size={16} aria-hidden />,
  declined: <IconX size={16} aria-hidden />,
  trash: <IconTrash size={16} aria-hidden />,
  pending: <IconArrowBackUp size={16} aria-hidden />,
}

/** Decisions about conversions, in menus and for many at once: `dialog` has to be drawn; `onDone` follows a decision that was sent. */
export function useDecisions(onDone: () => void = () => {}) {
  const { t } = useTranslation('conversion')
  const mayDecide = useCan()('conversion.decide')
  const { decide } = useDecide()
  const [asking, setAsking] = useState<{ rows: readonly Decidable[]; status: 'declined' | 'trash' }>()

  const start = (rows: readonly Decidable[], status: Decision) => {
    if (status === 'declined' || status === 'trash') setAsking({ rows, status })
    else void decide(rows, status).then(onDone)
  }
  return {
    mayDecide,
    start,
    /** What is on an invoice, or paid, waits for nothing any more. */
    actionsFor: (row: Conversion): RowAction[] =>
      mayDecide
        ? NEXT[row.status]
            .filter((status) => row.payment_state === 'open' || status !== 'pending')
            .map((status) => ({
              id: status,
              label: t(row.status === 'hold' && status === 'approved' ? 'decide.release' : `decide.${status}`),
              icon: ICONS[status],
              danger: status === 'declined' || status === 'trash',
              onClick: () => start([row], status),
            }))
        : [],
    dialog: asking && <Decline {...asking} onClose={() => setAsking(undefined)} onDone={onDone} />,
  }
}

/** The decision a conversion waits for; none where it waits for nobody. */
export function nextStep({ status }: Pick<Conversion, 'status'>): Decision | undefined {
  return status === 'pending' ? 'approved' : undefined
}
