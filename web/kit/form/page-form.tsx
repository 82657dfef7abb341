import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { formKeys } from '#web/kit/form/form-keys.ts'
import { FormProblems } from '#web/kit/form/form-problems.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import classes from '#web/kit/form/form.module.css'

type PageFormProps<Values> = {
  of: SaveForm<Values>
  /** Names the form for screen readers. */
  label: string
  /** The verb on the button: "Create affiliate", "Save changes". */
  action: string
  /** Another button that saves, beside it. */
  also?: { label: string; onClick: () => void } | undefined
  /** As wide as there is room: something stands beside the fields. */
  wide?: boolean
  /** The field that would have the focus opens over the others: nothing has it. */
  unfocused?: boolean
  /** Leads back without saving; used by forms that create something. */
  onCancel?: () => void
  /** `<FormSection>`s. */
  children: ReactNode
}

/** A form that fills a page: sections, and a bar at the bottom as soon as there is something to save. Ctrl/⌘ with S or Enter saves. */
export function PageForm<Values>({ of, label, action, also, wide = false, unfocused = false, onCancel, children }: PageFormProps<Values>) {
  const { t } = useTranslation('kit')
  const discard = async () => {
    if (await confirm({ title: t('form.leave'), text: t('form.changesOf', { name: label }), action: t('form.discard'), danger: true }))
      of.discard()
  }
  return (
    // the keys belong to whichever field has the focus
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      ref={onCancel && !unfocused ? focusFirst : undefined}
      className={classes.page}
      data-wide={wide || undefined}
      aria-label={label}
      noValidate
      onSubmit={of.submit}
      onKeyDown={formKeys}
    >
      <FormProblems of={of} />
      {children}
      {/* the state stays to be announced; without anything to save there is no bar around it */}
      <div className={classes.bar} data-idle={!onCancel && !of.dirty ? true : undefined}>
        <span className={classes.state} role="status">
          {of.dirty && (
            <>
              <span className={classes.dot} aria-hidden /> {t('form.unsaved')}
            </>
          )}
        </span>
        {(onCancel || of.dirty) && (
          <>
            <Button variant="default" onClick={onCancel ?? (() => void discard())} disabled={of.saving}>
              {t(onCancel ? 'cancel' : 'form.discard')}
            </Button>
            {also && (
              <Button variant="light" onClick={also.onClick} disabled={of.saving}>
                {also.label}
              </Button>
            )}
            <Button type="submit" loading={of.saving}>
              {action}
            </Button>
          </>
        )}
      </div>
    </form>
  )
}

/** Whoever makes something begins to type at once; on a phone a keyboard would cover what is to be read first. */
function focusFirst(form: HTMLFormElement | null): void {
  if (!matchMedia('(pointer: coarse)').matches) form?.querySelector<HTMLElement>('input, textarea')?.focus({ preventScroll: true })
}
