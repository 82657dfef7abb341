import { FileButton } from '@mantine/core'
import { RichTextEditor } from '@mantine/tiptap'
import { IconPhoto } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { PICTURE_KINDS } from '#web/kit/fields/picture/picture-input.tsx'

/** The button of the toolbar that puts pictures into the text. */
export function PictureControl({ onChoose, busy }: { onChoose: (files: readonly File[]) => void; busy: boolean }) {
  const { t } = useTranslation('kit')
  return (
    <FileButton accept={PICTURE_KINDS.join(',')} multiple onChange={onChoose}>
      {(props) => (
        <RichTextEditor.Control {...props} aria-label={t('richText.picture')} title={t('richText.picture')} disabled={busy}>
          <IconPhoto size={16} stroke={1.5} aria-hidden />
        </RichTextEditor.Control>
      )}
    </FileButton>
  )
}
