import { Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { ProductChoice } from '#contract/leads/api-offer.ts'
import { productApi } from '#contract/leads/product.ts'
import { query } from '#web/api/query.ts'
import { ProductTest } from '#web/product-test.tsx'
import { Modal } from '#web/kit/page/modal.tsx'

/** Why a product cannot be taken yet, and the test after which it can. */
export function TestFirst({ product, onReady, onClose }: { product: ProductChoice; onReady: () => void; onClose: () => void }) {
  const { t } = useTranslation('offer')
  const found = useQuery(query(productApi.get, { params: { uuid: product.uuid } }))
  return (
    <Modal opened onClose={onClose} title={t('lead.testTitle', { name: product.name })} size={820}>
      <Stack gap={14}>
        <p>{t('lead.testText', { advertiser: product.advertiser.name })}</p>
        {found.data !== undefined && <ProductTest product={found.data} />}
        <Button disabled={found.data?.ready !== true} onClick={onReady} style={{ alignSelf: 'start' }}>
          {t('lead.testDone')}
        </Button>
      </Stack>
    </Modal>
  )
}
