import { useSearchParams } from 'react-router'
import { ProductCreate } from '#web/features/leads/product/product-create.tsx'
import { ProductEdit } from '#web/features/leads/product/product-edit.tsx'
import { ProductList } from '#web/features/leads/product/product-list.tsx'
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
      if (product === null) after.delete('product')
      else after.set('product', product)
      return after
    })
  if (key === null) return <ProductList advertiser={advertiser} onNew={() => open('new')} />
  if (key === 'new') return <ProductCreate advertiser={advertiser} onMade={open} onCancel={() => open(null)} />
  return <ProductEdit key={key} uuid={key} onBack={() => open(null)} />
}
