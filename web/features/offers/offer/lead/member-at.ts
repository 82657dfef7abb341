import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import type { ApiOfferValues, MemberValues } from './lead-values.ts'

/** What the rows of a product's terms take: the form, and where in it the product stands. */
export type MemberProps = { of: SaveForm<ApiOfferValues>; path: `groups.${number}.members.${number}` }

/** The product at a path of the form. */
export function memberAt({ values }: SaveForm<ApiOfferValues>, path: MemberProps['path']): MemberValues | undefined {
  const [, group, , place] = path.split('.')
  return values.groups[Number(group)]?.members[Number(place)]
}
