import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useNavigate } from 'react-router'
import type { IntegrationDetail } from '#contract/leads/integration.ts'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { ReferenceSelect } from '#web/kit/fields/reference-select.tsx'
import type { ReferenceRow } from '#web/kit/list/filter.ts'
import { screenHref } from '#web/shell/access.ts'
import { Modal } from '#web/kit/page/modal.tsx'

/** Asks whose account in this system is to be made, and leads to its form with the system chosen. */
export function NewProduct({ integration, onClose }: { integration: Pick<IntegrationDetail, 'uuid' | 'title'>; onClose: () => void }) {
  const { t } = useTranslation('integration')
  const { t: kit } = useTranslation('kit')
  const navigate = useNavigate()
  const [chosen, setChosen] = useState<ReferenceRow | null>(null)
  const go = () => {
    const address = new URLSearchParams({ tab: 'products', product: 'new', integration: integration.uuid })
    if (chosen !== null) void navigate(`${screenHref('advertiserEdit', { uuid: chosen.uuid })}?${address}`)
  }
  return (
    <Modal opened onClose={onClose} title={t('newProduct')}>
      <Stack gap="md">
        <ReferenceSelect
          data-autofocus
          label={t('newProduct.whose')}
          description={t('newProduct.text', { name: integration.title })}
          endpoint={advertiserApi.options}
          value={chosen?.uuid ?? null}
          chosen={chosen}
          onChoose={setChosen}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {kit('cancel')}
          </Button>
          <Button disabled={chosen === null} onClick={go}>
            {t('newProduct.go')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
