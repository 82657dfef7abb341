/** S standard, AE reverse charge, E exempt, O outside the scope of VAT. */
export const VAT_CATEGORIES = ['S', 'AE', 'E', 'O'] as const
