import { Button, TextInput } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { copyAloud } from '#web/kit/show/copy.ts'

type CopyFieldProps = {
  label: string
  text: string
  /** One of several lines, none of them what the page is for: its button does not stand out. */
  quiet?: boolean
  /** For what is shown once: told that it was copied, by the button or by hand, and the button has the focus as soon as it is there. */
  onCopied?: () => void
}

/** A long link or key in full with a button beside it. */
export function CopyField({ label, text, quiet = false, onCopied }: CopyFieldProps) {
  const { t } = useTranslation('kit')
  return (
    <div style={{ display: 'flex', gap: 8, alignItems: 'flex-end' }}>
      <TextInput
        label={label}
        value={text}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
        onCopy={onCopied}
        style={{ flex: 1, minWidth: 0 }}
      />
      <Button
        ref={onCopied && takeFocus}
        data-autofocus={onCopied && true}
        variant={quiet ? 'default' : 'filled'}
        leftSection={<IconCopy size={16} aria-hidden />}
        onClick={() => void copyAloud(text).then((copied) => copied && onCopied?.())}
      >
        {t('copy')}
      </Button>
    </div>
  )
}

function takeFocus(button: HTMLButtonElement | null): void {
  button?.focus()
}
