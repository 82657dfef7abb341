import { BatchList } from '#web/features/money/reconciliation/batch-list.tsx'
import { BatchPage } from '#web/features/money/reconciliation/batch-page.tsx'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'

/** /billing?view=reconcile: reports of advertisers held against what we have; one of them whole where the address names it. */
export function Reconcile() {
  const { open, show } = usePanelAddress('batch')
  return open === null ? <BatchList onOpen={show} /> : <BatchPage key={open} uuid={open} onOpen={show} />
}
