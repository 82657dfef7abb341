import { lazy, Suspense } from 'react'
import { withinChunkTimeout } from '#web/chunk.ts'
import { loadLateTexts } from '#web/i18n/language.ts'

const Export = lazy(async () => {
  const load = () => Promise.all([import('#web/features/leads/user-session/export-contacts.tsx'), loadLateTexts('userSession')])
  return { default: (await withinChunkTimeout(load))[0].ExportContacts }
})

/** Takes the contacts of leads out with a reason, beside a list of whichever feature. */
export function LeadContacts(props: { asked: Readonly<Record<string, unknown>>; rows: number }) {
  return (
    <Suspense>
      <Export {...props} />
    </Suspense>
  )
}
