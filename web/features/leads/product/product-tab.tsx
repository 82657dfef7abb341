import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { productApi } from '#contract/leads/product.ts'
import { query } from '#web/api/query.ts'
import { ProductCreate, type Choice } from '#web/features/leads/product/product-create.tsx'
import { ProductEdit } from '#web/features/leads/product/product-edit.tsx'
import { ProductList } from '#web/features/leads/product/product-list.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import type english from './product.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    product: typeof english
  }
}

/** The products of an advertiser: all of them, the one the address names (`?product=`), or a new one. */
export function ProductTab({ advertiser }: { advertiser: { uuid: string; name: string; currency: string } }) {
  const [search, setSearch] = useSearchParams()
  const key = search.get('product')
  const open = (product: string | null) =>
    setSearch((before) => {
      const after = new URLSearchParams(before)
      after.delete('integration')
      if (product === null) after.delete('product')
      else after.set('product', product)
      return after
    })
  if (key === null) return <ProductList advertiser={advertiser} onNew={() => open('new')} />
  if (key === 'new') return <NewProduct advertiser={advertiser} integration={search.get('integration')} onDone={open} />
  return <ProductEdit key={key} uuid={key} onBack={() => open(null)} />
}

type NewProps = { advertiser: { uuid: string; currency: string }; integration: string | null; onDone: (product: string | null) => void }

/** A new one, by the integration the address names (`?integration=`) where it does. */
function NewProduct({ advertiser, integration, onDone }: NewProps) {
  const { t } = useTranslation('product')
  const found = useQuery({
    ...query(productApi.integrations, { body: { search: integration ?? '' } }, { quiet: true }),
    enabled: integration !== null,
  })
  const form = (asked: Choice | undefined) => (
    <ProductCreate advertiser={advertiser} asked={asked} onMade={onDone} onCancel={() => onDone(null)} />
  )
  if (integration === null) return form(undefined)
  return (
    <QueryPage query={found} failed={t('failed')}>
      {({ list }) => form(list.find(({ uuid, version_number }) => uuid === integration && version_number !== null))}
    </QueryPage>
  )
}
