import { useTranslation } from '#web/i18n/use-translation.ts'
import { CountryField } from '#web/kit/fields/country-field.tsx'
import type { FieldProps } from '#web/kit/fields/field.ts'
import { TextField } from '#web/kit/fields/text-field.tsx'
import type english from './document.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    document: typeof english
  }
}

type Party = { name: string; address: string; postcode: string; town: string; country: string | null; vat_id: string; registration: string }

/** Somebody on a document: who they are in law, and where. */
export function PartyFields<Values extends Party>({ of }: { of: FieldProps<Values>['of'] }) {
  const { t } = useTranslation('document')
  const form = of as FieldProps<Party>['of'] // it has these fields and more
  return (
    <>
      <TextField of={form} name="name" label={t('name')} help={t('nameHelp')} />
      <TextField of={form} name="registration" label={t('registration')} />
      <TextField of={form} name="address" label={t('address')} />
      <TextField of={form} name="postcode" label={t('postcode')} />
      <TextField of={form} name="town" label={t('town')} />
      <CountryField of={form} name="country" label={t('country')} />
      <TextField of={form} name="vat_id" label={t('vat_id')} help={t('vat_idHelp')} />
    </>
  )
}
