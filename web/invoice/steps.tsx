import { Facts } from '#web/kit/page/facts.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { Moment } from '#web/kit/show/moment.tsx'

type Step = { at: string; event: string; actor: string | null; reason: string }

/** What became of an invoice, of either side, step by step: when, by whom, and why. */
export function Steps({
  of,
  title,
  eventOf,
  nobody,
}: {
  of: readonly Step[]
  title: string
  eventOf: (event: string) => string
  /** Who did what no person did. */
  nobody: string
}) {
  return (
    <Panel title={title}>
      <Facts
        of={of.map(({ at, event, actor, reason }) => [
          eventOf(event),
          <span key={at}>
            <Moment at={at} /> · {actor ?? nobody}
            {reason !== '' && ` · ${reason}`}
          </span>,
        ])}
      />
    </Panel>
  )
}
