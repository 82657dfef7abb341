import type { ReactNode } from 'react'
import classes from '#web/kit/form/form.module.css'

type FormSectionProps = {
  title: string
  /** One sentence, where the title alone does not say it. */
  text?: string
  children: ReactNode
}

/** A titled group of fields: two columns from 1,024 px, one below. A field with `wide` takes both. */
export function FormSection({ title, text, children }: FormSectionProps) {
  return (
    <fieldset className={classes.section}>
      <legend className={classes.legend}>{title}</legend>
      {text && <p className={classes.about}>{text}</p>}
      <div className={classes.grid}>{children}</div>
    </fieldset>
  )
}
