import { ReasonButton } from '#web/kit/page/reason-button.tsx'
import type { RowAction } from '#web/kit/table/column.ts'
import { RowMenu } from '#web/kit/table/row-menu.tsx'

/** How many actions stand in the open. */
const OPEN = 4

type PageActionsProps = {
  /** In the order of how likely they are meant. */
  actions: readonly RowAction[]
  /** The id of the one that is the next step; none where nothing waits to be done. */
  primary?: string | undefined
}

/** What can be done with the thing of a page: buttons in the open, the next step last; only what is rare goes into ⋯, and never alone. */
export function PageActions({ actions, primary }: PageActionsProps) {
  const open = actions.length <= OPEN + 1 ? actions : actions.slice(0, OPEN)
  return (
    <>
      <RowMenu size="md" actions={actions.slice(open.length)} />
      {open
        .filter(({ id }) => id !== primary)
        .concat(open.filter(({ id }) => id === primary))
        .map(({ id, label, icon, onClick, danger, disabled, why }) => (
          <ReasonButton
            key={id}
            variant={id === primary ? 'filled' : 'default'}
            {...(danger && { c: 'var(--ohma-bad)' })}
            leftSection={icon}
            disabled={disabled ?? false}
            why={why}
            onClick={onClick}
          >
            {label}
          </ReasonButton>
        ))}
    </>
  )
}
