import { Link, RichTextEditor } from '@mantine/tiptap'
import { useEditor } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import '@mantine/tiptap/styles.css'

type EditorProps = { value: string; onChange: (html: string) => void; disabled?: boolean; label: string; id: string; invalid: boolean }

const CONTROLS = [
  'bold',
  'italic',
  'underline',
  'strike',
  'h2',
  'h3',
  'bulletList',
  'orderedList',
  'blockquote',
  'link',
  'unlink',
  'undo',
  'redo',
] as const
const LINK_TEXTS = [
  'linkEditorInputLabel',
  'linkEditorInputPlaceholder',
  'linkEditorExternalLink',
  'linkEditorInternalLink',
  'linkEditorSave',
] as const

/** The editor behind `RichTextField`; in a file of its own because it weighs more than the rest of a form. */
export function Editor({ value, onChange, disabled = false, label, id, invalid }: EditorProps) {
  const { t } = useTranslation('kit')
  const labels = {
    ...Object.fromEntries(CONTROLS.map((name) => [`${name}ControlLabel`, t(`richText.${name}`)])),
    ...Object.fromEntries(LINK_TEXTS.map((name) => [name, t(`richText.${name}`)])),
  }
  const written = useRef(value)
  const editor = useEditor({
    extensions: [StarterKit.configure({ link: false, heading: { levels: [2, 3] } }), Link],
    content: value,
    editable: !disabled,
    editorProps: {
      attributes: { id, 'aria-label': label, 'aria-multiline': 'true', role: 'textbox', ...(invalid && { 'aria-invalid': 'true' }) },
    },
    onUpdate: ({ editor: now }) => {
      // an empty editor holds an empty paragraph
      written.current = now.isEmpty ? '' : now.getHTML()
      onChange(written.current)
    },
  })

  // discarding and reloading change the value from outside
  useEffect(() => {
    if (value === written.current) return
    written.current = value
    editor?.commands.setContent(value, { emitUpdate: false })
  }, [editor, value])

  return (
    <RichTextEditor
      editor={editor}
      labels={labels}
      attributes={{ linkEditorExternalControl: { 'aria-label': t('richText.linkEditorExternalLink') } }}
    >
      <RichTextEditor.Toolbar>
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.Bold />
          <RichTextEditor.Italic />
          <RichTextEditor.Underline />
          <RichTextEditor.Strikethrough />
        </RichTextEditor.ControlsGroup>
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.H2 />
          <RichTextEditor.H3 />
          <RichTextEditor.BulletList />
          <RichTextEditor.OrderedList />
          <RichTextEditor.Blockquote />
        </RichTextEditor.ControlsGroup>
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.Link />
          <RichTextEditor.Unlink />
        </RichTextEditor.ControlsGroup>
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.Undo />
          <RichTextEditor.Redo />
        </RichTextEditor.ControlsGroup>
      </RichTextEditor.Toolbar>
      <RichTextEditor.Content />
    </RichTextEditor>
  )
}
