import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { conversionApi, type ConversionStatus, type DECISIONS } from '#contract/traffic/conversion.ts'
import { dashboardApi } from '#contract/network/dashboard.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { call } from '#web/api/call.ts'
import { invalidate } from '#web/api/query.ts'
import { date, integer } from '#web/format.ts'
import type { Conversion } from '#web/features/traffic/conversion/conversion-life.ts'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { offerUndo } from '#web/kit/feedback/undo-toast.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { notify } from '#web/notify.ts'

export type Decision = (typeof DECISIONS)[number]
type Refusal = Extract<Decision, 'declined' | 'trash'>
/** What is decided about; what it is called stands in the dialog. */
export type Decidable = Pick<Conversion, 'uuid' | 'id' | 'status' | 'goal' | 'offer' | 'affiliate'>
type Answer = CallOutput<typeof conversionApi.decide>

const ANSWERS = [conversionApi.list, conversionApi.get, dashboardApi.staff] as const
const MOST = 1000

/** What staff may decide about a conversion in a status; `approved` releases one on hold. */
export const NEXT: Readonly<Record<ConversionStatus, readonly Decision[]>> = {
  pending: ['approved', 'declined', 'trash'],
  hold: ['approved', 'declined', 'trash', 'pending'],
  approved: ['declined', 'trash', 'pending'],
  declined: ['approved', 'pending', 'trash'],
  trash: ['pending', 'approved'],
}

/** Decides on conversions, says what came of it, and offers to take it back. More than a thousand go in several calls. */
export function useDecide() {
  const { t } = useTranslation('conversion')
  const client = useQueryClient()
  const zone = useZone()

  const ask = async (rows: readonly Decidable[], status: Decision, reason: string): Promise<Answer> => {
    const answer: Answer = { changed: 0, refused: [], decisions: [], hold_until: null }
    try {
      for (let from = 0; from < rows.length; from += MOST) {
        const uuids = rows.slice(from, from + MOST).map((row) => row.uuid)
        const {
          changed,
          refused,
          decisions,
          hold_until: held,
        } = await call(conversionApi.decide, {
          body: { uuids, status, reason, expected: seenAs(rows) },
        })
        answer.changed += changed
        answer.refused.push(...refused)
        answer.decisions.push(...decisions)
        if (held !== null && (answer.hold_until === null || held > answer.hold_until)) answer.hold_until = held
      }
    } catch {
      // the call has said why; some thousands may have been decided before it
    }
    await invalidate(client, ANSWERS)
    return answer
  }

  const undo = async (decisions: Answer['decisions']) => {
    try {
      for (let from = 0; from < decisions.length; from += MOST)
        tellRefused((await call(conversionApi.undo, { body: { decisions: decisions.slice(from, from + MOST) } })).refused)
    } catch {
      // the call has said why
    }
    await invalidate(client, ANSWERS)
  }

  const tellRefused = (refused: Answer['refused']) => {
    for (const [why, those] of Map.groupBy(refused, (one) => one.reason)) {
      const text = t(`refused.${why}` as 'refused.not_found', { defaultValue: why }) // reasons the file does not know stay as they are
      notify.error(t('notDecided', { count: those.length, number: integer(those.length), reason: text }))
    }
  }

  const tell = (status: Decision, { changed, refused, decisions, hold_until: held }: Answer) => {
    tellRefused(refused)
    const [count, number] = [changed, integer(changed)]
    const said = held === null ? t(`done.${status}`, { count, number }) : t('done.held', { count, number, day: date(held, zone) })
    if (changed > 0) offerUndo(said, () => void undo(decisions))
  }

  return { tell, decide: async (rows: readonly Decidable[], status: Decision) => tell(status, await ask(rows, status, '')), ask }
}

type DeclineProps = { rows: readonly Decidable[]; status: Refusal; onClose: () => void; onDone: () => void }

/** Asks for the reason the affiliates will read, then declines conversions or marks them as trash. */
export function Decline({ rows, status, onClose, onDone }: DeclineProps) {
  const { t } = useTranslation('conversion')
  const { ask, tell } = useDecide()
  const form = useSaveForm({
    endpoint: conversionApi.decide,
    initial: { reason: '' },
    // the first thousand is the form's own call, the rest follows
    toInput: ({ reason }) => ({ body: { uuids: rows.slice(0, MOST).map((row) => row.uuid), status, reason, expected: seenAs(rows) } }),
    invalidate: ANSWERS,
    savedText: '',
    onSaved: async (first, { reason }) => {
      onClose()
      onDone()
      const rest = rows.length > MOST ? await ask(rows.slice(MOST), status, reason) : { changed: 0, refused: [], decisions: [] }
      tell(status, {
        changed: first.changed + rest.changed,
        refused: [...first.refused, ...rest.refused],
        decisions: [...first.decisions, ...rest.decisions],
        // what is declined is on hold no more
        hold_until: null,
      })
    },
  })
  const [one] = rows.length === 1 ? rows : []
  return (
    <DialogForm
      of={form}
      title={
        one === undefined
          ? t(`ask.${status}`, { count: rows.length, number: integer(rows.length) })
          : t(`ask.one.${status}`, { id: one.id })
      }
      text={namesOf(rows)}
      action={t(`decide.${status}`)}
      danger
      onClose={onClose}
    >
      <TextField of={form} name="reason" label={t('reason')} help={`${t('reasonHelp')} ${t('ask.enter')}`} required />
    </DialogForm>
  )
}

/** The status they were decided about in, where it is one: what somebody moved meanwhile is refused. */
function seenAs([first, ...others]: readonly Decidable[]): ConversionStatus | undefined {
  return others.every(({ status }) => status === first?.status) ? first?.status : undefined
}

const NAMED = 3

/** Whose conversions they are: goal, offer and affiliate of each of the first. */
function namesOf(rows: readonly Decidable[]): string {
  const names = rows
    .slice(0, NAMED)
    .map(({ goal, offer, affiliate }) => [goal?.title, offer.name, affiliate?.name].filter(Boolean).join(' · '))
  return [...new Set(names)].join('; ') + (rows.length > NAMED ? ' …' : '')
}
