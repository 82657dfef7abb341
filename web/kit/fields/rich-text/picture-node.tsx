import { TextInput } from '@mantine/core'
import { mergeAttributes, Node, NodeViewWrapper, ReactNodeViewRenderer, type ReactNodeViewProps } from '@tiptap/react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Picture } from '#web/kit/show/picture.tsx'

/** An uploaded picture in a text: `<img data-file="<uuid>" alt="…">`, a paragraph of its own. */
export const PictureNode = Node.create({
  name: 'picture',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({
    file: {
      default: null,
      parseHTML: (element: HTMLElement) => element.dataset['file'] ?? null,
      renderHTML: ({ file }: { file?: string }) => ({ 'data-file': file }),
    },
    alt: { default: '' },
  }),
  parseHTML: () => [{ tag: 'img[data-file]' }],
  renderHTML: ({ HTMLAttributes }) => ['img', mergeAttributes(HTMLAttributes)],
  addNodeView: () => ReactNodeViewRenderer(PictureView),
})

/** The picture while it is edited, with what is read out in its place. */
function PictureView({ node, updateAttributes, editor }: ReactNodeViewProps) {
  const { t } = useTranslation('kit')
  const { file, alt } = node.attrs as { file: string; alt: string } // its two attributes
  return (
    <NodeViewWrapper data-drag-handle contentEditable={false}>
      <Picture uuid={file} alt={alt} whole />
      {editor.isEditable && (
        <TextInput
          size="xs"
          maw={420}
          mt={4}
          maxLength={200}
          aria-label={t('richText.pictureAlt')}
          placeholder={t('richText.pictureAlt')}
          value={alt}
          onChange={(event) => updateAttributes({ alt: event.currentTarget.value })}
        />
      )}
    </NodeViewWrapper>
  )
}
