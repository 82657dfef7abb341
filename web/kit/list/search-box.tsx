import { CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'

type SearchBoxProps = { label: string; value: string; onSearch: (text: string) => void }

/** The search of a list: asks 250 ms after the last letter, at once on Enter. "/" brings the cursor here, Esc empties it. */
export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const { t } = useTranslation('kit')
  const [typed, setTyped] = useState(value)
  const box = useRef<HTMLInputElement>(null)
  const [asked, setAsked] = useState(value)

  // the address changed by other means: the back button, "Clear"
  if (value !== asked && typed.trim() === asked) {
    setAsked(value)
    setTyped(value)
  }

  const ask = (text: string) => {
    setAsked(text.trim())
    if (text.trim() !== value) onSearch(text.trim())
  }

  useEffect(() => {
    if (typed.trim() === value) return
    const timer = setTimeout(() => ask(typed), 250)
    return () => clearTimeout(timer)
    // only typing starts the wait
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [typed])

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping(event.target)) return
      event.preventDefault()
      box.current?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  const clear = () => {
    setTyped('')
    ask('')
  }

  return (
    <TextInput
      ref={box}
      type="search"
      size="xs"
      w={240}
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={typed && <CloseButton size="xs" aria-label={t('list.clear')} onClick={clear} />}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') ask(typed)
        else if (event.key === 'Escape' && typed) clear()
      }}
    />
  )
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.closest('input, textarea, select, [role=dialog]') !== null)
}
