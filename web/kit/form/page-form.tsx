import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormProblems } from '#web/kit/form/form-problems.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import classes from '#web/kit/form/form.module.css'

type PageFormProps<Values> = {
  of: SaveForm<Values>
  /** Names the form for screen readers. */
  label: string
  /** The verb on the button: "Create affiliate", "Save changes". */
  action: string
  /** Leads back without saving; used by forms that create something. */
  onCancel?: () => void
  /** `<FormSection>`s. */
  children: ReactNode
}

/** A form that fills a page: sections, and a bar at the bottom that always shows whether there is something to save. Ctrl/⌘ Enter saves. */
export function PageForm<Values>({ of, label, action, onCancel, children }: PageFormProps<Values>) {
  const { t } = useTranslation('kit')
  return (
    // the keys belong to whichever field has the focus
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      className={classes.page}
      aria-label={label}
      noValidate
      onSubmit={of.submit}
      onKeyDown={(event) => {
        // keys pressed in a drawer or dialog arrive here too, and are none of this form's
        if (!(event.target instanceof Node && event.currentTarget.contains(event.target))) return
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
      }}
    >
      <FormProblems of={of} />
      {children}
      <div className={classes.bar}>
        <span className={classes.state} role="status">
          {of.dirty && (
            <>
              <span className={classes.dot} aria-hidden /> {t('form.unsaved')}
            </>
          )}
        </span>
        {onCancel ? (
          <Button variant="default" onClick={onCancel} disabled={of.saving}>
            {t('cancel')}
          </Button>
        ) : (
          <Button variant="default" onClick={of.discard} disabled={!of.dirty || of.saving}>
            {t('form.discard')}
          </Button>
        )}
        <Button type="submit" loading={of.saving} disabled={!onCancel && !of.dirty}>
          {action}
        </Button>
      </div>
    </form>
  )
}
