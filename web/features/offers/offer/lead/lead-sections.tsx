import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import { IntegrityFields } from './integrity-fields.tsx'
import { LeadFields } from './lead-fields.tsx'
import type { ApiOfferValues } from './lead-values.ts'

/** What of an offer is about leads: who takes them, and what is looked at before. */
export function LeadSections({ of, isNew }: { of: SaveForm<ApiOfferValues>; isNew: boolean }) {
  return (
    <>
      <LeadFields of={of} isNew={isNew} />
      <IntegrityFields of={of} />
    </>
  )
}
