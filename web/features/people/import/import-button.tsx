import { Button } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import type { ImportedKind } from '#contract/people/import.ts'
import { withinChunkTimeout } from '#web/chunk.ts'
import { loadLateTexts } from '#web/i18n/language.ts'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'
import type english from './import.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    import: typeof english
  }
}

const ImportDrawer = lazy(async () => {
  const drawer = withinChunkTimeout(() => import('#web/features/people/import/import-drawer.tsx'))
  const [{ ImportDrawer: component }] = await Promise.all([drawer, loadLateTexts('import')])
  return { default: component }
})

/** Opens the import over a list; it stands in the address as `import`, so that one may leave and come back. `refresh` is what it changes. */
export function ImportButton({ kind, refresh }: { kind: ImportedKind; refresh: readonly Endpoint[] }) {
  const { t } = useTranslation('kit')
  const { open, show, close } = usePanelAddress('import')
  return (
    <>
      <Button variant="default" leftSection={<IconFileImport size={16} aria-hidden />} onClick={() => show('new')}>
        {t('import')}
      </Button>
      <Suspense>{open !== null && <ImportDrawer kind={kind} uuid={open} refresh={refresh} onShow={show} onClose={close} />}</Suspense>
    </>
  )
}
