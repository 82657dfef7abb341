import { Button } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { withinChunkTimeout } from '#web/chunk.ts'
import { loadLateTexts } from '#web/i18n/language.ts'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'

const ImportDrawer = lazy(async () => {
  const load = () =>
    Promise.all([
      import('#web/features/leads/lead-list/import/import-drawer.tsx'),
      loadLateTexts('leadListImport'),
      loadLateTexts('leadList'),
    ])
  return { default: (await withinChunkTimeout(load))[0].ImportDrawer }
})

/** Opens the files of a list over its page; it stands in the address as `file`, so that one may leave and come back. */
export function ImportPeopleButton({ list }: { list: string }) {
  const { t } = useTranslation('leadList')
  const { open, show, close } = usePanelAddress('file')
  return (
    <>
      <Button variant="default" leftSection={<IconFileImport size={16} aria-hidden />} onClick={() => show('new')}>
        {t('fromFile')}
      </Button>
      <Suspense>{open !== null && <ImportDrawer list={list} uuid={open} onShow={show} onClose={close} />}</Suspense>
    </>
  )
}
