import { lazy, Suspense } from 'react'
import { withinChunkTimeout } from '#web/chunk.ts'
import { loadLateTexts } from '#web/i18n/language.ts'

const Choices = lazy(async () => {
  const load = () => Promise.all([import('#web/features/network/notification/notification-choices.tsx'), loadLateTexts('notification')])
  return { default: (await withinChunkTimeout(load))[0].NotificationChoices }
})

/** The dialog in which one chooses what one is told of; it is fetched when somebody opens it. */
export function NotificationChoices({ onClose }: { onClose: () => void }) {
  return (
    <Suspense>
      <Choices onClose={onClose} />
    </Suspense>
  )
}
