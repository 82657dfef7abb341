import { Button } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { withinChunkTimeout } from '#web/chunk.ts'
import { loadLateTexts } from '#web/i18n/language.ts'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'

const ImportDrawer = lazy(async () => {
  const load = () => Promise.all([import('#web/features/traffic/conversion-import/import-drawer.tsx'), loadLateTexts('conversionImport')])
  return { default: (await withinChunkTimeout(load))[0].ImportDrawer }
})

/** Opens the import of results over a list; it stands in the address as `import`, so that one may leave and come back. `refresh` is what it changes. */
export function ConversionImportButton({ refresh }: { refresh: readonly Endpoint[] }) {
  const { t } = useTranslation('kit')
  const { open, show, close } = usePanelAddress('import')
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<IconFileImport size={15} aria-hidden />}
        onClick={() => show('new')}
      >
        {t('import')}
      </Button>
      <Suspense>{open !== null && <ImportDrawer uuid={open} refresh={refresh} onShow={show} onClose={close} />}</Suspense>
    </>
  )
}
