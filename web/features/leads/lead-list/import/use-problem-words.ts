import { useTranslation } from '#web/i18n/use-translation.ts'
import type { LeadListRowProblem } from '#contract/leads/lead-list-import.ts'

/** Why a row of a file is not taken, in words, with the field that is about. */
export function useProblemWords(): (problem: LeadListRowProblem) => string {
  const { t } = useTranslation('leadListImport')
  return ({ field, code }) =>
    field === '' ? t(`problem.${code}`) : t('problemOf', { field: t(`field.${field}`), problem: t(`problem.${code}`) })
}
