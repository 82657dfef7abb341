import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { ProductDetail } from '#contract/leads/product.ts'
import { withinChunkTimeout } from '#web/chunk.ts'
import { loadLateTexts } from '#web/i18n/language.ts'

const Loaded = lazy(async () => {
  const console = withinChunkTimeout(() => import('#web/features/leads/product/test-console.tsx'))
  return {
    default: (await Promise.all([console, loadLateTexts('product'), loadLateTexts('integration'), loadLateTexts('callReason')]))[0]
      .TestConsole,
  }
})

/** Sends test leads to a product, wherever somebody needs it tested; fetched when it is. */
export function ProductTest({ product }: { product: ProductDetail }) {
  return (
    <Suspense fallback={<Skeleton height={320} />}>
      <Loaded product={product} />
    </Suspense>
  )
}
