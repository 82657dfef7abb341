import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { formKeys } from '#web/kit/form/form-keys.ts'
import { FormProblems } from '#web/kit/form/form-problems.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import classes from '#web/kit/form/form.module.css'
import style from './set-up.module.css'

type StepFormProps<Values> = {
  of: SaveForm<Values>
  label: string
  action: string
  ways: WaysProps
  children: ReactNode
}

/** A few fields that are saved before it goes on. */
export function StepForm<Values>({ of, label, action, ways, children }: StepFormProps<Values>) {
  return (
    // the keys belong to whichever field has the focus
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form className={classes.page} aria-label={label} noValidate onSubmit={of.submit} onKeyDown={formKeys}>
      <FormProblems of={of} />
      {children}
      <Ways {...ways}>
        <Button type="submit" loading={of.saving}>
          {action}
        </Button>
      </Ways>
    </form>
  )
}

type WaysProps = { back: (() => void) | undefined; skip?: (() => void) | undefined; children?: ReactNode }

/** Back, on without doing it, and whatever does it. */
export function Ways({ back, skip, children }: WaysProps) {
  const { t } = useTranslation('setUp')
  return (
    <div className={style.bar}>
      {back && (
        <Button variant="subtle" color="gray" onClick={back}>
          {t('back')}
        </Button>
      )}
      {skip && (
        <Button variant="default" onClick={skip}>
          {t('skip')}
        </Button>
      )}
      {children}
    </div>
  )
}
