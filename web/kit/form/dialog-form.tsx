import { Button } from '@mantine/core'
import { type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { formKeys } from '#web/kit/form/form-keys.ts'
import { FormProblems } from '#web/kit/form/form-problems.tsx'
import { ReasonButton } from '#web/kit/page/reason-button.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import classes from '#web/kit/form/form.module.css'
import { Modal } from '#web/kit/page/modal.tsx'

/** What the dialog needs of a form. */
type Shown = Pick<SaveForm<never>, 'id' | 'submit' | 'saving' | 'dirty' | 'problems' | 'reload'>

type DialogFormProps = {
  /** A form that saves, or what sends by itself. */
  of: Shown
  title: string
  /** What it is about, where the title does not name it. */
  text?: string
  action: string
  /** Whether it refuses, ends or removes: the button says so by its colour. */
  danger?: boolean
  /** Money moves by it: where nothing has to be filled in, it opens at its cancel button. */
  careful?: boolean
  /** Its width, where it holds more than a few fields. */
  size?: number
  /** Why it cannot be sent now, and what to do; undefined while it can be. */
  why?: string | undefined
  /** What comes of it, always in sight above the buttons. */
  outcome?: ReactNode
  onClose: () => void
  children: ReactNode
}

/** Two or three fields in a dialog: a reason, a password. Enter sends, Shift Enter begins a line. Draw it only while it is open. */
export function DialogForm({
  of,
  title,
  text,
  action,
  danger = false,
  careful = false,
  size = 460,
  why,
  outcome,
  onClose,
  children,
}: DialogFormProps) {
  const { t } = useTranslation('kit')
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      centered
      size={size}
      closeOnClickOutside={!of.dirty}
      styles={{ body: { background: 'inherit' } }}
    >
      {/* the keys belong to whichever field has the focus */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <form
        // the dialog opens where something is typed, not at its close button
        ref={(form) => (careful ? firstMissing(form) : form?.querySelector('input, textarea'))?.setAttribute('data-autofocus', '')}
        className={classes.dialog}
        aria-label={title}
        noValidate
        onSubmit={(event) => (why === undefined ? of.submit(event) : event.preventDefault())}
        onKeyDown={(event) => {
          formKeys(event)
          // a reason is sent by Enter, wherever it is typed
          const { key, target, nativeEvent } = event
          if (event.defaultPrevented || key !== 'Enter' || event.shiftKey || nativeEvent.isComposing) return
          if (event.ctrlKey || event.metaKey || !(target instanceof HTMLTextAreaElement)) return
          event.preventDefault()
          event.currentTarget.requestSubmit()
        }}
      >
        {text && <p className="ohma-soft">{text}</p>}
        <FormProblems of={of} />
        {children}
        <div className={classes.dialogBar}>
          {outcome && <div className={classes.outcome}>{outcome}</div>}
          <Button variant="default" onClick={onClose} disabled={of.saving} data-autofocus={careful || undefined}>
            {t('cancel')}
          </Button>
          {why === undefined ? (
            <Button type="submit" loading={of.saving} color={danger ? 'red.9' : undefined}>
              {action}
            </Button>
          ) : (
            <ReasonButton why={why} onClick={() => undefined}>
              {action}
            </ReasonButton>
          )}
        </div>
      </form>
    </Modal>
  )
}

/** The first field that has to be filled in and is not: Enter sends nothing from it, so that it is as careful a place as the cancel button. */
function firstMissing(form: HTMLFormElement | null): Element | undefined {
  const required = [...(form?.querySelectorAll<HTMLInputElement>('[aria-required=true]') ?? [])]
  // a choice that is made already shows nothing while its options load
  return required.find(({ value, readOnly }) => value === '' && !readOnly)
}
