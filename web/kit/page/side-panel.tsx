import { ActionIcon, Drawer, Group } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'

type SidePanelProps = {
  title: string
  size: number
  /** The key of what is shown, and those of the rows it was opened from, in their order. */
  open: string
  among: readonly string[]
  onShow: (key: string) => void
  onClose: () => void
  children: ReactNode
}

/** One row of a list, whole, over the list: J and K go to the next and the one before, Esc closes, and the focus is on the row looked at last. */
export function SidePanel({ title, size, open, among, onShow, onClose, children }: SidePanelProps) {
  const { t } = useTranslation('kit')
  const at = among.indexOf(open)
  const [before, after] = at === -1 ? [] : [among[at - 1], among[at + 1]]
  const go = (key: string | undefined) => key !== undefined && onShow(key)
  // a dialog above it has the keys
  const onTop = () => document.querySelectorAll('[role=dialog]').length === 1
  // a key has its place whatever letter the keyboard writes there
  useHotkeys([
    ['J', () => onTop() && go(after), { usePhysicalKeys: true }],
    ['K', () => onTop() && go(before), { usePhysicalKeys: true }],
  ])
  useEscape(onClose)
  const last = useRef(open)
  useEffect(() => {
    last.current = open
  }, [open])
  useEffect(() => {
    const opener = document.activeElement
    return () => {
      const row = document.querySelector(`[data-row="${CSS.escape(last.current)}"]`) ?? opener
      if (row instanceof HTMLElement) row.focus()
    }
  }, [])
  const step = (key: string | undefined, label: string, icon: ReactNode) => (
    <ActionIcon variant="default" size={30} aria-label={label} title={label} disabled={key === undefined} onClick={() => go(key)}>
      {icon}
    </ActionIcon>
  )
  return (
    <Drawer
      opened
      onClose={onClose}
      closeOnEscape={false}
      position="right"
      size={size}
      title={
        <Group gap={10} wrap="nowrap">
          {among.length > 1 && at !== -1 && (
            <Group gap={4} wrap="nowrap">
              {step(before, t('panel.before'), <IconChevronUp size={16} aria-hidden />)}
              {step(after, t('panel.after'), <IconChevronDown size={16} aria-hidden />)}
            </Group>
          )}
          <span style={{ overflowWrap: 'anywhere' }}>{title}</span>
        </Group>
      }
    >
      {children}
    </Drawer>
  )
}

/** Escape closes what lies on top alone: a dialog over the panel takes the key for itself. Asked before the dialog has closed, as it was opened later. */
function useEscape(onClose: () => void): void {
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || document.querySelectorAll('[role=dialog]').length !== 1) return
      // a list or menu that is open takes the key for itself, as it does in dialogs
      if (event.target instanceof Element && event.target.getAttribute('data-mantine-stop-propagation') === 'true') return
      close.current()
    }
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [])
}
