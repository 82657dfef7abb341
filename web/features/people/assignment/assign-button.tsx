import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import type { AssignedKind } from '#contract/people/assignment.ts'
import { withinChunkTimeout } from '#web/chunk.ts'
import { loadLateTexts } from '#web/i18n/language.ts'
import type { Chosen } from '#web/kit/list/use-list.ts'
import { useCan } from '#web/shell/access.ts'
import type english from './assignment.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    assignment: typeof english
  }
}

const AssignDialog = lazy(async () => {
  const dialog = withinChunkTimeout(() => import('#web/features/people/assignment/assign-dialog.tsx'))
  const [{ AssignDialog: component }] = await Promise.all([dialog, loadLateTexts('assignment')])
  return { default: component }
})

type AssignButtonProps = {
  list: Chosen
  kind: AssignedKind
  /** Endpoints whose answers show whose it is. */
  refresh: readonly Endpoint[]
}

/** A bulk action that gives all chosen rows to one manager; nothing for those who see only their own. */
export function AssignButton({ list, kind, refresh }: AssignButtonProps) {
  const { t } = useTranslation('kit')
  const can = useCan()
  const [open, setOpen] = useState(false)
  if (!can('manager.write')) return null
  return (
    <>
      <Button size="compact-sm" variant="light" onClick={() => setOpen(true)}>
        {t('assignManager')}
      </Button>
      <Suspense>
        {open && (
          <AssignDialog
            kind={kind}
            uuids={list.chosen().map(({ uuid }) => uuid)}
            refresh={refresh}
            onClose={() => setOpen(false)}
            onDone={() => (setOpen(false), list.select(new Set()))}
          />
        )}
      </Suspense>
    </>
  )
}
