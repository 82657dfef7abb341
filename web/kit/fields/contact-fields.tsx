import { TextField } from '#web/kit/fields/text-field.tsx'
import type { FieldName, SaveForm } from '#web/kit/form/use-save-form.ts'

/** Where somebody is reached beside the e-mail: the fields of the contract's `contacts`, called by their names in every language. */
export function ContactFields<Values extends { contacts: Record<'telegram' | 'skype' | 'linkedin', string> }>({
  of,
}: {
  of: SaveForm<Values>
}) {
  const name = (network: keyof Values['contacts'] & string) => `contacts.${network}` as FieldName<Values> // Values has them, as said above
  return (
    <>
      <TextField of={of} name={name('telegram')} label="Telegram" />
      <TextField of={of} name={name('skype')} label="Skype" />
      <TextField of={of} name={name('linkedin')} label="LinkedIn" wide />
    </>
  )
}
