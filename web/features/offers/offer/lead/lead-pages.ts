export { LeadOfferCreate } from './lead-create.tsx'
export { LeadOfferDetail } from './lead-detail.tsx'
export { LeadOfferEdit } from './lead-edit.tsx'
