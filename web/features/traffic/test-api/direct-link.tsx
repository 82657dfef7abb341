import { Stack } from '@mantine/core'
import { useState } from 'react'
import { TestApiPage } from '#web/shell/settings/test-api-page.tsx'
import { TestCall } from '#web/features/traffic/test-api/test-call.tsx'
import { TestClick } from '#web/features/traffic/test-api/test-click.tsx'
import { TestLinkForm } from '#web/features/traffic/test-api/test-link-form.tsx'
import { useTestClick, type TestLink } from '#web/features/traffic/test-api/use-test-click.ts'

/** /settings/test-api/direct-link: a test link, the click made by it, and what its advertiser would report of it, one after the other. */
export function DirectLink() {
  const [link, setLink] = useState<TestLink | null>(null)
  const looked = useTestClick(link)
  return (
    <TestApiPage>
      <Stack gap={16}>
        <TestLinkForm made={link} onMade={setLink} />
        <TestClick link={link} looked={looked} />
        <TestCall key={looked.click?.click_id} link={link} click={looked.click} />
      </Stack>
    </TestApiPage>
  )
}
