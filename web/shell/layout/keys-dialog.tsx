import { Flex, Group, Kbd, SimpleGrid, Stack, Text } from '@mantine/core'
import { useOs } from '@mantine/hooks'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Modal } from '#web/kit/page/modal.tsx'

type KeyText =
  | `keys.everywhere.${'palette' | 'search' | 'keys' | 'save' | 'close'}`
  | `keys.list.${'walk' | 'open' | 'choose'}`
  | `keys.panel.${'after' | 'before'}`
  | `keys.inbox.${'walk' | 'approve' | 'reject' | 'open'}`
  | `keys.report.${'today' | 'yesterday' | 'week' | 'month' | 'custom' | 'shift' | 'clear'}`

/** The keys of a place: what each does, and what is pressed. */
type Place = {
  title: 'keys.everywhere' | 'keys.list' | 'keys.panel' | 'keys.inbox' | 'keys.report'
  keys: readonly (readonly [KeyText, readonly string[]])[]
}

const EVERYWHERE: Place = {
  title: 'keys.everywhere',
  keys: [
    ['keys.everywhere.palette', ['mod', 'K']],
    ['keys.everywhere.search', ['/']],
    ['keys.everywhere.keys', ['?']],
    ['keys.everywhere.save', ['mod', 'S']],
    ['keys.everywhere.close', ['Esc']],
  ],
}
const LIST: Place = {
  title: 'keys.list',
  keys: [
    ['keys.list.walk', ['↑', '↓']],
    ['keys.list.open', ['Enter']],
    ['keys.list.choose', ['x']],
  ],
}
const PANEL: Place = {
  title: 'keys.panel',
  keys: [
    ['keys.panel.after', ['J']],
    ['keys.panel.before', ['K']],
  ],
}
const INBOX: Place = {
  title: 'keys.inbox',
  keys: [
    ['keys.inbox.walk', ['↑', '↓']],
    ['keys.inbox.approve', ['A']],
    ['keys.inbox.reject', ['R']],
    ['keys.inbox.open', ['Enter']],
  ],
}
const REPORT: Place = {
  title: 'keys.report',
  keys: [
    ['keys.report.today', ['D']],
    ['keys.report.yesterday', ['E']],
    ['keys.report.week', ['W']],
    ['keys.report.month', ['M']],
    ['keys.report.custom', ['C']],
    ['keys.report.shift', ['←', '→']],
    ['keys.report.clear', ['Esc']],
  ],
}

/** What `?` opens: the keys by which the panel is worked. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('layout')
  return (
    <Modal opened onClose={onClose} title={t('keys.title')} size={640}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
        <Stack gap="lg">
          <Keys {...EVERYWHERE} />
          <Keys {...INBOX} />
        </Stack>
        <Stack gap="lg">
          <Keys {...LIST} />
          <Keys {...PANEL} />
          <Keys {...REPORT} />
        </Stack>
      </SimpleGrid>
    </Modal>
  )
}

function Keys({ title, keys }: Place) {
  const { t } = useTranslation('layout')
  const apple = useOs() === 'macos'
  return (
    <div role="group" aria-labelledby={title}>
      <Text component="h3" fw={600} id={title} mb={6}>
        {t(title)}
      </Text>
      <dl>
        {keys.map(([what, pressed]) => (
          <Flex key={what} justify="space-between" align="center" gap="md" py={4}>
            <Text component="dt" fz={13.5}>
              {t(what)}
            </Text>
            <Group component="dd" gap={4} wrap="nowrap">
              {pressed.map((key) => (
                <Kbd key={key} size="sm">
                  {key === 'mod' ? (apple ? '⌘' : 'Ctrl') : key}
                </Kbd>
              ))}
            </Group>
          </Flex>
        ))}
      </dl>
    </div>
  )
}
