import { Link, RichTextEditor } from '@mantine/tiptap'
import { useEditor, type Editor as Written } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { fileApi, LARGEST_FILE, type FileKind } from '#contract/network/file.ts'
import { call } from '#web/api/call.ts'
import { PICTURE_KINDS } from '#web/kit/fields/picture/picture-input.tsx'
import { PictureControl } from '#web/kit/fields/rich-text/picture-control.tsx'
import { PictureNode } from '#web/kit/fields/rich-text/picture-node.tsx'
import { notify } from '#web/notify.ts'
import '@mantine/tiptap/styles.css'

type EditorProps = {
  value: string
  onChange: (html: string) => void
  disabled?: boolean
  label: string
  id: string
  invalid: boolean
  pictures: FileKind | undefined
}

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
export function Editor({ value, onChange, disabled = false, label, id, invalid, pictures }: EditorProps) {
  const { t } = useTranslation('kit')
  const labels = {
    ...Object.fromEntries(CONTROLS.map((name) => [`${name}ControlLabel`, t(`richText.${name}`)])),
    ...Object.fromEntries(LINK_TEXTS.map((name) => [name, t(`richText.${name}`)])),
  }
  const written = useRef(value)
  const into = useRef<Written>(null)
  const [busy, setBusy] = useState(false)
  /** Uploads pictures and puts each where the cursor is, or at `at`; answers whether there are any. */
  const putPictures = (files: readonly File[], at?: number): boolean => {
    const those = pictures === undefined ? [] : files.filter(({ type }) => PICTURE_KINDS.includes(type))
    if (pictures === undefined || those.length === 0) return false
    const put = async () => {
      for (const file of those) {
        if (file.size > LARGEST_FILE) {
          notify.error(t('picture.tooLarge'))
          continue
        }
        const { uuid } = await call(fileApi.upload, { query: { kind: pictures }, body: new Uint8Array(await file.arrayBuffer()) })
        const node = { type: 'picture', attrs: { file: uuid } }
        const chain = into.current?.chain().focus()
        void (at === undefined ? chain?.insertContent(node) : chain?.insertContentAt(at, node))?.run()
      }
    }
    setBusy(true)
    // the call has said what failed
    void put().then(
      () => setBusy(false),
      () => setBusy(false),
    )
    return true
  }
  const editor = useEditor({
    extensions: [
      StarterKit.configure({ link: false, heading: { levels: [2, 3] } }),
      Link,
      ...(pictures === undefined ? [] : [PictureNode]),
    ],
    content: value,
    editable: !disabled,
    onCreate: ({ editor: made }) => {
      into.current = made
    },
    editorProps: {
      handlePaste: (_view, event) => putPictures([...(event.clipboardData?.files ?? [])]),
      handleDrop: (view, event, _slice, moved) => {
        const place = view.posAtCoords({ left: event.clientX, top: event.clientY })
        return !moved && putPictures([...(event.dataTransfer?.files ?? [])], place?.pos)
      },
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
          {pictures && <PictureControl onChoose={(files) => putPictures(files)} busy={busy || disabled} />}
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
