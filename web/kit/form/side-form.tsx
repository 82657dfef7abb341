import { Button, Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { formKeys } from '#web/kit/form/form-keys.ts'
import { FormProblems } from '#web/kit/form/form-problems.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import classes from '#web/kit/form/form.module.css'

type SideFormProps<Values> = {
  of: SaveForm<Values>
  title: string
  action: string
  /** It cannot be saved yet: something it needs is still on its way. */
  waiting?: boolean
  onClose: () => void
  /** Fields; they stand in one column. */
  children: ReactNode
}

/** A short form in a drawer beside the list it belongs to. Draw it only while it is open, so that it begins fresh each time. */
export function SideForm<Values>({ of, title, action, waiting = false, onClose, children }: SideFormProps<Values>) {
  const { t } = useTranslation('kit')
  const close = async () => {
    if (of.saving) return
    if (
      !of.dirty ||
      (await confirm({
        title: t('form.leave'),
        text: t('form.changesOf', { name: title }),
        action: t('leave.action'),
        cancel: t('leave.stay'),
        danger: true,
      }))
    )
      onClose()
  }
  return (
    <Drawer
      opened
      onClose={() => void close()}
      title={title}
      position="right"
      size={460}
      classNames={{ title: classes.sideTitle, body: classes.sideBody, content: classes.sideContent }}
    >
      {/* the keys belong to whichever field has the focus */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <form
        ref={(form) => form?.querySelector('input, textarea')?.setAttribute('data-autofocus', '')}
        className={classes.side}
        aria-label={title}
        noValidate
        onSubmit={(event) => (waiting ? event.preventDefault() : of.submit(event))}
        onKeyDown={formKeys}
      >
        <div className={classes.sideFields}>
          <FormProblems of={of} />
          {children}
        </div>
        <div className={classes.sideBar}>
          <Button variant="default" onClick={() => void close()} disabled={of.saving}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={of.saving} disabled={waiting}>
            {action}
          </Button>
        </div>
      </form>
    </Drawer>
  )
}
