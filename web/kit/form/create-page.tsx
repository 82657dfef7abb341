import type { ReactNode } from 'react'
import { PageForm } from '#web/kit/form/page-form.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import { PageHeader } from '#web/kit/page/page-header.tsx'

type CreatePageProps<Values> = {
  of: SaveForm<Values>
  /** What is made: "New affiliate". */
  title: string
  /** One sentence beneath the title, where there is more to know. */
  text?: string
  /** The verb on the button: "Create affiliate". */
  action: string
  /** Another way to make it: saves, and goes on to something. */
  also?: { label: string; onClick: () => void }
  /** Leads back to the list. */
  onCancel: () => void
  /** `<FormSection>`s. */
  children: ReactNode
}

/** A page that makes something. What follows once it is made, `onSaved` of its form decides. */
export function CreatePage<Values>({ of, title, text, action, also, onCancel, children }: CreatePageProps<Values>) {
  return (
    <>
      <PageHeader title={title} facts={text === undefined ? [] : [text]} />
      <PageForm of={of} label={title} action={action} also={also} onCancel={onCancel}>
        {children}
      </PageForm>
    </>
  )
}
