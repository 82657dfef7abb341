import { useState } from 'react'
import { AffiliateSelect } from '#web/features/offers/offer/detail/affiliate-select.tsx'
import { LeadForm } from '#web/lead-form.tsx'

/** The form of an affiliate for its landings, for staff who put it there. */
export function AffiliateForm({ offer }: { offer: string }) {
  const [affiliate, setAffiliate] = useState<string | null>(null)
  const choose = (error: string | undefined) => <AffiliateSelect value={affiliate} error={error} onChange={setAffiliate} />
  return <LeadForm offer={offer} owner={{ affiliate, choose }} />
}
