import { useTranslation } from '#web/i18n/use-translation.ts'
import type { ImportedKind } from '#contract/people/import.ts'

/** What a field of the import is called; '' for the row as a whole. */
export function useFieldNames(kind: ImportedKind): (field: string) => string {
  const { t } = useTranslation('import')
  return (field) => {
    // a person's company is one field, a company's name another
    const known = kind === 'advertiser' && field === 'country' ? 'company.country' : field
    return known === '' ? '' : t(`field.${known.replace('manager_uuid', 'manager')}` as 'field.name', { defaultValue: field })
  }
}
