import { Button, Tooltip, VisuallyHidden, type ButtonProps } from '@mantine/core'
import { useId, type Ref } from 'react'

type ReasonButtonProps = ButtonProps & {
  /** Why it cannot be pressed now and what to do; undefined while it can be. */
  why: string | undefined
  onClick: () => void
  ref?: Ref<HTMLButtonElement>
}

/** A button that says why it cannot be pressed: on hover, on focus, on a touch and to whoever listens. It keeps its place in the order of Tab. */
export function ReasonButton({ why, onClick, children, ...button }: ReasonButtonProps) {
  const id = useId()
  const closed = why !== undefined
  return (
    <>
      <Tooltip label={why} disabled={!closed} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
        <Button
          {...button}
          data-disabled={closed || undefined}
          aria-disabled={closed || undefined}
          aria-describedby={closed ? id : undefined}
          onClick={() => {
            if (!closed) onClick()
          }}
        >
          {children}
        </Button>
      </Tooltip>
      {closed && <VisuallyHidden id={id}>{why}</VisuallyHidden>}
    </>
  )
}
