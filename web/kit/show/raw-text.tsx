import { Code } from '@mantine/core'

/** What strangers sent or were sent, as it was: shown as text, never as markup; long ones scroll. */
export function RawText({ children }: { children: string }) {
  return (
    <Code
      block
      // keys scroll it
      tabIndex={0}
      mah={220}
      px="sm"
      bd="1px solid var(--ohma-line)"
      style={{ overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
    >
      {children}
    </Code>
  )
}
